#include "stickslip/render/force_arrows.h"

#include <gtest/gtest.h>

namespace stickslip::force_arrows_test {
namespace {

RecordedContact contact(double force)
{
    return {.x = Vec3::Zero(), .normal = Vec3::UnitY(), .force = Vec3(0, force, 0)};
}

/// [m] from the contact to the tip.
double drawn_length(double force, const ArrowScale& scale)
{
    float tip = 0;
    for (const Eigen::Vector3f& x : force_arrows({contact(force)}, scale).positions)
        tip = std::max(tip, x.y());
    return tip;
}

TEST(ForceArrows, AreAsLongAsTheirForces)
{
    const ArrowScale scale = arrow_scale({contact(8)}, 0.5);
    EXPECT_EQ(scale.force, 8);
    EXPECT_NEAR(drawn_length(8, scale), 0.5, 1e-6);
    EXPECT_NEAR(drawn_length(4, scale), 0.25, 1e-6);
    EXPECT_NEAR(drawn_length(1000, scale), 1, 1e-6); // bounded
}

TEST(ForceArrows, TheKeyIsARoundForceWithTheLengthOfItsArrow)
{
    const ArrowScale scale{.force = 8, .length = 0.5};
    for (const auto& [most, round] : {std::pair(0.5, 5.0), {0.124, 1.0}, {0.126, 2.0}, {0.3125, 5.0}, {10.0, 10.0}})
        EXPECT_DOUBLE_EQ(round_force(scale, most), round) << most;
    EXPECT_DOUBLE_EQ(round_force({.force = 8e-3, .length = 0.5}, 0.5), 5e-3);
}

TEST(ForceArrows, TheKeyTellsFromWhichForceArrowsGrowNoLonger)
{
    std::vector<RecordedContact> contacts(99, contact(1));
    EXPECT_EQ(cut_force(arrow_scale(contacts, 0.5)), 0);
    contacts.push_back(contact(1.9));
    EXPECT_EQ(cut_force(arrow_scale(contacts, 0.5)), 0);
    contacts.push_back(contact(7));
    const ArrowScale scale = arrow_scale(contacts, 0.5);
    EXPECT_EQ(cut_force(scale), 2 * scale.force);
    EXPECT_NEAR(drawn_length(cut_force(scale), scale), drawn_length(7, scale), 1e-6);
}

TEST(ForceArrows, AreForcesOnWhatMovesOrOnTheLaterBody)
{
    RecordedScene scene;
    scene.bodies = {{.name = "block", .kind = RecordedKind::rigid}, {.name = "wall", .kind = RecordedKind::obstacle},
        {.name = "ball", .kind = RecordedKind::rigid}};
    const auto sign = [&](int point, int surface) {
        RecordedContact c = contact(1);
        c.point_body = point;
        c.surface_body = surface;
        return on_what_moves({c}, scene).front().force.y();
    };
    EXPECT_EQ(sign(0, 1), 1);
    EXPECT_EQ(sign(1, 0), -1);
    EXPECT_EQ(sign(2, 0), 1);
    EXPECT_EQ(sign(0, 2), -1);
    EXPECT_EQ(sign(2, 2), 1); // two spheres of one body
    EXPECT_EQ(sign(-1, -1), 1);
}

} // namespace
} // namespace stickslip::force_arrows_test
