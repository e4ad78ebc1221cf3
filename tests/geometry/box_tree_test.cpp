#include "stickslip/geometry/queries/box_tree.h"

#include "geometry/closed_meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace stickslip::box_tree_test {
namespace {

std::vector<Bounds> random_boxes(RandomPoints& random, int count)
{
    std::vector<Bounds> boxes(count);
    for (Bounds& box : boxes) {
        box.add(random.in_cube(1));
        box.add(box.min + 0.1 * Vec3(random.number(0, 1), random.number(0, 1), random.number(0, 1)));
    }
    return boxes;
}

double squared_to(const Bounds& box, const Vec3& x)
{
    return (x - x.cwiseMax(box.min).cwiseMin(box.max)).squaredNorm();
}

void expect_finds_all(const BoxTree& tree, const std::vector<Bounds>& boxes, RandomPoints& random)
{
    for (int trial = 0; trial < 50; ++trial) {
        Bounds window;
        window.add(random.in_cube(1));
        window.add(random.in_cube(1));
        std::multiset<int> found;
        tree.visit_overlapping(window, [&](int item) { found.insert(item); });
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const auto times = found.count(static_cast<int>(i));
            EXPECT_LE(times, 1u);
            if (boxes[i].overlaps(window)) {
                EXPECT_EQ(times, 1u);
            }
        }
        const Vec3 x = random.in_cube(1.5);
        const auto nearest = tree.nearest(x, [&](int item) { return squared_to(boxes[item], x); });
        double expected = infinity;
        for (const Bounds& box : boxes)
            expected = std::min(expected, squared_to(box, x));
        EXPECT_EQ(nearest.squared, expected);
        EXPECT_EQ(squared_to(boxes[nearest.item], x), expected);
    }
}

TEST(BoxTree, FindsWhatBruteForceFinds)
{
    RandomPoints random(1);
    for (const int count : {1, 2, 4, 5, 9, 64, 1000}) {
        const auto boxes = random_boxes(random, count);
        expect_finds_all(BoxTree(boxes), boxes, random);
    }
}

TEST(BoxTree, StaysRightWhenTheBoxesMove)
{
    RandomPoints random(2);
    BoxTree tree(random_boxes(random, 300));
    const auto moved = random_boxes(random, 300);
    tree.refit(moved);
    expect_finds_all(tree, moved, random);
}

TEST(BoxTree, SplitsManyEqualBoxes)
{
    RandomPoints random(3);
    const std::vector<Bounds> boxes(10000, Bounds{.min = Vec3::Zero(), .max = Vec3::Ones()});
    const BoxTree tree(boxes);
    int found = 0;
    tree.visit_overlapping(boxes[0], [&](int) { ++found; });
    EXPECT_EQ(found, 10000);
}

TEST(BoxTree, LooksAtFewBoxes)
{
    RandomPoints random(4);
    const auto boxes = random_boxes(random, 20000);
    const BoxTree tree(boxes);
    int looked = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 x = random.in_cube(1);
        tree.nearest(x, [&](int item) { return ++looked, squared_to(boxes[item], x); });
    }
    EXPECT_LT(looked, 100 * 200); // of 20000 each
}

TEST(BoxTree, BoundHidesWhatIsNotNearer)
{
    const std::vector<Bounds> boxes(1, Bounds{.min = Vec3::Ones(), .max = 2 * Vec3::Ones()});
    const BoxTree tree(boxes);
    const auto squared = [&](int item) { return squared_to(boxes[item], Vec3::Zero()); };
    EXPECT_EQ(tree.nearest(Vec3::Zero(), squared, 3).item, -1);
    EXPECT_EQ(tree.nearest(Vec3::Zero(), squared, 3.1).item, 0);
}

TEST(BoxTree, EmptyTreeFindsNothing)
{
    const BoxTree tree{std::vector<Bounds>()};
    tree.visit_overlapping({.min = -Vec3::Ones(), .max = Vec3::Ones()}, [](int) { FAIL(); });
    EXPECT_EQ(tree.nearest(Vec3::Zero(), [](int) { return 0.0; }).item, -1);
    EXPECT_GT(tree.bounds().min.x(), tree.bounds().max.x());
}

} // namespace
} // namespace stickslip::box_tree_test
