#include "stickslip/bodies/motion.h"

#include "stickslip/math/rotation.h"

#include "support/numeric.h"

#include <algorithm>
#include <numbers>

namespace stickslip::motion_test {
namespace {

Frame some_frame()
{
    Random random(1);
    return {random.vector(), random.rotation()};
}

Quat turned(double angle, const Vec3& axis)
{
    return Quat(Eigen::AngleAxisd(angle, axis));
}

ScriptedMotion three_keys()
{
    ScriptedMotion motion;
    motion.keyframes = {{1, Vec3(1, 0, 0), turned(0, Vec3::UnitZ())}, {3, Vec3(3, 4, 0), turned(1.2, Vec3::UnitZ())},
        {4, Vec3(3, 4, 8), turned(1.2, Vec3::UnitZ()) * turned(0.5, Vec3::UnitX())}};
    return motion;
}

TEST(FrameAt, StandsStillWithoutMotion)
{
    const Frame start = some_frame();
    for (const double t : {0.0, 1.0, 1e6}) {
        const Frame f = frame_at({}, start, t);
        EXPECT_EQ(f.x, start.x);
        EXPECT_EQ(f.R, start.R);
    }
    EXPECT_TRUE(ScriptedMotion{}.is_still());
    EXPECT_FALSE(three_keys().is_still());
    EXPECT_FALSE((ScriptedMotion{.angular_velocity = Vec3(0, 1, 0)}).is_still());
}

TEST(FrameAt, MovesAndTurnsSteadilyAboutItsOwnOrigin)
{
    const Frame start = some_frame();
    const ScriptedMotion motion{.velocity = Vec3(1, -2, 0.5), .angular_velocity = Vec3(0.3, 2, -1)};
    for (const double t : {0.0, 0.01, 1.0, 50.0}) {
        const Frame f = frame_at(motion, start, t);
        EXPECT_CLOSE_ALL(f.x, start.x + t * motion.velocity, 1e-13);
        EXPECT_CLOSE_ALL(f.R, rotation_exp(t * motion.angular_velocity) * start.R, 1e-13);
    }
    // the angular velocity is fixed in the world: dR/dt = [w]x R
    using Time = Eigen::Matrix<double, 1, 1>;
    const auto R = [&](const Time& t) { return frame_at(motion, start, t[0]).R; };
    EXPECT_CLOSE_ALL(difference(R, Time(0.7), 1e-3),
        (skew(motion.angular_velocity) * frame_at(motion, start, 0.7).R).reshaped(), 1e-10);
}

TEST(FrameAt, RestsBeforeTheFirstAndAfterTheLastKeyframe)
{
    const ScriptedMotion motion = three_keys();
    for (const double t : {-5.0, 0.0, 1 - 1e-12, 1.0}) {
        EXPECT_CLOSE_ALL(frame_at(motion, some_frame(), t).x, Vec3(1, 0, 0), 1e-15);
        EXPECT_CLOSE_ALL(frame_at(motion, some_frame(), t).R, Mat3::Identity(), 1e-15);
    }
    for (const double t : {4.0, 4 + 1e-12, 1e9}) {
        EXPECT_EQ(frame_at(motion, some_frame(), t).x, Vec3(3, 4, 8));
        EXPECT_CLOSE_ALL(frame_at(motion, some_frame(), t).R, motion.keyframes[2].R.toRotationMatrix(), 1e-15);
    }
}

TEST(FrameAt, GoesStraightAndByTheShortestArcBetweenKeyframes)
{
    const ScriptedMotion motion = three_keys();
    EXPECT_CLOSE_ALL(frame_at(motion, {}, 1.5).x, Vec3(1.5, 1, 0), 1e-15);
    EXPECT_CLOSE_ALL(frame_at(motion, {}, 1.5).R, turned(0.3, Vec3::UnitZ()).toRotationMatrix(), 1e-15);
    EXPECT_CLOSE_ALL(frame_at(motion, {}, 3).x, Vec3(3, 4, 0), 1e-15);
    EXPECT_CLOSE_ALL(frame_at(motion, {}, 3).R, turned(1.2, Vec3::UnitZ()).toRotationMatrix(), 1e-15);
    EXPECT_CLOSE_ALL(frame_at(motion, {}, 3.5).R,
        (turned(1.2, Vec3::UnitZ()) * turned(0.25, Vec3::UnitX())).toRotationMatrix(), 1e-15);
}

TEST(FrameAt, IsContinuousAtEveryKeyframe)
{
    const ScriptedMotion motion = three_keys();
    for (const double t : {1.0, 3.0, 4.0}) {
        const Frame before = frame_at(motion, {}, t - 1e-9), at = frame_at(motion, {}, t),
                    after = frame_at(motion, {}, t + 1e-9);
        EXPECT_CLOSE_ALL(before.x, at.x, 2e-8);
        EXPECT_CLOSE_ALL(after.x, at.x, 2e-8);
        EXPECT_CLOSE_ALL(before.R, at.R, 2e-9);
        EXPECT_CLOSE_ALL(after.R, at.R, 2e-9);
    }
}

TEST(FrameAt, TakesTheShorterWayWhenQuaternionsHaveOppositeSigns)
{
    ScriptedMotion motion;
    const Quat end = turned(0.8, Vec3::UnitY());
    motion.keyframes = {
        {0, Vec3::Zero(), Quat::Identity()}, {1, Vec3::Zero(), Quat(-end.w(), -end.x(), -end.y(), -end.z())}};
    EXPECT_CLOSE_ALL(frame_at(motion, {}, 0.5).R, turned(0.4, Vec3::UnitY()).toRotationMatrix(), 1e-15);
}

TEST(FrameAt, HoldsASingleKeyframeForEver)
{
    ScriptedMotion motion;
    motion.keyframes = {{2, Vec3(1, 2, 3), turned(1, Vec3::UnitX())}};
    for (const double t : {0.0, 2.0, 9.0})
        EXPECT_EQ(frame_at(motion, some_frame(), t).x, Vec3(1, 2, 3));
}

ScriptedMotion smooth_keys()
{
    ScriptedMotion motion = three_keys();
    motion.keyframes.push_back({6, Vec3(-1, 5, 7), turned(2, Vec3(1, 2, -1).normalized())});
    motion.keyframes.push_back({6.5, Vec3(-1, 6, 9), turned(-0.4, Vec3::UnitY())});
    motion.smooth = true;
    return motion;
}

/// One of every kind, and sums of them.
std::vector<ScriptedMotion> every_kind()
{
    const std::vector<Oscillation> sines = {
        {.amplitude = Vec3(0.3, -0.1, 0.2), .turn = Vec3(0.4, 0.2, -0.5), .frequency = 0.7, .phase = 0.4},
        {.amplitude = Vec3(0, 0.2, 0), .turn = Vec3(-0.1, 0.6, 0.3), .frequency = 1.3, .phase = -2}};
    std::vector<ScriptedMotion> all = {
        {}, {.velocity = Vec3(1, -2, 0.5), .angular_velocity = Vec3(0.3, 2, -1)}, three_keys(), smooth_keys()};
    for (std::size_t i = 0; i < 4; ++i) {
        all.push_back(all[i]);
        all.back().oscillations = sines;
    }
    return all;
}

TEST(VelocityAt, IsTheDerivativeOfTheFrameAtAnyTime)
{
    Random random(7);
    using Time = Eigen::Matrix<double, 1, 1>;
    for (const ScriptedMotion& motion : every_kind()) {
        for (int i = 0; i < 60; ++i) {
            const double t = random.uniform(0, 7), step = 1e-3;
            const auto is_near = [&](const auto& key) { return std::abs(key.time - t) < 3 * step; };
            if (std::any_of(motion.keyframes.begin(), motion.keyframes.end(), is_near))
                continue;
            const Frame start = some_frame();
            const FrameVelocity velocity = velocity_at(motion, t);
            const auto x = [&](const Time& at) { return frame_at(motion, start, at[0]).x; };
            const auto R = [&](const Time& at) { return frame_at(motion, start, at[0]).R; };
            EXPECT_CLOSE_ALL(difference(x, Time(t), step), velocity.v, 1e-7);
            EXPECT_CLOSE_ALL(
                difference(R, Time(t), step), (skew(velocity.w) * frame_at(motion, start, t).R).reshaped(), 1e-7);
        }
    }
}

TEST(Oscillation, StartsWhereTheFrameIsPlacedAndComesBackAfterEveryPeriod)
{
    const Frame start = some_frame();
    ScriptedMotion motion;
    for (const double phase : {0.0, 0.5, 1.6, -3.0}) {
        motion.oscillations = {{.amplitude = Vec3(1, 2, 3), .turn = Vec3(0, 0.7, 0), .frequency = 4, .phase = phase}};
        EXPECT_FALSE(motion.is_still());
        for (const double t : {0.0, 0.25, 2.5}) {
            EXPECT_CLOSE_ALL(frame_at(motion, start, t).x, start.x, 1e-13);
            EXPECT_CLOSE_ALL(frame_at(motion, start, t).R, start.R, 1e-13);
        }
        const double s = std::sin(0.2 * std::numbers::pi + phase) - std::sin(phase); // an eighth of 0.2 s later
        EXPECT_CLOSE_ALL(frame_at(motion, start, 0.025).x, start.x + s * Vec3(1, 2, 3), 1e-14);
        EXPECT_CLOSE_ALL(frame_at(motion, start, 0.025).R, rotation_exp(Vec3(0, 0.7 * s, 0)) * start.R, 1e-14);
        EXPECT_CLOSE_ALL(velocity_at(motion, 0.25).v, 8 * std::numbers::pi * std::cos(phase) * Vec3(1, 2, 3), 1e-12);
    }
}

TEST(Oscillation, SwingsTheAxisOfASpin)
{
    ScriptedMotion motion{.angular_velocity = Vec3(0, 0, 3)};
    motion.oscillations = {{.turn = Vec3(std::numbers::pi / 2, 0, 0), .frequency = 1}};
    EXPECT_CLOSE_ALL(velocity_at(motion, 0.25).w, Vec3(0, -3, 0), 1e-14); // the axis points along -y, the swing rests
}

TEST(Oscillation, StaysInItsRange)
{
    Random random(3);
    ScriptedMotion motion = every_kind()[4];
    const Vec3 range = oscillation_range(motion);
    Bounds seen;
    for (int i = 0; i < 5000; ++i)
        seen.add(frame_at(motion, {}, random.uniform(0, 50)).x);
    EXPECT_TRUE(((seen.max - seen.min).array() <= range.array()).all());
    EXPECT_TRUE(((seen.max - seen.min).array() >= 0.9 * range.array()).all());
}

TEST(FarthestTurn, IsWhatTheFrameTurnsAndNotTheAngleBetweenItsEnds)
{
    ScriptedMotion spin{.angular_velocity = Vec3(0, 3, 4)};
    EXPECT_EQ(farthest_turn(spin, 7, 2 * std::numbers::pi / 5), 2 * std::numbers::pi);
    EXPECT_EQ(farthest_turn({.velocity = Vec3(1, 2, 3)}, 0, 5), 0);
    spin.oscillations = {{.turn = Vec3(0.3, 0, 0), .frequency = 2, .phase = 0}};
    EXPECT_NEAR(farthest_turn(spin, 0, 0.125), 0.625 + 0.3, 1e-12) << "no less than it does";
}

TEST(FarthestTurn, OfOscillationsIsThatOfTheWidestSwing)
{
    ScriptedMotion motion{.oscillations = {{.turn = Vec3(0, 0.4, 0), .frequency = 100, .phase = 0}}};
    EXPECT_NEAR(farthest_turn(motion, 0, 0.01), 0.4, 1e-9) << "back after a period";
    EXPECT_NEAR(farthest_turn(motion, 0.0025, 0.01), 0.8, 1e-9);
    EXPECT_NEAR(farthest_turn(motion, 0, 1e-4), 0.4 * std::sin(2 * std::numbers::pi * 0.01), 1e-12);
    EXPECT_NEAR(farthest_turn(motion, 0.0025, 100), 0.8, 1e-2) << "of ten thousand periods";
}

TEST(FarthestTurn, OfKeyframesAddsUp)
{
    ScriptedMotion motion = three_keys();
    for (const bool smooth : {false, true}) {
        motion.smooth = smooth;
        EXPECT_NEAR(farthest_turn(motion, 0, 3), 1.2, 1e-12);
        EXPECT_NEAR(farthest_turn(motion, 0, 1), 0, 1e-12);
        EXPECT_NEAR(farthest_turn(motion, 2, 0), 0, 1e-12);
        EXPECT_NEAR(farthest_turn(motion, 2, 9), std::hypot(0.6, 0.5), smooth ? 0.2 : 1e-12);
        EXPECT_NEAR(farthest_turn(motion, 4, 9), 0, 1e-12);
    }
    ScriptedMotion round;
    for (int i = 0; i <= 8; ++i)
        round.keyframes.push_back({0.1 * i, Vec3::Zero(), turned(i * std::numbers::pi / 2, Vec3::UnitZ())});
    EXPECT_NEAR(farthest_turn(round, 0, 0.8), 4 * std::numbers::pi, 1e-12) << "twice round";
    ScriptedMotion there_and_back;
    there_and_back.keyframes = {{0, Vec3::Zero(), turned(0, Vec3::UnitX())},
        {1, Vec3::Zero(), turned(2, Vec3::UnitX())}, {2, Vec3::Zero(), turned(0, Vec3::UnitX())}};
    EXPECT_NEAR(farthest_turn(there_and_back, 0, 2), 2, 1e-12);
}

TEST(SmoothKeyframes, ReachEveryKeyAndRestAtTheEnds)
{
    const ScriptedMotion motion = smooth_keys();
    for (const ScriptedMotion::Keyframe& key : motion.keyframes) {
        for (const double t : {key.time, key.time - 1e-12}) {
            EXPECT_CLOSE_ALL(frame_at(motion, some_frame(), t).x, key.x, 1e-11);
            EXPECT_CLOSE_ALL(frame_at(motion, some_frame(), t).R, key.R.toRotationMatrix(), 1e-11);
        }
    }
    for (const double t : {-1.0, 1.0, 1 + 1e-9, 6.5 - 1e-9, 6.5, 9.0}) {
        EXPECT_CLOSE_ALL(velocity_at(motion, t).v, Vec3(Vec3::Zero()), 1e-7);
        EXPECT_CLOSE_ALL(velocity_at(motion, t).w, Vec3(Vec3::Zero()), 1e-7);
    }
}

TEST(SmoothKeyframes, HaveNoJumpInVelocity)
{
    const ScriptedMotion motion = smooth_keys();
    double fastest = 0;
    for (const ScriptedMotion::Keyframe& key : motion.keyframes) {
        const FrameVelocity before = velocity_at(motion, key.time - 1e-10), at = velocity_at(motion, key.time);
        EXPECT_CLOSE_ALL(before.v, at.v, 1e-7);
        EXPECT_CLOSE_ALL(before.w, at.w, 1e-7);
        fastest = std::max(fastest, at.w.norm());
    }
    EXPECT_GT(fastest, 0.1) << "none of the keys is passed while it turns";
}

TEST(SmoothKeyframes, NeverGoBeyondTwoThatFollowOneAnother)
{
    Random random(11);
    ScriptedMotion motion;
    motion.smooth = true;
    const Vec3 axis = random.vector().normalized();
    std::vector<double> angle;
    for (int k = 0; k < 40; ++k) {
        angle.push_back(random.uniform(-1, 1) * std::pow(10, random.uniform(-3, 0)));
        const double time = (k > 0 ? motion.keyframes.back().time : 0) + std::pow(10, random.uniform(-2, 1));
        motion.keyframes.push_back({time, random.vector(), turned(angle.back(), axis)});
    }
    for (int k = 0; k + 1 < 40; ++k) {
        const ScriptedMotion::Keyframe &a = motion.keyframes[k], &b = motion.keyframes[k + 1];
        Bounds box;
        box.add(a.x - Vec3::Constant(1e-12));
        box.add(b.x - Vec3::Constant(1e-12));
        box.add(a.x + Vec3::Constant(1e-12));
        box.add(b.x + Vec3::Constant(1e-12));
        for (int i = 0; i <= 50; ++i) {
            const Frame at = frame_at(motion, {}, a.time + i / 50.0 * (b.time - a.time));
            ASSERT_TRUE(box.contains(at.x)) << k;
            const Eigen::AngleAxisd turn(at.R);
            const double turned_by = turn.angle() * turn.axis().dot(axis);
            ASSERT_LE(turned_by, std::max(angle[k], angle[k + 1]) + 1e-12) << k;
            ASSERT_GE(turned_by, std::min(angle[k], angle[k + 1]) - 1e-12) << k;
        }
    }
}

TEST(SmoothKeyframes, OfAStraightWayAtEqualTimesGoSteadilyBetweenTheirEnds)
{
    ScriptedMotion motion;
    motion.smooth = true;
    for (int k = 0; k < 6; ++k)
        motion.keyframes.push_back({0.5 * k, k * Vec3(1, -2, 0), turned(0.3 * k, Vec3::UnitX())});
    for (const double t : {0.5, 0.8, 1.1, 1.9, 2.0}) {
        EXPECT_CLOSE_ALL(frame_at(motion, {}, t).x, 2 * t * Vec3(1, -2, 0), 1e-14);
        EXPECT_CLOSE_ALL(velocity_at(motion, t).v, 2 * Vec3(1, -2, 0), 1e-13);
        EXPECT_CLOSE_ALL(velocity_at(motion, t).w, Vec3(0.6, 0, 0), 1e-13);
    }
}

} // namespace
} // namespace stickslip::motion_test
