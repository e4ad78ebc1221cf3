#include "stickslip/geometry/mesh/surface_shapes.h"

#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/math/error.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace stickslip::surface_shapes_test {
namespace {

const Primitive shapes[] = {
    Sphere{0.3}, Cylinder{1, 2}, Cylinder{1, 0.1}, Capsule{0.5, 2}, Capsule{1, 0.1}, Capsule{1, 0}, Torus{2.5, 1}};

TEST(SurfaceShapes, AreClosedAndWithoutDefects)
{
    for (const Primitive& shape : shapes) {
        for (double h : {2.0, 0.6, 0.3, 0.1}) {
            const TriMesh m = triangulate(shape, h);
            const auto defects = find_defects(m);
            EXPECT_TRUE(defects.empty()) << shape.index() << " " << h << ": " << defects[0].text;
            EXPECT_TRUE(is_closed(m.triangles)) << shape.index() << " " << h;
        }
    }
}

TEST(SurfaceShapes, OfAConeAreClosedAndEncloseIt)
{
    for (double h : {2.0, 0.3, 0.05}) {
        const TriMesh m = triangulate(Cone{0.5, 1}, h);
        EXPECT_TRUE(find_defects(m).empty()) << h;
        EXPECT_TRUE(is_closed(m.triangles)) << h;
        if (h < 0.1) {
            EXPECT_NEAR(enclosed_volume(m), M_PI / 12, 0.005);
        }
    }
}

/// Rounded positions: two paths to one node differ in the last bits.
std::set<std::array<long, 3>> places(const std::vector<Vec3>& points)
{
    std::set<std::array<long, 3>> all;
    for (const Vec3& x : points)
        all.insert({std::lround(1e9 * x[0]), std::lround(1e9 * x[1]), std::lround(1e9 * x[2])});
    return all;
}

TEST(SurfaceShapes, HaveTheVerticesAndTheVolumeOfTheTetrahedra)
{
    for (const Primitive& shape : shapes) {
        for (double h : {2.0, 0.6, 0.3}) {
            const TriMesh m = triangulate(shape, h);
            const TetMesh solid = tetrahedralize(shape, h);
            std::vector<Vec3> boundary;
            for (int n : surface_nodes(solid.tets))
                boundary.push_back(solid.nodes[n]);
            EXPECT_EQ(places(m.vertices), places(boundary)) << shape.index() << " " << h;
            EXPECT_EQ(m.vertices.size(), boundary.size()) << shape.index() << " " << h;
            EXPECT_EQ(m.triangles.size(), boundary_triangles(solid.tets).size()) << shape.index() << " " << h;
            // side quadrilaterals of a torus are not flat where cut along the other diagonal
            EXPECT_NEAR(enclosed_volume(m) / total_volume(solid), 1, 0.02) << shape.index() << " " << h;
        }
    }
}

TEST(SurfaceShapes, ABoxHasTwelveTriangles)
{
    for (double h : {1e-12, 0.1, 10.0}) {
        const TriMesh m = triangulate(Box{{1, 2, 3}}, h);
        EXPECT_EQ(m.vertices.size(), 8u);
        EXPECT_EQ(m.triangles.size(), 12u);
        EXPECT_TRUE(find_defects(m).empty());
        EXPECT_DOUBLE_EQ(enclosed_volume(m), 6);
    }
}

TEST(SurfaceShapes, OfARoundedBoxHasAsManyTrianglesHoweverSmallItsRadius)
{
    for (const double radius : {0.02, 0.0005, 1e-6}) {
        const RoundedBox box{{0.1, 0.06, 0.08}, radius};
        const TriMesh m = triangulate_roundings(box, 0.15 * radius);
        EXPECT_EQ(m.triangles.size(), 1452u) << radius;
        EXPECT_TRUE(find_defects(m).empty()) << radius;
        EXPECT_TRUE(is_closed(m.triangles));
        EXPECT_NEAR(enclosed_volume(m) / mass_properties(box).volume, 1, 5e-3);
    }
}

TEST(SurfaceShapes, APlaneIsASquareAcrossItsNormal)
{
    for (const Vec3& n : {Vec3(0, 1, 0), Vec3(1, 2, -3).normalized()}) {
        const TriMesh m = triangulate_plane(Plane{n}, 2.5);
        ASSERT_EQ(m.triangles.size(), 2u);
        double area = 0;
        for (const Triangle& t : m.triangles) {
            const Vec3 twice = (m.vertices[t[1]] - m.vertices[t[0]]).cross(m.vertices[t[2]] - m.vertices[t[0]]);
            EXPECT_NEAR(twice.dot(n), twice.norm(), 1e-12);
            area += twice.norm() / 2;
        }
        EXPECT_NEAR(area, 25, 1e-12);
    }
}

TEST(SurfaceShapes, RefuseWhatCannotBeMeshed)
{
    EXPECT_THROW(triangulate(Plane{}, 1), InputError);
    EXPECT_THROW(triangulate(Sphere{1}, 0), InputError);
    EXPECT_THROW(triangulate(Sphere{1}, 1e-9), InputError);
    EXPECT_THROW(triangulate(Cylinder{1, 1e30}, 1), InputError);
    EXPECT_THROW(triangulate(Torus{1, 1}, 1), InputError);
}

} // namespace
} // namespace stickslip::surface_shapes_test
