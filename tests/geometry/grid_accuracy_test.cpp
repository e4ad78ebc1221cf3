#include "stickslip/geometry/solids/grid_level_set.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/queries/mesh_distance.h"
#include "stickslip/geometry/solids/level_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

// The numbers of docs/level_sets.md: geometry_tests --gtest_filter='GridAccuracy.*'

namespace stickslip::grid_accuracy_test {
namespace {

struct Spread {
    double sum_of_squares = 0, max = 0;
    int count = 0;

    void add(double error)
    {
        sum_of_squares += error * error;
        max = std::max(max, std::abs(error));
        ++count;
    }
    double rms() const { return std::sqrt(sum_of_squares / count); }
};

struct Deviation {
    Spread phi, n, length; // phi in cells, |n - n exact|, |n| - 1
    Spread landing, unit_landing; // [cells] distance of U - phi n and of U - phi n/|n| from the surface
};

Vec3 on_surface(const TriMesh& mesh, RandomPoints& random)
{
    const auto last = mesh.triangles.size() - 1;
    const auto t = std::min(last, static_cast<std::size_t>(random.number(0, static_cast<double>(last + 1))));
    const auto& [a, b, c] = mesh.triangles[t];
    const double u = std::sqrt(random.number(0, 1)), v = random.number(0, 1);
    return (1 - u) * mesh.vertices[a] + u * (1 - v) * mesh.vertices[b] + u * v * mesh.vertices[c];
}

/// Random points within one cell of the surface; phi against the exact distance to the mesh, n against the normal of
/// the solid that the mesh approximates. Points for which skip(x) are left out.
template <typename Skip>
Deviation deviation(const TriMesh& mesh, const LevelSet& solid, const GridLevelSet& grid, const Skip& skip)
{
    const MeshDistance exact(mesh);
    RandomPoints random(3);
    Deviation d;
    for (int trial = 0; trial < 20000; ++trial) {
        const Vec3 x = on_surface(mesh, random) + grid.spacing() * random.number(0, 1) * random.direction();
        if (skip(x))
            continue;
        const LevelSetSample s = grid.sample(x);
        d.phi.add((s.phi - exact.sample(x).phi) / grid.spacing());
        d.n.add((s.n - sample(solid, x).n).norm());
        d.length.add(s.n.norm() - 1);
        d.landing.add(signed_distance(solid, x - s.phi * s.n) / grid.spacing());
        d.unit_landing.add(signed_distance(solid, x - s.phi * s.n.normalized()) / grid.spacing());
    }
    return d;
}

/// One line per spacing extent/16, /32, /64, /128; skip(x, spacing).
template <typename Skip>
std::vector<Deviation> tabulate(const char* name, const TriMesh& mesh, const LevelSet& solid, const Skip& skip)
{
    const Bounds box = bounds(solid);
    const double extent = (box.max - box.min).maxCoeff();
    std::vector<Deviation> all;
    for (const int cells : {16, 32, 64, 128}) {
        const auto grid = build_grid_level_set(mesh, {.spacing = extent / cells});
        all.push_back(deviation(mesh, solid, *grid, [&](const Vec3& x) { return skip(x, grid->spacing()); }));
        const Deviation& d = all.back();
        std::printf("| %s | 1/%d | %.0e | %.0e | %.0e | %.0e | %.0e | %.0e | %.0e |\n", name, cells, d.phi.rms(),
            d.phi.max, d.n.rms(), d.n.max, d.length.max, d.landing.max, d.unit_landing.max);
    }
    return all;
}

TEST(GridAccuracy, SmoothSolidsConvergeAndSharpEdgesRoundByAFractionOfACell)
{
    const auto none = [](const Vec3&, double) { return false; };
    // Away from the edges, and with them from the diagonal planes inside where two faces are as near.
    const auto near_edge = [](const Vec3& x, double spacing) {
        const Vec3 to_face = (x.cwiseAbs() - Vec3::Constant(0.5)).cwiseAbs();
        return (to_face.array() < 4 * spacing).count() > 1;
    };
    std::printf("| solid | spacing/extent | phi rms | phi max | n rms | n max | length of n - 1, max | W max | W with "
                "unit n, max "
                "|\n|---|---|---|---|---|---|---|---|---|\n");
    const auto sphere = tabulate("sphere", sphere_mesh(0.5, 6), Sphere{0.5}, none);
    const auto torus = tabulate("torus", torus_mesh(0.7, 0.3, 300, 128), Torus{0.7, 0.3}, none);
    const auto cube = tabulate("cube", cube_mesh(1), Box{{1, 1, 1}}, none);
    const auto faces = tabulate("cube faces", cube_mesh(1), Box{{1, 1, 1}}, near_edge);
    for (const auto& smooth : {sphere, torus}) {
        for (std::size_t i = 1; i < smooth.size(); ++i) {
            EXPECT_LT(smooth[i].phi.max, 0.01);
            EXPECT_LT(smooth[i].n.max, 0.03);
            EXPECT_LT(smooth[i].length.max, 0.02);
        }
    }
    for (const auto& d : cube)
        EXPECT_LT(d.phi.max, 0.25);
    for (const auto& d : faces)
        EXPECT_LT(d.n.max, 0.03);
}

TEST(GridAccuracy, SpotBuildsFastAndCloseToItsMesh)
{
    const TriMesh mesh = obj_mesh(STICKSLIP_SOURCE_DIR "/../shared/data/surfaces/spot.obj");
    if (mesh.triangles.empty())
        GTEST_SKIP() << "no spot.obj beside the source tree";
    const MeshDistance exact(mesh);
    const Bounds box = bounds(mesh.vertices);
    for (const int cells : {64, 128}) {
        const auto start = std::chrono::steady_clock::now();
        const auto grid = build_grid_level_set(mesh, {.spacing = (box.max - box.min).maxCoeff() / cells});
        const std::chrono::duration<double> build = std::chrono::steady_clock::now() - start;
        RandomPoints random(4);
        Spread phi;
        std::vector<Vec3> points;
        for (int trial = 0; trial < 20000; ++trial) {
            points.push_back(on_surface(mesh, random) + grid->spacing() * random.number(0, 1) * random.direction());
            phi.add((grid->distance(points.back()) - exact.sample(points.back()).phi) / grid->spacing());
        }
        const auto begin = std::chrono::steady_clock::now();
        double sum = 0;
        for (int repeat = 0; repeat < 10; ++repeat) {
            for (const Vec3& x : points)
                sum += grid->sample(x).hessian(0, 0);
        }
        const std::chrono::duration<double, std::nano> evaluation = std::chrono::steady_clock::now() - begin;
        std::printf(
            "spot, %zu triangles, spacing extent/%d: %.2f s, %.1f MB, phi rms %.0e max %.0e cells, %.0f ns a sample\n",
            mesh.triangles.size(), cells, build.count(), 8e-6 * static_cast<double>(grid->node_count()), phi.rms(),
            phi.max, evaluation.count() / (10.0 * static_cast<double>(points.size())));
        EXPECT_TRUE(std::isfinite(sum));
        EXPECT_LT(phi.rms(), 0.03);
        EXPECT_LT(phi.max, 0.6);
    }
}

} // namespace
} // namespace stickslip::grid_accuracy_test
