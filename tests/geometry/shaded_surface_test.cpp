#include "stickslip/geometry/mesh/shaded_surface.h"

#include "stickslip/geometry/mesh/surface_shapes.h"

#include <gtest/gtest.h>

namespace stickslip::shaded_surface_test {
namespace {

TEST(ShadedSurface, SplitsABoxIntoItsFaces)
{
    const TriMesh box = triangulate(Box{Vec3(1, 2, 3)}, 1);
    const ShadedSurface surface(box.vertices, box.triangles);
    EXPECT_EQ(surface.point_of().size(), 24u);
    EXPECT_TRUE(surface.is_flat(box.vertices));
    const std::vector<Vec3> normals = surface.normals(box.vertices);
    for (const Vec3& n : normals)
        EXPECT_NEAR(n.cwiseAbs().maxCoeff(), 1, 1e-14);
}

TEST(ShadedSurface, KeepsTheVerticesOfABallWhole)
{
    TriMesh ball = triangulate(Sphere{2}, 0.5);
    const ShadedSurface surface(ball.vertices, ball.triangles);
    ASSERT_EQ(surface.point_of().size(), ball.vertices.size());
    EXPECT_FALSE(surface.is_flat(ball.vertices));
    const std::vector<Vec3> normals = surface.normals(ball.vertices);
    for (std::size_t i = 0; i < normals.size(); ++i)
        EXPECT_GT(normals[i].dot(ball.vertices[surface.point_of()[i]].normalized()), 0.99);
    for (Vec3& x : ball.vertices) // creases stay as they were found
        x.y() *= 0.01;
    EXPECT_EQ(surface.normals(ball.vertices).size(), normals.size());
}

TEST(ShadedSurface, SplitsACylinderAlongItsRims)
{
    const TriMesh cylinder = triangulate(Cylinder{1, 2}, 0.3);
    const ShadedSurface surface(cylinder.vertices, cylinder.triangles);
    std::size_t on_rims = 0;
    for (const Vec3& x : cylinder.vertices)
        on_rims += std::abs(std::abs(x.y()) - 1) < 1e-12 && std::hypot(x.x(), x.z()) > 1 - 1e-12;
    EXPECT_GT(on_rims, 10u);
    EXPECT_EQ(surface.point_of().size(), cylinder.vertices.size() + on_rims);
}

} // namespace
} // namespace stickslip::shaded_surface_test
