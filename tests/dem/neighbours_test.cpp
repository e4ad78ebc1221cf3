#include "granular_scenes.h"

#include "stickslip/dem/pairs/neighbours.h"
#include "stickslip/dem/pairs/pair_forces.h"

#include <set>

namespace stickslip::neighbours_test {
namespace {

using Pairs = std::set<std::pair<int, int>>;

std::vector<SpherePlace> places(const std::vector<Grain>& grains)
{
    std::vector<SpherePlace> all;
    for (const Grain& g : grains)
        all.push_back({g.x, g.radius});
    return all;
}

Pairs listed(const NeighbourList& list)
{
    Pairs pairs;
    for (int i = 0; i + 1 < static_cast<int>(list.first.size()); ++i) {
        for (int k = list.first[i]; k < list.first[i + 1]; ++k)
            EXPECT_TRUE(pairs.insert(std::minmax(i, list.other[k])).second) << "twice";
    }
    return pairs;
}

Pairs brute_force(const std::vector<SpherePlace>& s, const PeriodicBox& box, double margin)
{
    Pairs pairs;
    for (int i = 0; i < static_cast<int>(s.size()); ++i) {
        for (int j = i + 1; j < static_cast<int>(s.size()); ++j) {
            Vec3 d = s[j].x - s[i].x;
            for (int a = 0; a < 3; ++a) {
                if (std::isfinite(box.size[a]))
                    d[a] = std::remainder(d[a], box.size[a]);
            }
            if (d.norm() < s[i].radius + s[j].radius + margin)
                pairs.insert({i, j});
        }
    }
    return pairs;
}

TEST(FindNeighbours, EqualsBruteForce)
{
    for (const double ratio : {1.0, 3.0, 10.0}) {
        for (const int count : {1, 2, 30, 1500}) {
            const double side = 0.02 * std::cbrt(count) * std::sqrt(ratio);
            const std::vector<SpherePlace> s = places(random_grains(count, 0.005, ratio, side, 11));
            for (const double margin : {0.0, 0.001, 0.01})
                EXPECT_EQ(listed(find_neighbours(s, {}, margin)), brute_force(s, {}, margin));
        }
    }
}

TEST(FindNeighbours, EqualsBruteForceInPeriodicBoxes)
{
    for (const Vec3& size : {Vec3(0.3, 0.3, 0.3), Vec3(0.25, infinity, infinity), Vec3(infinity, 0.24, 0.9)}) {
        const PeriodicBox box{.corner = Vec3(-0.1, 0.05, 0), .size = size};
        std::vector<SpherePlace> s = places(random_grains(800, 0.005, 8, 0.3, 12));
        for (SpherePlace& sphere : s)
            sphere.x = box.wrapped(sphere.x);
        EXPECT_EQ(listed(find_neighbours(s, box, 0.002)), brute_force(s, box, 0.002));
    }
}

TEST(FindNeighbours, CopesWithAStrayFarAway)
{
    std::vector<SpherePlace> s = places(random_grains(500, 0.005, 4, 0.1, 13));
    s[7].x = Vec3(1e7, -3e9, 5);
    s[9].x = s[7].x + Vec3(0.001, 0, 0);
    EXPECT_EQ(listed(find_neighbours(s, {}, 0.001)), brute_force(s, {}, 0.001));
}

// No sphere has a size between the two; on a line the box around them has no width.
TEST(FindNeighbours, CopesWithSizesThatAreMissing)
{
    for (const double ratio : {2.5, 4.2, 10.0, 1000.0})
        for (const Vec3& along : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 1), Vec3(1, 1, 1)}) {
            const std::vector<SpherePlace> s = {{Vec3::Zero(), 0.12}, {0.1 * along, 0.12 / ratio}, {along, 0.12}};
            for (const double margin : {0.0, 0.01})
                EXPECT_EQ(listed(find_neighbours(s, {}, margin)), brute_force(s, {}, margin)) << ratio;
        }
}

TEST(NeighbourList, StaysCompleteWhileSpheresMove)
{
    const double side = 7 * 2.05 * 0.01;
    GranularWorld world = tumbling_box(NormalLaw::linear, side);
    SphereSystem system(world, lattice_grains(7, 0.01, 14, 3));
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(system.step(7));
        const Pairs touching = brute_force(system.state().spheres.place, {}, 0);
        const Pairs known = listed(system.state().list);
        for (const auto& pair : touching)
            ASSERT_TRUE(known.count(pair)) << "step " << 7 * i;
        std::size_t counted = 0;
        for (const std::uint8_t flag : system.state().pairs.touching)
            counted += flag;
        ASSERT_EQ(counted, touching.size());
    }
    EXPECT_GT(system.state().rebuilds, 20); // and were reordered meanwhile
}

TEST(ForceBlocks, GiveEverySphereItsShareOnce)
{
    const std::vector<SpherePlace> s = places(random_grains(3000, 0.005, 3, 0.3, 15));
    const NeighbourList list = find_neighbours(s, {}, 0.003);
    ForceBlocks blocks = make_force_blocks(list, s.size());
    std::vector<int> expected(s.size(), 0);
    for (int i = 0; i < 3000; ++i) {
        for (int k = list.first[i]; k < list.first[i + 1]; ++k) {
            ++expected[list.other[k]];
            blocks.sums[blocks.target[k]].force[0] += 1;
        }
    }
    for (std::size_t i = 0; i < s.size(); ++i)
        ASSERT_EQ(blocks.total(i).force[0], expected[i]);
}

} // namespace
} // namespace stickslip::neighbours_test
