#include "stickslip/geometry/solids/grid_level_set.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/queries/mesh_distance.h"
#include "stickslip/geometry/solids/level_set.h"
#include "stickslip/math/error.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <sstream>
#include <string>
#include <vector>

namespace stickslip::grid_level_set_test {
namespace {

template <typename Function>
Mat3 jacobian(const Function& f, const Vec3& x, double step)
{
    Mat3 J;
    for (int i = 0; i < 3; ++i)
        J.col(i) = (f(x + step * Vec3::Unit(i)) - f(x - step * Vec3::Unit(i))) / (2 * step);
    return J;
}

/// Points near the surface: vertices moved by up to `reach`.
Vec3 near_surface(const TriMesh& mesh, double reach, RandomPoints& random)
{
    const auto v = static_cast<std::size_t>(random.number(0, static_cast<double>(mesh.vertices.size())));
    return mesh.vertices[std::min(v, mesh.vertices.size() - 1)] + random.number(0, reach) * random.direction();
}

void expect_consistent(const GridLevelSet& grid, const Vec3& x)
{
    const double step = 1e-4 * grid.spacing(); // third derivatives are of the order 1 / spacing^2
    const LevelSetSample s = grid.sample(x);
    EXPECT_NEAR(s.phi, grid.distance(x), 1e-15);
    Vec3 n;
    for (int i = 0; i < 3; ++i) {
        const Vec3 d = step * Vec3::Unit(i);
        n[i] = (grid.distance(x + d) - grid.distance(x - d)) / (2 * step);
    }
    EXPECT_NEAR((s.n - n).norm(), 0, 1e-7) << x.transpose();
    const Mat3 H = jacobian([&](const Vec3& y) { return grid.sample(y).n; }, x, step);
    EXPECT_NEAR((s.hessian - H).norm(), 0, 1e-6 * (1 + s.hessian.norm())) << x.transpose();
    const Mat3 dW = jacobian([&](const Vec3& y) { return Vec3(y - grid.sample(y).phi * grid.sample(y).n); }, x, step);
    const Mat3 expected = Mat3::Identity() - s.n * s.n.transpose() - s.phi * s.hessian;
    EXPECT_NEAR((dW - expected).norm(), 0, 1e-6) << x.transpose();
}

TEST(GridLevelSet, DerivativesMatchDifferencesInsideAndOutsideTheBox)
{
    const double step = 1e-5;
    for (const TriMesh& mesh : {sphere_mesh(0.8, 3), spiky_mesh(2)}) {
        const auto grid = build_grid_level_set(mesh);
        RandomPoints random(1);
        for (int trial = 0; trial < 300; ++trial) {
            expect_consistent(*grid, near_surface(mesh, 0.1, random));
            const Vec3 x = random.in_cube(2);
            const Vec3 wall = (x - grid->domain().min).cwiseAbs().cwiseMin((x - grid->domain().max).cwiseAbs());
            if (wall.minCoeff() > step && (x.norm() > 0.01))
                expect_consistent(*grid, x);
        }
    }
}

TEST(GridLevelSet, NodesOfTheBandHoldTheExactDistance)
{
    for (const TriMesh& mesh : {cube_mesh(1), spiky_mesh(2)}) {
        const MeshDistance exact(mesh);
        const GridOptions options{.band = 3};
        const auto grid = build_grid_level_set(mesh, options);
        const double h = grid->spacing();
        const Vec3 cells = (grid->domain().max - grid->domain().min) / h;
        RandomPoints random(7);
        int found = 0;
        for (int trial = 0; trial < 20000; ++trial) {
            const Vec3 place(random.number(0, 1), random.number(0, 1), random.number(0, 1));
            const Vec3 x = grid->domain().min + h * place.cwiseProduct(cells).array().round().matrix();
            const double phi = exact.sample(x).phi;
            if (std::abs(phi) > options.band * h)
                continue;
            ++found;
            EXPECT_NEAR(grid->distance(x), phi, 1e-13);
        }
        EXPECT_GT(found, 500);
    }
}

TEST(GridLevelSet, FieldIsContinuousAcrossTheBox)
{
    const auto grid = build_grid_level_set(sphere_mesh(0.8, 3));
    RandomPoints random(2);
    for (int trial = 0; trial < 200; ++trial) {
        Vec3 x = random.in_cube(0.8);
        x[trial % 3] = grid->domain().max[trial % 3];
        const Vec3 out = 1e-9 * Vec3::Unit(trial % 3);
        EXPECT_NEAR(grid->distance(x + out), grid->distance(x - out), 1e-8);
    }
}

TEST(GridLevelSet, DeepInsideIsNegativeAndLeadsOut)
{
    for (const TriMesh& mesh : {sphere_mesh(0.8, 3), torus_mesh(0.7, 0.3, 40, 20), spiky_mesh(2)}) {
        const MeshDistance exact(mesh);
        const auto grid = build_grid_level_set(mesh, {.spacing = 0.02, .band = 2});
        RandomPoints random(4);
        int deep = 0;
        for (int trial = 0; trial < 4000; ++trial) {
            Vec3 x = random.in_cube(1);
            const double phi = exact.sample(x).phi;
            if (phi > -4 * grid->spacing())
                continue;
            ++deep;
            EXPECT_LT(grid->distance(x), 0);
            EXPECT_NEAR(grid->distance(x), phi, 2 * grid->spacing()); // an estimate from 4 times wider nodes
            // Walking along n for the distance told, a few times, ends at the surface.
            for (int walk = 0; walk < 30; ++walk) {
                const LevelSetSample s = grid->sample(x);
                ASSERT_TRUE(s.n.allFinite() && s.n.norm() > 0);
                x -= s.phi * s.n.normalized();
            }
            EXPECT_NEAR(exact.sample(x).phi, 0, 0.3 * grid->spacing()) << x.transpose();
        }
        EXPECT_GT(deep, 50);
    }
}

TEST(GridLevelSet, NormalIsUsableWhereTheGradientVanishes)
{
    const auto grid = build_grid_level_set(sphere_mesh(0.8, 3));
    const LevelSetSample s = grid->sample(Vec3::Zero()); // a node and the centre of symmetry
    EXPECT_NEAR(s.phi, -0.8, 4 * grid->spacing());
    EXPECT_NEAR(s.n.norm(), 1, 1e-15);
    EXPECT_TRUE(s.hessian.allFinite());
}

TEST(GridLevelSet, OutsideItIsTheExactDistance)
{
    for (const TriMesh& mesh : {spiky_mesh(2), sphere_mesh(0.8, 3), cube_mesh(1)}) {
        const MeshDistance exact(mesh);
        const auto grid = build_grid_level_set(mesh);
        RandomPoints random(5);
        int far = 0, near = 0;
        for (int trial = 0; trial < 3000; ++trial) {
            const Vec3 x = random.in_cube(trial % 2 ? 1.3 : 50);
            const double phi = exact.sample(x).phi, cells = phi / grid->spacing();
            if (cells > 3.3) { // the spline decides where it ends, within its error
                ++far;
                EXPECT_NEAR(grid->distance(x), phi, 1e-13 * x.norm());
                EXPECT_NEAR(grid->sample(x).n.norm(), 1, 1e-12);
            } else if (cells > 1.5) {
                ++near;
                EXPECT_NEAR(grid->distance(x), phi, 0.1 * grid->spacing());
            }
        }
        EXPECT_GT(far, 1500);
        EXPECT_GT(near, 20);
    }
}

TEST(GridLevelSet, DistanceChangesByHardlyMoreThanTheWay)
{
    const auto smooth = build_grid_level_set(sphere_mesh(0.8, 4));
    const auto sharp = build_grid_level_set(cube_mesh(1));
    RandomPoints random(6);
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec3 x = random.in_cube(1.2);
        const Vec3 y = x + random.number(0, 0.5) * random.direction();
        EXPECT_LE(std::abs(smooth->distance(x) - smooth->distance(y)), 1.02 * (x - y).norm());
        EXPECT_LE(std::abs(sharp->distance(x) - sharp->distance(y)), 1.1 * (x - y).norm());
    }
}

TEST(GridLevelSet, SolidOfTheVariantAnswersFromTheGrid)
{
    const auto grid = build_grid_level_set(sphere_mesh(0.8, 3));
    const LevelSet solid = grid;
    const Vec3 x(0.5, 0.6, 0.1);
    EXPECT_EQ(patch_count(solid), 1);
    EXPECT_EQ(nearest_patch(solid, x), 0);
    EXPECT_EQ(signed_distance(solid, x), grid->distance(x));
    EXPECT_EQ(patch_distance(solid, 0, x), grid->distance(x));
    EXPECT_EQ(sample(solid, x).n, grid->sample(x).n);
    EXPECT_EQ(sample_patch(solid, 0, x).hessian, grid->sample(x).hessian);
    EXPECT_NEAR(bounds(solid).max.x(), 0.8, 1e-15);
}

/// A cube stretched to `size` and turned.
TriMesh brick_mesh(const Vec3& size, const Vec3& turn, const Vec3& place)
{
    TriMesh mesh = cube_mesh(1);
    const Mat3 R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    for (Vec3& x : mesh.vertices)
        x = R * x.cwiseProduct(size) + place;
    return mesh;
}

TEST(GridLevelSet, BoundsHoldTheZeroSurface)
{
    RandomPoints random(8);
    std::vector<TriMesh> meshes = {sphere_mesh(0.8, 3), spiky_mesh(2), torus_mesh(0.7, 0.3, 40, 20)};
    for (const Vec3& turn : {Vec3(1e-9, 0, 0), Vec3(0.01, 0, 0), Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0.7)})
        meshes.push_back(brick_mesh(Vec3(1, 0.2, 0.7), turn, random.in_cube(3)));
    double farthest = 0;
    for (const TriMesh& mesh : meshes) {
        const Bounds box = bounds(mesh.vertices);
        const Vec3 size = box.max - box.min;
        for (int k = 0; k < 8; ++k) {
            const auto grid = build_grid_level_set(mesh, {.spacing = size.minCoeff() / random.number(2, 9)});
            const double h = grid->spacing();
            const Bounds held = grid->solid_bounds();
            for (int trial = 0; trial < 4000; ++trial) {
                const int axis = trial % 3;
                const bool up = trial % 2;
                Vec3 x;
                for (int a = 0; a < 3; ++a)
                    x[a] = random.number(box.min[a] - h, box.max[a] + h);
                x[axis] = (up ? box.max : box.min)[axis] + (up ? h : -h) * std::pow(random.number(0, 1), 3);
                if (grid->distance(x) >= -1e-12 * h)
                    continue;
                EXPECT_TRUE(held.contains(x)) << "spacing " << h << ", out of the box by "
                                              << (up ? x - held.max : held.min - x)[axis] / h << " cells";
                farthest = std::max(farthest, (up ? x - box.max : box.min - x)[axis] / h);
            }
            EXPECT_LT((held.max - box.max).cwiseMax(box.min - held.min).maxCoeff(), 0.3 * h) << "no wider than needed";
            EXPECT_TRUE(held.contains(box.min) && held.contains(box.max));
        }
    }
    EXPECT_GT(farthest, 0.05) << "the zero surface does reach out of the box of the mesh";
}

std::string bytes_of(const GridLevelSet& grid)
{
    std::ostringstream out;
    grid.save(out);
    return out.str();
}

TEST(GridLevelSet, HasTheSameBitsForAnyNumberOfThreads)
{
    const TriMesh mesh = spiky_mesh(3);
    std::vector<std::string> grids;
    for (const std::size_t threads : {1, 2, 5}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        grids.push_back(bytes_of(*build_grid_level_set(mesh)));
    }
    EXPECT_TRUE(grids[0] == grids[1]);
    EXPECT_TRUE(grids[0] == grids[2]);
}

std::string complaint(const TriMesh& mesh, const GridOptions& options)
{
    try {
        build_grid_level_set(mesh, options);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(GridLevelSet, RefusesWhatCannotWork)
{
    const TriMesh mesh = cube_mesh(1);
    EXPECT_NE(complaint(mesh, {.spacing = -1}).find("spacing"), std::string::npos);
    EXPECT_NE(complaint(mesh, {.spacing = nan}).find("spacing"), std::string::npos);
    EXPECT_NE(complaint(mesh, {.spacing = 0.6}).find("too wide"), std::string::npos);
    EXPECT_NE(complaint(mesh, {.band = 0.5}).find("band"), std::string::npos);
    EXPECT_NE(complaint(mesh, {.band = infinity}).find("band"), std::string::npos);
    const std::string text = complaint(mesh, {.spacing = 1e-9});
    const auto at = text.find("a spacing of ");
    ASSERT_NE(at, std::string::npos) << text;
    const double fits = std::stod(text.substr(at + 13));
    EXPECT_GT(fits, 1.0 / 340);
    EXPECT_LT(fits, 1.0 / 290);
    TriMesh open = mesh;
    open.triangles.pop_back();
    EXPECT_NE(complaint(open, {}).find("open"), std::string::npos);
}

TEST(GridLevelSet, AutomaticSpacingFitsLongAndThinSolids)
{
    EXPECT_EQ(build_grid_level_set(cube_mesh(1))->spacing(), 1.0 / 64);
    TriMesh plate = cube_mesh(1);
    for (Vec3& x : plate.vertices)
        x.y() *= 0.02;
    EXPECT_NEAR(build_grid_level_set(plate)->spacing(), 0.005, 1e-15);
}

} // namespace
} // namespace stickslip::grid_level_set_test
