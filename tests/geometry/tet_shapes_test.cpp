#include "stickslip/geometry/mesh/tet_shapes.h"

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <set>
#include <string>

namespace stickslip::tet_shapes_test {
namespace {

constexpr double pi = std::numbers::pi;

struct Solid {
    const char* name;
    Primitive shape;
    double radius; // resolutions are parts of it
    double volume; // exact
};

const std::vector<Solid>& curved_solids()
{
    static const std::vector<Solid> solids = {
        {"sphere", Sphere{0.3}, 0.3, 4 * pi / 3 * 0.027},
        {"cylinder", Cylinder{1, 2}, 1, 2 * pi},
        {"capsule", Capsule{1, 2}, 1, 4 * pi / 3 + 2 * pi},
        {"ball-like capsule", Capsule{1, 0.2}, 1, 4 * pi / 3 + 0.2 * pi},
        {"torus", Torus{2.5, 1}, 1, 2 * pi * pi * 2.5},
        {"fat torus", Torus{1.5, 1}, 1, 2 * pi * pi * 1.5},
    };
    return solids;
}

constexpr double sizes[] = {1, 1.4, 1.6, 2, 3, 5, 7.5, 10}; // radius / resolution

std::string refusal(const Primitive& shape, double resolution)
{
    try {
        tetrahedralize(shape, resolution);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(TetShapes, HaveNoDefectsAndOneClosedSurface)
{
    for (const Solid& s : curved_solids()) {
        for (double k : {1.0, 1.6, 2.0, 3.0, 5.0}) {
            const TetMesh m = tetrahedralize(s.shape, s.radius / k);
            const auto defects = find_defects(m);
            EXPECT_TRUE(defects.empty()) << s.name << " " << k << ": " << defects[0].text;
            const TriMesh surface = {.vertices = m.nodes, .triangles = boundary_triangles(m.tets)};
            EXPECT_TRUE(is_closed(surface.triangles)) << s.name << " " << k;
            EXPECT_NEAR(enclosed_volume(surface), total_volume(m), 1e-12 * s.volume) << s.name << " " << k;
        }
    }
}

TEST(TetShapes, AreOfGoodQualityAtEverySize)
{
    std::printf("%-18s %8s %6s %6s %9s %18s %7s %7s\n", "shape", "radius/h", "min", "mean", "dihedral", "edges/h",
        "nodes", "tets");
    for (const Solid& s : curved_solids()) {
        for (double k : sizes) {
            const double h = s.radius / k;
            const TetMesh m = tetrahedralize(s.shape, h);
            const TetQuality q = tet_quality(m);
            std::printf("%-18s %8.1f %6.3f %6.3f %9.1f   %.2f %.2f %.2f   %7zu %7zu\n", s.name, k, q.min_ratio,
                q.mean_ratio, q.min_dihedral, q.min_edge / h, q.mean_edge / h, q.max_edge / h, m.nodes.size(),
                m.tets.size());
            EXPECT_GE(q.min_ratio, 0.44) << s.name << " " << k;
            EXPECT_GE(q.mean_ratio, 0.72) << s.name << " " << k;
            EXPECT_GE(q.min_dihedral, 12) << s.name << " " << k;
            EXPECT_GE(q.min_edge, 0.3 * h) << s.name << " " << k; // fat torus in its hole; 0.55 elsewhere
            EXPECT_LE(q.max_edge, 2.2 * h) << s.name << " " << k;
        }
    }
}

TEST(TetShapes, ConvergeToTheVolumeAtSecondOrderFromBelow)
{
    for (const Solid& s : curved_solids()) {
        const auto error = [&](double k) { return 1 - total_volume(tetrahedralize(s.shape, s.radius / k)) / s.volume; };
        const double coarse = error(5);
        const double fine = error(10);
        EXPECT_GT(fine, 0) << s.name;
        EXPECT_LT(fine, 0.008) << s.name;
        EXPECT_NEAR(coarse / fine, 4, 0.2) << s.name;
    }
}

/// Distance from the surface of the solid; written down here independently of the level sets.
double off_surface(const Primitive& shape, const Vec3& x)
{
    const double r = std::hypot(x[0], x[2]);
    if (const auto* s = std::get_if<Sphere>(&shape))
        return x.norm() - s->radius;
    if (const auto* c = std::get_if<Cylinder>(&shape))
        return std::max(r - c->radius, std::abs(x[1]) - c->height / 2);
    if (const auto* c = std::get_if<Capsule>(&shape))
        return std::hypot(r, std::max(0.0, std::abs(x[1]) - c->height / 2)) - c->radius;
    const Torus& t = std::get<Torus>(shape);
    return std::hypot(r - t.major, x[1]) - t.minor;
}

TEST(TetShapes, HaveTheirSurfaceNodesExactlyOnTheSurfaceAndTheOthersInside)
{
    for (const Solid& s : curved_solids()) {
        for (double k : {1.0, 4.0}) {
            const TetMesh m = tetrahedralize(s.shape, s.radius / k);
            const std::vector<int> list = surface_nodes(m.tets);
            const std::set<int> surface(list.begin(), list.end());
            for (int n = 0; n < static_cast<int>(m.nodes.size()); ++n) {
                const double phi = off_surface(s.shape, m.nodes[n]);
                if (surface.count(n))
                    EXPECT_NEAR(phi, 0, 1e-15 * 4) << s.name << " node " << n;
                else
                    EXPECT_LT(phi, -0.1 * s.radius / k) << s.name << " node " << n;
            }
        }
    }
}

TEST(TetShapes, AreTheSameEveryTime)
{
    for (const Solid& s : curved_solids()) {
        const TetMesh a = tetrahedralize(s.shape, s.radius / 3);
        const TetMesh b = tetrahedralize(s.shape, s.radius / 3);
        EXPECT_TRUE(a.nodes == b.nodes && a.tets == b.tets) << s.name;
    }
}

TEST(TetBox, OfCoarseResolutionIsOneCell)
{
    for (double h : {1.0, 1.2, 1e6}) {
        const TetMesh m = tetrahedralize(Box{{1, 1, 1}}, h);
        EXPECT_EQ(m.nodes.size(), 8u);
        EXPECT_EQ(m.tets.size(), 5u);
        EXPECT_TRUE(find_defects(m).empty());
        EXPECT_DOUBLE_EQ(total_volume(m), 1);
    }
}

TEST(TetBox, HasTheWantedCells)
{
    const Vec3 size(0.3, 0.5, 0.21);
    const TetMesh m = tetrahedralize(Box{size}, 0.1); // 3 x 5 x 2 cells
    EXPECT_EQ(m.nodes.size(), 4u * 6 * 3);
    EXPECT_EQ(m.tets.size(), 5u * 3 * 5 * 2);
    EXPECT_TRUE(find_defects(m).empty());
    EXPECT_TRUE(is_closed(boundary_triangles(m.tets)));
    EXPECT_NEAR(total_volume(m), size.prod(), 1e-15);
    EXPECT_EQ(bounds(m.nodes).max, Vec3(size / 2));
    EXPECT_EQ(bounds(m.nodes).min, Vec3(-size / 2));
}

TEST(TetBox, CubesHaveTheQualityOfTheFiveTetrahedraCut)
{
    const TetQuality q = tet_quality(tetrahedralize(Box{{1, 1, 1}}, 0.25));
    EXPECT_NEAR(q.min_ratio, 12 * std::pow(0.5, 2.0 / 3) / 9, 1e-12);
    EXPECT_NEAR(q.mean_ratio, (1 + 4 * q.min_ratio) / 5, 1e-12);
}

/// Tetrahedra as sets of positions: equal for meshes that differ in numbering only.
std::set<std::set<std::array<double, 3>>> as_sets(const TetMesh& mesh, const Mat3& map)
{
    std::set<std::set<std::array<double, 3>>> all;
    for (const Tetrahedron& t : mesh.tets) {
        std::set<std::array<double, 3>> corners;
        for (int n : t) {
            const Vec3 x = map * mesh.nodes[n] + Vec3::Zero(); // - 0 becomes 0
            corners.insert({x[0], x[1], x[2]});
        }
        all.insert(corners);
    }
    return all;
}

TEST(TetBox, IsItsOwnMirrorImageWhereCellsAreEvenAndTheSameAlongAllAxes)
{
    const TetMesh m = tetrahedralize(Box{{1, 1, 1}}, 0.25);
    const auto original = as_sets(m, Mat3::Identity());
    for (int axis = 0; axis < 3; ++axis) {
        Mat3 mirror = Mat3::Identity();
        mirror(axis, axis) = -1;
        EXPECT_EQ(as_sets(m, mirror), original) << axis;
    }
    Mat3 turn;
    turn << 0, 1, 0, 0, 0, 1, 1, 0, 0;
    EXPECT_EQ(as_sets(m, turn), original);
}

TEST(TetCapsule, WithoutACylinderIsABall)
{
    const TetMesh m = tetrahedralize(Capsule{1, 0}, 0.1);
    EXPECT_TRUE(find_defects(m).empty());
    EXPECT_NEAR(total_volume(m), 4 * pi / 3, 0.03);
}

TEST(TetShapes, RefuseWhatCannotBeMeshedAndSayWhy)
{
    EXPECT_EQ(refusal(Sphere{1}, 0), "resolution: expected a finite number > 0, got 0");
    EXPECT_EQ(refusal(Sphere{1}, -1.5), "resolution: expected a finite number > 0, got -1.5");
    EXPECT_EQ(refusal(Sphere{1}, nan), "resolution: expected a finite number > 0, got nan");
    EXPECT_EQ(refusal(Sphere{1}, infinity), "resolution: expected a finite number > 0, got inf");
    EXPECT_EQ(refusal(Sphere{-1}, 1), "sphere radius: expected a finite number > 0, got -1");
    EXPECT_EQ(refusal(Box{{1, 0, 1}}, 1), "box edge length: expected a finite number > 0, got 0");
    EXPECT_EQ(refusal(Cylinder{1, infinity}, 1), "cylinder height: expected a finite number > 0, got inf");
    EXPECT_EQ(refusal(Capsule{1, -1}, 1), "capsule height: expected a finite number >= 0, got -1");
    EXPECT_EQ(refusal(Torus{1, 2}, 1), "torus minor radius: expected less than the major radius 1, got 2");
    EXPECT_EQ(refusal(Plane{}, 1), "shape: expected a solid of finite size, got a plane");
}

TEST(TetShapes, RefuseMoreThanTwentyMillionTetrahedraBeforeMakingThem)
{
    const Primitive shapes[] = {
        Box{{1, 1, 1}}, Sphere{1}, Cylinder{1, 1}, Capsule{1, 1}, Torus{2, 1}, Box{{1, 1, 1e300}}};
    for (const Primitive& shape : shapes) {
        for (double h : {1e-3, 1e-9, 1e-300, 5e-324})
            EXPECT_NE(refusal(shape, h).find("at most 2e+07 tetrahedra"), std::string::npos) << refusal(shape, h);
    }
}

} // namespace
} // namespace stickslip::tet_shapes_test
