#include "stickslip/render/run_extent.h"

#include <gtest/gtest.h>

namespace stickslip::run_aways_test {
namespace {

std::vector<Bounds> row_of_cubes(int count)
{
    std::vector<Bounds> boxes;
    for (int i = 0; i < count; ++i)
        boxes.push_back({Vec3(i, 0, 0), Vec3(i + 1, 1, 1)});
    return boxes;
}

Bounds cube_at(const Vec3& x)
{
    return {x - Vec3::Constant(0.5), x + Vec3::Constant(0.5)};
}

TEST(RunAways, AreFarFromWhereBodiesUsuallyAre)
{
    std::vector<Bounds> boxes = row_of_cubes(9);
    for (const Vec3& x : {Vec3(100, 0, 0), Vec3(0, -50, 0), Vec3(0, 0, 20)})
        boxes.push_back(cube_at(x));
    const std::vector<Bounds> usual = without_run_aways(boxes, 4);
    ASSERT_EQ(usual.size(), 9u);
    for (const Bounds& box : usual)
        EXPECT_LE(box.max.maxCoeff(), 9);
}

TEST(RunAways, AreNoneOfWhatIsBesideTheOthers)
{
    std::vector<Bounds> boxes = row_of_cubes(9);
    boxes.push_back(cube_at(Vec3(4, 2, 0)));
    EXPECT_EQ(without_run_aways(boxes, 4).size(), boxes.size());
}

TEST(RunAways, AreNoneOfAFewBodies)
{
    std::vector<Bounds> boxes = row_of_cubes(3);
    boxes.push_back(cube_at(Vec3(1000, 0, 0)));
    EXPECT_EQ(without_run_aways(boxes, 4).size(), 4u);
    EXPECT_TRUE(without_run_aways({}, 4).empty());
}

} // namespace
} // namespace stickslip::run_aways_test
