#include "stickslip/geometry/solids/convex_polyhedron.h"

#include "geometry/closed_meshes.h"

#include "support/numeric.h"

#include <algorithm>

namespace stickslip::convex_polyhedron_test {
namespace {

TEST(ConvexPolyhedron, JoinsTrianglesOfOnePlane)
{
    const auto cube = ConvexPolyhedron::from_mesh(cube_mesh(2));
    ASSERT_TRUE(cube);
    ASSERT_EQ(cube->faces().size(), 6u);
    for (const auto& face : cube->faces()) {
        EXPECT_EQ(face.corners.size(), 4u);
        EXPECT_EQ(face.offset, 1);
        EXPECT_EQ(face.normal.cwiseAbs().sum(), 1);
    }
    EXPECT_EQ(cube->bounds().max, Vec3(1, 1, 1));
}

TEST(ConvexPolyhedron, TakesCoordinatesOfSinglePrecision)
{
    Random random(1);
    for (int trial = 0; trial < 20; ++trial) {
        TriMesh mesh = cube_mesh(1);
        const Mat3 R = random.rotation();
        for (Vec3& x : mesh.vertices)
            x = (R * x).cast<float>().cast<double>();
        const auto solid = ConvexPolyhedron::from_mesh(mesh);
        ASSERT_TRUE(solid);
        EXPECT_EQ(solid->faces().size(), 6u);
        for (const Vec3& x : mesh.vertices)
            for (int f = 0; f < 6; ++f)
                EXPECT_LE(solid->face_distance(f, x), 1e-16) << "all of the solid is behind each face";
    }
}

TEST(ConvexPolyhedron, RefusesWhatIsNotConvexOrHasTooManyFaces)
{
    TriMesh dented = sphere_mesh(1, 1);
    dented.vertices[0] *= 0.6; // its neighbours are 0.71 out
    EXPECT_FALSE(ConvexPolyhedron::from_mesh(dented)) << "one corner pushed in below its neighbours";
    EXPECT_TRUE(ConvexPolyhedron::from_mesh(sphere_mesh(1, 1)));
    EXPECT_FALSE(ConvexPolyhedron::from_mesh(sphere_mesh(1, 3))) << "512 faces";
    TriMesh two = cube_mesh(1);
    for (const Triangle& t : cube_mesh(1).triangles)
        two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    for (const Vec3& x : cube_mesh(1).vertices)
        two.vertices.push_back(x + Vec3(3, 0, 0));
    EXPECT_FALSE(ConvexPolyhedron::from_mesh(two)) << "two cubes side by side";
}

TEST(ConvexPolyhedron, RefusesWhatIsOpen)
{
    const TriMesh cube = cube_mesh(1);
    for (std::size_t without = 0; without < cube.triangles.size(); ++without) {
        TriMesh open = cube;
        open.triangles.erase(open.triangles.begin() + static_cast<std::ptrdiff_t>(without));
        EXPECT_FALSE(ConvexPolyhedron::from_mesh(open)) << "without triangle " << without;
    }
    TriMesh box = cube;
    const auto is_at = [&](const Triangle& t, double y) {
        return std::all_of(t.begin(), t.end(), [&](int v) { return box.vertices[v].y() == y; });
    };
    const double top = std::max_element(box.vertices.begin(), box.vertices.end(), [](const Vec3& a, const Vec3& b) {
        return a.y() < b.y();
    })->y();
    ASSERT_EQ(std::erase_if(box.triangles, [&](const Triangle& t) { return is_at(t, top); }), 2U);
    EXPECT_FALSE(ConvexPolyhedron::from_mesh(box)) << "no lid";
}

} // namespace
} // namespace stickslip::convex_polyhedron_test
