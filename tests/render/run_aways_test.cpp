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

/// Cubes beside each other of which the last ones go this far along y.
std::vector<std::vector<Bounds>> cubes_at_two_moments(int count, int going, double far)
{
    std::vector<std::vector<Bounds>> bodies;
    for (int i = 0; i < count; ++i)
        bodies.push_back({cube_at(Vec3(i, 0, 0)), cube_at(Vec3(i, i >= count - going ? far : 0, 0))});
    return bodies;
}

TEST(RunAways, AreFarFromThoseThatStayOfAsFewAsTwo)
{
    for (const int count : {2, 3, 4}) {
        const std::vector<Bounds> stay = boxes_of_staying(cubes_at_two_moments(count, 1, -60), {});
        EXPECT_EQ(stay.size(), static_cast<std::size_t>(2 * count - 2));
        for (const Bounds& box : stay)
            EXPECT_GT(box.min.y(), -1);
    }
    EXPECT_EQ(boxes_of_staying(cubes_at_two_moments(4, 2, 60), {}).size(), 4u);
    EXPECT_EQ(boxes_of_staying(cubes_at_two_moments(2, 1, 6), {}).size(), 4u); // two sizes
}

TEST(RunAways, AreNoneWhereAllGoTogetherOrOverAnObstacle)
{
    EXPECT_EQ(boxes_of_staying(cubes_at_two_moments(3, 3, 60), {}).size(), 6u);
    const Bounds ramp{Vec3(0, 0, 0), Vec3(1, 15, 1)}, earth{Vec3::Constant(-500), Vec3::Constant(500)};
    EXPECT_EQ(boxes_of_staying(cubes_at_two_moments(2, 1, 60), {ramp}).size(), 4u);
    EXPECT_EQ(boxes_of_staying(cubes_at_two_moments(2, 1, 60), {earth}).size(), 2u);
    EXPECT_TRUE(boxes_of_staying({}, {}).empty());
}

} // namespace
} // namespace stickslip::run_aways_test
