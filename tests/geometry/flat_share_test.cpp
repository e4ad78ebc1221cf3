#include "stickslip/geometry/mesh/flat_share.h"

#include "stickslip/geometry/mesh/surface_shapes.h"

#include <gtest/gtest.h>

namespace stickslip::flat_share_test {
namespace {

TEST(FlatShare, OfABoxIsThatOfItsLargestFaceHoweverItIsMeshed)
{
    for (const double edge : {1.0, 0.1, 0.03})
        EXPECT_NEAR(flat_share(triangulate(Box{Vec3(0.4, 0.2, 0.1)}, edge)), 0.08 / 0.28, 1e-12) << edge;
}

TEST(FlatShare, OfACylinderIsThatOfAnEnd)
{
    EXPECT_NEAR(flat_share(triangulate(Cylinder{0.1, 0.1}, 0.01)), 0.25, 2e-3); // pi r^2 of 2 pi r (r + h)
}

TEST(FlatShare, OfWhatIsRoundIsAFacetOrTwo)
{
    EXPECT_LT(flat_share(triangulate(Sphere{0.1}, 0.02)), 0.02);
    EXPECT_LT(flat_share(triangulate(Torus{0.1, 0.03}, 0.02)), 0.02);
}

} // namespace
} // namespace stickslip::flat_share_test
