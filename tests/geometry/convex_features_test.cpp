#include "stickslip/geometry/solids/convex_features.h"

#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/rotation.h"
#include "support/numeric.h"

namespace stickslip::convex_features_test {
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
    EXPECT_EQ(f.directions.size(), 3u);
    EXPECT_FALSE(convex_features(Sphere{1}).has_value());
    EXPECT_FALSE(convex_features(RoundedBox{Vec3::Ones(), 0.1}).has_value());
    EXPECT_FALSE(convex_features(Plane{Vec3::UnitY()}).has_value());
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

} // namespace
} // namespace stickslip::convex_features_test
