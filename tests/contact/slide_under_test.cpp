#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/contact/step_start.h"

#include "support/solids.h"

namespace stickslip::slide_under_test {
namespace {

// A table, 2 m x 0.4 m x 1 m, and what comes to its top from beyond its side at +x.
constexpr int top = 3, right = 1; // patches of a box: +y, +x
const LevelSet table = Box{{2, 0.4, 1}};
constexpr double zone = 0.4e-3; // [m] a thousandth of 0.4 m: how far beyond the rim it is felt
const Vec3 edge = Vec3(-1, -1, 0).normalized(); // of a box that comes: its underside and the side that leads

constexpr double indentation = 0.95e-3; // [m]

Vec3 place(double beyond, double depth, double z = 0.1)
{
    return {1 + beyond, 0.2 - depth, z};
}

TEST(SlideUnder, IsByTheTopAtTheRimNotByTheSide)
{
    for (const double depth : {1e-6, 1e-4, 0.9e-3})
        for (const double in : {1e-12, 1e-6, 1e-3, 0.02}) {
            const Vec3 old = place(0.01, depth), now = place(-in, 1.1 * depth, 0.15);
            const auto entry = find_entry(table, old, now, {edge, false, indentation});
            ASSERT_TRUE(entry) << depth << " " << in;
            EXPECT_EQ(entry->patch, top);
            EXPECT_NEAR(entry->X.x(), 1, 1e-12);
            EXPECT_NEAR(entry->X.y(), 0.2, 1e-15);
            EXPECT_NEAR(entry->remaining, in / (0.01 + in), 1e-9);
            ASSERT_TRUE(entry->rim);
            EXPECT_EQ(entry->rim->weight, 1);
        }
}

TEST(SlideUnder, IsLeftToTheSideWhereItIsNotLevelOrLooksElsewhere)
{
    const Vec3 old = place(0.01, 0.8e-3), now = place(-0.01, 0.8e-3);
    const auto patch = [&](const PointSurface& point) {
        const auto entry = find_entry(table, old, now, point);
        return entry ? entry->patch : -1;
    };
    EXPECT_EQ(patch({edge, false, indentation}), top);
    EXPECT_EQ(patch({edge, false, 0.7e-3}), right) << "deeper than it can be sunk";
    EXPECT_EQ(patch({edge, false, 0}), right) << "nothing is sunk";
    EXPECT_EQ(patch({Vec3::Zero(), false, indentation}), right) << "nothing is known of its surface";
    EXPECT_EQ(patch({Vec3(-1, 1, 0).normalized(), false, indentation}), right) << "the upper edge of a table as high";
    EXPECT_EQ(patch({Vec3(-1, 1, 1).normalized(), false, indentation}), right);
    EXPECT_EQ(patch({Vec3(-1, 0, 1).normalized(), false, indentation}), right) << "an upright edge";
    EXPECT_EQ(patch({Vec3(-1, -1, 1).normalized(), false, indentation}), top) << "a lower corner";
    EXPECT_EQ(patch({-Vec3::UnitY(), true, indentation}), top) << "the underside itself";
    EXPECT_EQ(patch({-Vec3::UnitX(), true, indentation}), right) << "the side that leads";
}

// A cube that presses the first of two obstacles is level with that one as deep as its springs hold it, with the other,
// beside it, no deeper than a four-hundredth of it.
TEST(SlideUnder, HasALimitBesideWhatIsPressed)
{
    constexpr double k = 1e6, depth = 1e-3; // [N/m], [m]
    const DeformableSet soft;
    const std::vector<RigidBody> rigids{
        {.name = "cube", .solid = Box{Vec3::Constant(0.05)}, .mass = 1, .inertia = Mat3::Identity()}};
    std::vector<Obstacle> obstacles;
    for (const char* name : {"pressed", "beside"})
        obstacles.push_back({.name = name, .solid = table, .motion = {}});
    ContactLaw law;
    law.stiffness = k;
    law.automatic = {0, 0, 0};
    StepStart start({&soft, &rigids, &obstacles, &law, RelaxationKind::exact_cone});
    Attachment spring{.point_body = 0, .surface_body = 1, .point = 0, .to = OnSolid{top, Vec3::Zero()}};
    spring.energy = 0.5 * k * depth * depth;
    start.begin(0, 0.01, {}, {}, std::vector<RigidState>(1), {spring}, {});
    EXPECT_NEAR(start.level_depth({0, 1}), 2 * depth, 1e-15);
    EXPECT_NEAR(start.level_depth({0, 2}), 0.4 / 400, 1e-15);
    std::swap(spring.point_body, spring.surface_body); // the table's sample presses the cube
    start.begin(0, 0.01, {}, {}, std::vector<RigidState>(1), {spring}, {});
    EXPECT_NEAR(start.level_depth({0, 1}), 2 * depth, 1e-15);
}

TEST(SlideUnder, IsByTheTopFromAsFarAboveIt)
{
    const auto entry = [](double above, double beyond) {
        return find_entry(table, place(0.01, -above), place(-beyond, 1e-4, 0.15), {edge, false, indentation});
    };
    for (const double above : {1e-12, 1e-6, 1e-4, 0.9e-3}) {
        for (const double in : {1e-12, 1e-6, 1e-3, 0.02}) {
            const auto by_the_top = entry(above, in);
            ASSERT_TRUE(by_the_top) << above << " " << in;
            EXPECT_EQ(by_the_top->patch, top);
            EXPECT_NEAR(by_the_top->X.y(), 0.2, 1e-15);
            const double over_rim = in / (0.01 + in), under_face = 1e-4 / (1e-4 + above); // of the step, left
            EXPECT_NEAR(by_the_top->remaining, std::min(over_rim, under_face), 1e-9) << "it is past the last of both";
            EXPECT_NEAR(by_the_top->X.x(), 1 - in + by_the_top->remaining * (0.01 + in), 1e-12);
        }
        EXPECT_FALSE(entry(above, -0.005)) << "it is beyond the rim";
    }
    EXPECT_EQ(entry(0.96e-3, 0.0001)->patch, right) << "it falls past the rim from higher than it can be sunk";
}

// What stands for more than a point passes under the face as long as its centre does, but for its own edges.
TEST(SlideUnder, IsForAMaterialPointUpToHalfItsWidth)
{
    constexpr double half = 4e-3;
    const auto patch = [&](double depth, const Vec3& n) {
        return find_entry(table, place(0.01, depth), place(-0.01, depth), {.n = n, .half_width = half})->patch;
    };
    EXPECT_EQ(patch(0.99 * half, -Vec3::UnitY()), top);
    EXPECT_EQ(patch(0.99 * half, Vec3(-0.2, -1, 0).normalized()), top);
    EXPECT_EQ(patch(1.01 * half, -Vec3::UnitY()), right) << "its centre comes to the side";
    EXPECT_EQ(patch(0.1 * half, edge), right) << "it looks at the side as well";
    EXPECT_EQ(patch(0.1 * half, Vec3::Zero()), right) << "it is no surface";
    EXPECT_EQ(patch(0.1 * half, Vec3::UnitY()), right);
    EXPECT_EQ(entry_reach(table, 0, half), half);
    EXPECT_FALSE(find_entry(
        table, place(0.01, 0.5 * half), place(0.5 * half, 0.5 * half), {.n = -Vec3::UnitY(), .half_width = half}));
}

TEST(SlideUnder, IsNotForWhatIsOnItsWayDownBesideTheRim)
{
    const Vec3 old = place(1e-4, 1e-4), now = place(-1e-4, 2e-4);
    const auto patch = [&](const Vec3& drift) {
        return find_entry(table, old, now, {edge, false, indentation, drift})->patch;
    };
    for (const double speed : {1e-9, 1.0}) {
        EXPECT_EQ(patch(speed * Vec3(-1, 0, 0)), top);
        EXPECT_EQ(patch(speed * Vec3(-1, -0.99, 3)), top);
        EXPECT_EQ(patch(speed * Vec3(-1, 2, 0)), top) << "it comes up";
        EXPECT_EQ(patch(speed * Vec3(-1, -1.01, 0)), right);
        EXPECT_EQ(patch(speed * Vec3(0, -1, 0)), right);
        EXPECT_EQ(patch(speed * Vec3(1, 0, 0)), right) << "it leaves";
    }
    EXPECT_EQ(patch(Vec3::Zero()), top) << "it begins to move";
    // one that falls straight down feels nothing even so
    for (const double beyond : {1e-5, 1e-4, 1e-3})
        EXPECT_FALSE(find_entry(table, place(beyond, 0), place(beyond, 1e-3), {edge, false, indentation}));
}

TEST(SlideUnder, IsFeltFromTheRimsWidthOn)
{
    const PointSurface point{edge, false, indentation};
    const auto weight = [&](double from, double to, double depth) {
        const auto entry = find_entry(table, place(from, depth), place(to, depth), point);
        if (entry) {
            EXPECT_EQ(entry->patch, top);
            EXPECT_CLOSE_ALL(entry->X, place(to, 0), 1e-15) << "beyond the rim it does not rub";
            EXPECT_EQ(entry->remaining, 0);
        }
        return entry ? entry->rim->weight : 0;
    };
    for (const double share : {0.0, 1e-12, 1e-6, 0.3, 0.9}) {
        EXPECT_NEAR(weight(0.01, share * zone, 1e-4), 1 - share, 1e-9);
        EXPECT_NEAR(weight(0.01, share * 0.8e-3, 0.8e-3), 1 - share, 1e-9) << "as wide as it is deep";
        EXPECT_NEAR(weight(0.5 * zone, share * 0.5 * zone, 1e-4), 1 - share, 1e-9) << "began within";
    }
    for (const double beyond : {1 + 1e-9, 1.01, 2.0})
        EXPECT_EQ(weight(0.01, beyond * zone, 1e-4), 0);
    EXPECT_EQ(entry_reach(table, 1e-5), zone);
    EXPECT_EQ(entry_reach(table, indentation), 0.95e-3);
    EXPECT_EQ(entry_reach(table, 1), 0.4) << "no rim is wider than the solid";
    EXPECT_EQ(entry_reach(table, 0), zone) << "what is flush is level";
}

TEST(SlideUnder, DerivativesMatchDifferencesOnBothSidesOfTheRim)
{
    Random random(3);
    const NamedSolid cases[] = {{"table", table}, {"disc", Cylinder{1, 0.4}}};
    for (const auto& [name, solid] : cases)
        for (const double beyond : {-0.02, -1e-3, -1e-5, 1e-5, 0.5 * zone, 0.9 * zone})
            for (int trial = 0; trial < 10; ++trial) {
                const double above = trial % 2; // or level from below
                const Vec3 old = place(0.01, (1 - 2 * above) * random.uniform(1e-4, 3e-4), random.uniform(-0.02, 0.02));
                Vec3 now = place(beyond, random.uniform(1e-4, 3e-4), random.uniform(-0.02, 0.02));
                if (name == "disc") // its rim bends away from x = 1
                    now.x() += std::sqrt(1 - now.z() * now.z()) - 1;
                const auto at = [&](const Vec3& u) { return *find_entry(solid, old, u, {edge, false, indentation}); };
                const EntryPoint entry = at(now);
                ASSERT_GT(entry.rim->weight, 0);
                const double h = 1e-6;
                EXPECT_NEAR_ALL(entry.dX_dU, difference([&](const Vec3& u) { return at(u).X; }, now, h), 1e-7) << name;
                EXPECT_NEAR_ALL(entry.dremaining_dU.transpose(),
                    difference([&](const Vec3& u) { return at(u).remaining; }, now, h), 1e-4)
                    << name;
                EXPECT_NEAR_ALL(entry.rim->dweight_dU.transpose(),
                    difference([&](const Vec3& u) { return at(u).rim->weight; }, now, h), 1e-3)
                    << name;
            }
}

} // namespace
} // namespace stickslip::slide_under_test
