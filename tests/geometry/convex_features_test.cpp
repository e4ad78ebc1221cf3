#include "stickslip/geometry/solids/convex_features.h"

#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/rotation.h"
#include "support/numeric.h"

namespace stickslip {
namespace {

const Box box{Vec3(0.4, 0.3, 0.2)};

TEST(ConvexFeatures, OfABoxAreThoseOfABox)
{
    const ConvexFeatures f = *convex_features(box);
    EXPECT_EQ(f.vertices.size(), 8u);
    EXPECT_EQ(f.edges.size(), 12u);
    EXPECT_EQ(f.faces.size(), 6u);
    EXPECT_DOUBLE_EQ(f.thickness, 0.2);
    EXPECT_DOUBLE_EQ(f.radius, 0.5 * Vec3(0.4, 0.3, 0.2).norm());
    for (const ConvexFeatures::Edge& edge : f.edges)
        for (int i = 0; i < 2; ++i) {
            const ConvexFeatures::Face &face = f.faces[edge.faces[i]], &other = f.faces[edge.faces[1 - i]];
            EXPECT_LT((edge.g[i] - other.n).norm(), 1e-15); // at right angles a rim leads out along the other normal
            for (const int v : edge.ends)
                EXPECT_NEAR(face.distance(f.vertices[v]), 0, 1e-15);
            const ConvexFeatures::Rim* rim = face.rim_at(static_cast<int>(&edge - f.edges.data()));
            ASSERT_NE(rim, nullptr);
            EXPECT_EQ(rim->face, edge.faces[1 - i]);
            EXPECT_NEAR(rim->width, 2 * std::abs(rim->offset), 1e-15);
        }
    for (const auto& neighbours : f.neighbours)
        EXPECT_EQ(neighbours.size(), 3u);
    EXPECT_FALSE(convex_features(Sphere{1}).has_value());
}

TEST(ConvexFeatures, OfAPolyhedronObeyEulersFormulaAndItsFacesEndAtTheirCorners)
{
    TriMesh mesh; // an octahedron
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    const ConvexFeatures f = *convex_features(ConvexPolyhedron::from_mesh(mesh));
    EXPECT_EQ(f.vertices.size() - f.edges.size() + f.faces.size(), 2u);
    for (const ConvexFeatures::Face& face : f.faces) {
        Vec3 centre = Vec3::Zero();
        for (const int v : face.corners)
            centre += f.vertices[v] / static_cast<double>(face.corners.size());
        for (const ConvexFeatures::Rim& rim : face.rims) {
            EXPECT_LT(rim.g.dot(centre), rim.offset);
            EXPECT_NEAR(rim.g.dot(face.n), 0, 1e-15);
        }
    }
    EXPECT_NEAR(f.thickness, 2 / std::sqrt(3.0), 1e-15);
}

TEST(ConvexFeatures, OverlapIsTheLeastWayOut)
{
    const ConvexFeatures a = *convex_features(box), b = *convex_features(Box{Vec3::Constant(0.2)});
    const auto at = [](const Vec3& x, const Mat3& R) { return Frame{x, R}; };
    EXPECT_NEAR(overlap(a, b, at({0.29, 0, 0}, Mat3::Identity())), 0.01, 1e-15);
    EXPECT_NEAR(overlap(a, b, at({0.31, 0, 0}, Mat3::Identity())), -0.01, 1e-15);
    // edge on edge: a cube turned by 45 degrees about z, then the crossed one about x, above the box's edge
    const Mat3 R = rotation_exp(Vec3(0, M_PI / 4, 0));
    EXPECT_NEAR(overlap(a, b, at({0.2 + 0.1 * std::sqrt(2.0) - 0.004, 0, 0}, R)), 0.004, 1e-14);
    Random random(4);
    for (int trial = 0; trial < 200; ++trial) { // parted by just what overlaps, along some way, and by no less
        const Mat3 Q = random.rotation();
        const Vec3 x = random.vector(0.25);
        const double depth = overlap(a, b, at(x, Q));
        EXPECT_NEAR(overlap(b, a, at(-(Q.transpose() * x), Q.transpose())), depth, 1e-14);
        if (depth > 0) {
            EXPECT_GT(overlap(a, b, at(x + (0.999 * depth) * random.unit(), Q)), 0);
        }
    }
}

} // namespace
} // namespace stickslip
