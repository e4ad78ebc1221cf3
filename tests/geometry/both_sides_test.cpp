#include "stickslip/geometry/mesh/both_sides.h"

#include "stickslip/geometry/patches/smooth_patches.h"

#include "support/terrain.h"

#include <utility>

namespace stickslip::both_sides_test {
namespace {

TEST(BothSides, LookUpAndDownWhateverTheWindingAndMeetAtNoRim)
{
    Random random(2);
    TriMesh sheet = terrain(6, random, [](double x, double z) { return 0.1 * x * z; });
    for (Triangle& t : sheet.triangles)
        if (random.uniform(0, 1) < 0.5)
            std::swap(t[0], t[1]);
    const TriMesh both = both_sides(EdgeTopology(sheet));
    const std::size_t n = sheet.triangles.size();
    ASSERT_EQ(both.triangles.size(), 2 * n);
    const SmoothPatches patches(both);
    for (std::size_t f = 0; f < n; ++f) {
        EXPECT_EQ(patches.patch[f], 0);
        EXPECT_EQ(patches.patch[n + f], 1);
        const Vec3 front = patches.normals[patches.normal_of[f][0]],
                   back = patches.normals[patches.normal_of[n + f][0]];
        EXPECT_LT((front + back).norm(), 1e-12);
        EXPECT_EQ(front.y() > 0, patches.normals[patches.normal_of[0][0]].y() > 0);
    }
}

TEST(BothSides, LeaveOutWhatHasNoArea)
{
    const TriMesh mesh{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(2, 0, 0)}, {{0, 2, 1}, {0, 1, 3}}};
    EXPECT_EQ(both_sides(EdgeTopology(mesh)).triangles.size(), 2u);
}

} // namespace
} // namespace stickslip::both_sides_test
