#include "stickslip/bodies/motion.h"

#include "stickslip/math/rotation.h"

#include "support/numeric.h"

namespace stickslip {
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

} // namespace
} // namespace stickslip
