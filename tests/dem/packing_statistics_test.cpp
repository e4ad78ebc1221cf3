#include "body_scenes.h"

#include "stickslip/dem/packing/packing_statistics.h"

namespace stickslip::packing_statistics_test {
namespace {

constexpr double R = 0.01, pi = std::numbers::pi;

GranularWorld at_rest()
{
    GranularWorld world = one_material({.density = 1000, .stiffness = 1e3});
    world.dt = 1e-6;
    return world;
}

TEST(PackingStatistics, OfACubicLatticeInAPeriodicBox)
{
    constexpr int n = 4;
    const double s = 2 * R * (1 - 1e-6);
    GranularWorld world = at_rest();
    world.box = {.corner = Vec3::Constant(-0.3 * s), .size = Vec3::Constant(n * s)};
    std::vector<Grain> grains;
    for (int i = 0; i < n * n * n; ++i)
        grains.push_back({.x = s * Vec3(i % n, i / n % n, i / n / n), .radius = R});
    SphereSystem system(world, grains);
    system.step();
    const std::vector<GranularContact> contacts = list_contacts(system);
    const PackingStatistics all = packing_statistics(system, contacts);
    EXPECT_EQ(all.spheres, n * n * n);
    EXPECT_EQ(all.coordination, 6);
    EXPECT_EQ(all.mechanical_coordination, 6);
    EXPECT_EQ(all.rattlers, 0);
    EXPECT_EQ(all.by_contacts, (std::vector<int>{0, 0, 0, 0, 0, 0, n * n * n}));
    const double fraction = 4 * pi / 3 * std::pow(R / s, 3);
    EXPECT_NEAR(all.solid_fraction, fraction, 1e-8);
    // any box of whole cells, wherever it begins, also across the sides of space
    const Vec3 from(0.123 * s, -0.29 * s, 1.7 * s);
    EXPECT_NEAR(
        packing_statistics(system, contacts, Bounds{from, from + s * Vec3(2, 3, 1)}).solid_fraction, fraction, 1e-8);
    // between the centres of eight spheres: an octant of each
    const PackingStatistics cell = packing_statistics(system, contacts, Bounds{Vec3::Zero(), Vec3::Constant(0.9 * s)});
    EXPECT_EQ(cell.spheres, 1);
    EXPECT_EQ(cell.coordination, 6);
}

TEST(PackingStatistics, StressIsForceByTheAreaOfACell)
{
    constexpr int n = 4;
    const Vec3 s = 2 * R * Vec3(1 - 1e-3, 1 - 2e-3, 1 + 1e-3); // pressed along x and y, apart along z
    GranularWorld world = at_rest();
    world.box = {.corner = -0.3 * s, .size = n * s};
    std::vector<Grain> grains;
    for (int i = 0; i < n * n * n; ++i)
        grains.push_back({.x = s.cwiseProduct(Vec3(i % n, i / n % n, i / n / n)), .radius = R, .v = Vec3(0, 0, 0.5)});
    SphereSystem system(world, grains);
    system.step();
    const std::vector<GranularContact> contacts = list_contacts(system);
    Vec3 force = Vec3::Zero(); // of a contact along each axis
    for (const GranularContact& c : contacts)
        force = force.cwiseMax(c.force.cwiseAbs());
    ASSERT_GT(force.x(), 0);
    const Bounds cells{s.cwiseProduct(Vec3(0.5, 0.5, 0.5)), s.cwiseProduct(Vec3(2.5, 1.5, 2.5))}; // four of them
    for (const PackingStatistics& found :
        {packing_statistics(system, contacts), packing_statistics(system, contacts, cells)}) {
        const Mat3 expected = Vec3(-force.x() / (s.y() * s.z()), -force.y() / (s.x() * s.z()), 0).asDiagonal();
        EXPECT_LT((found.stress - expected).norm(), 1e-9 * expected.norm());
        EXPECT_LT((found.fabric - Mat3(Vec3(0.5, 0.5, 0).asDiagonal())).norm(), 1e-12);
        EXPECT_NEAR(found.velocity.z(), 0.5, 1e-4);
    }
    const PackingStatistics none = packing_statistics(system, {}, cells);
    EXPECT_EQ(none.stress, Mat3::Zero());
    EXPECT_TRUE(std::isnan(none.fabric(0, 0)));
}

TEST(PackingStatistics, LeavesOutContactsOfSolidsAmongThemselves)
{
    // a box on the floor, one ball beside it: the corners' contacts are nobody's
    GranularWorld world = at_rest();
    world.walls = {flat_wall(Vec3::UnitZ())};
    add_box(world, Vec3(0.1, 0.1, 0.1), 1000, {.x = Vec3(0, 0, 0.05 - 1e-5)});
    SphereSystem system(world, {{.x = Vec3(1, 0, 0.999 * R), .radius = R}});
    system.step();
    const std::vector<GranularContact> contacts = list_contacts(system);
    ASSERT_EQ(contacts.size(), 5u);
    const PackingStatistics s = packing_statistics(system, contacts);
    EXPECT_EQ(s.by_contacts, (std::vector<int>{0, 1}));
    EXPECT_EQ(s.coordination, 1);
}

TEST(PackingStatistics, TellsWhoRattles)
{
    // a row of three in the air, one on the floor, one alone
    const double s = 2 * R * (1 - 1e-3);
    GranularWorld world = at_rest();
    world.walls = {flat_wall(Vec3::UnitZ())};
    SphereSystem system(world,
        {{.x = Vec3(-s, 0, 3 * R), .radius = R}, {.x = Vec3(0, 0, 3 * R), .radius = R},
            {.x = Vec3(s, 0, 3 * R), .radius = R}, {.x = Vec3(0, 0, 0.999 * R), .radius = R},
            {.x = Vec3(0, 0, 0.5), .radius = R}});
    system.step();
    const PackingStatistics s0 = packing_statistics(system, list_contacts(system));
    EXPECT_EQ(s0.by_contacts, (std::vector<int>{1, 3, 1}));
    EXPECT_EQ(s0.rattlers, 4);
    EXPECT_EQ(s0.coordination, 1);
    EXPECT_EQ(s0.mechanical_coordination, 2);
    EXPECT_TRUE(std::isnan(s0.solid_fraction)); // of all space
    const PackingStatistics none = packing_statistics(system, {}, Bounds{Vec3(5, 5, 5), Vec3(6, 6, 6)});
    EXPECT_EQ(none.spheres, 0);
    EXPECT_EQ(none.solid_fraction, 0);
    EXPECT_TRUE(std::isnan(none.coordination));
}

TEST(SizeStatistics, SharesAreOfTheMass)
{
    std::vector<Grain> grains;
    for (int i = 0; i < 64; ++i) // as heavy together as the one of four times the radius
        grains.push_back({.x = Vec3(i, 0, 0), .radius = R});
    grains.push_back({.x = Vec3(0, 1, 0), .radius = 4 * R});
    const SizeStatistics s = size_statistics(SphereSystem(at_rest(), grains).state().spheres);
    EXPECT_EQ(s.smallest, R);
    EXPECT_EQ(s.largest, 4 * R);
    EXPECT_NEAR(s.mean, R * 68 / 65, 1e-15);
    EXPECT_EQ(s.by_mass[0], R);
    EXPECT_EQ(s.by_mass[2], 4 * R);
}

} // namespace
} // namespace stickslip::packing_statistics_test
