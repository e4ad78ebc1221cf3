#include "stickslip/world/reach.h"

#include "laws/rigid_world.h"

#include <gtest/gtest.h>

namespace stickslip::reach_test {
namespace {

constexpr double step = 0.01; // [s]

/// A row of balls, and what is said of which can meet.
struct Balls : RigidWorld {
    explicit Balls(const Vec3& gravity = Vec3(0, -9.81, 0))
        : RigidWorld(step, gravity)
    {
    }
    int add(const Vec3& x, const Vec3& v = Vec3::Zero()) { return ball(0.1, 700, x, v); }
    Reach reach() const { return Reach(world, rigid, 0, step); }
};

TEST(Reach, WhatFallsSideBySideNeverMeets)
{
    Balls w;
    w.add(Vec3(0, 0, 0));
    w.add(Vec3(5, 50, 0));
    EXPECT_FALSE(w.reach().may_meet(0, 1));
    EXPECT_NE(w.reach().groups()[0], w.reach().groups()[1]);
    w.add(Vec3(0, 3, 0)); // in the way of the first, which may then go anywhere
    EXPECT_TRUE(w.reach().may_meet(0, 2));
    EXPECT_EQ(w.reach().groups(), std::vector<int>({0, 0, 0}));
}

TEST(Reach, AThrowIsFollowedUpAndDown)
{
    Balls up;
    up.add(Vec3(0, 0, 0), Vec3(0, 10, 0)); // to 5.1 m
    up.add(Vec3(0, 5.15, 0)), up.hold();
    EXPECT_TRUE(up.reach().may_meet(0, 1));
    Balls below;
    below.add(Vec3(0, 0, 0), Vec3(0, 10, 0));
    below.add(Vec3(0, 5.6, 0)), below.hold();
    EXPECT_FALSE(below.reach().may_meet(0, 1));
}

TEST(Reach, WhatHasMetSomethingReachesEverywhereItsFreedomLets)
{
    Balls w;
    w.plane(Vec3::UnitX()); // which the first touches
    w.add(Vec3(0, 0, 0));
    w.add(Vec3(5, 50, 0));
    w.world.obstacles[0].solid = Box{Vec3(1, 1, 1)};
    EXPECT_TRUE(w.reach().may_meet(0, 1)) << "it may jump that far";
    w.world.rigids[0].fixed[0] = true;
    EXPECT_FALSE(w.reach().may_meet(0, 1)) << "it moves in the plane x = 0";
    EXPECT_TRUE(w.reach().may_meet(0, 2));
    EXPECT_FALSE(w.reach().may_meet(1, 2));
}

TEST(Reach, AScriptIsFollowed)
{
    Balls w(Vec3::Zero());
    w.add(Vec3(5, 0, 0));
    w.plane(Vec3::UnitX());
    Obstacle& obstacle = w.world.obstacles[0];
    obstacle.solid = Sphere{0.1};
    EXPECT_FALSE(w.reach().may_meet(0, 1));
    obstacle.motion.velocity = Vec3(0.01, 0, 0);
    EXPECT_TRUE(w.reach().may_meet(0, 1));
    obstacle.motion.velocity = Vec3(-0.01, 0, 0);
    EXPECT_FALSE(w.reach().may_meet(0, 1));
    obstacle.motion = {};
    obstacle.motion.keyframes = {{0, Vec3::Zero(), Quat::Identity()}, {1, Vec3(10, 0, 0), Quat::Identity()}};
    EXPECT_TRUE(w.reach().may_meet(0, 1));
}

TEST(Reach, AnOscillationIsFollowed)
{
    Balls w(Vec3::Zero());
    w.add(Vec3(5, 0, 0));
    w.plane(Vec3::UnitX());
    Obstacle& obstacle = w.world.obstacles[0];
    obstacle.solid = Sphere{0.1};
    obstacle.motion.oscillations = {{.amplitude = Vec3(1, 0, 0), .frequency = 2, .phase = -1.5}}; // as far as 2
    EXPECT_FALSE(w.reach().may_meet(0, 1));
    obstacle.motion.oscillations.push_back({.amplitude = Vec3(1.5, 0, 0), .frequency = 3, .phase = -1.5});
    EXPECT_TRUE(w.reach().may_meet(0, 1));
}

TEST(Reach, RulesKeepBodiesApart)
{
    Balls w;
    w.add(Vec3(0, 0, 0));
    w.add(Vec3(0, 3, 0));
    w.world.contact.rules[{0, 1}] = {.friction = {}, .stiffness = {}, .enabled = false};
    EXPECT_FALSE(w.reach().may_meet(0, 1));
    EXPECT_FALSE(Reach::everywhere(w.world).may_meet(0, 1));
    w.world.contact.rules.clear();
    EXPECT_TRUE(Reach::everywhere(w.world).may_meet(0, 1));
}

} // namespace
} // namespace stickslip::reach_test
