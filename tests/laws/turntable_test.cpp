#include "laws/cube_on.h"
#include "laws/rigid_world.h"

#include <tuple>

namespace stickslip::laws::turntable_test {
namespace {

constexpr double mu = 0.4, r = 0.5; // r [m]: of the block's centre when it is put down

/// A turntable about the y axis at which mu g is `ratio` times too little for what it carries at r once it turns at its
/// full speed.
double full_speed(double ratio)
{
    return std::sqrt(ratio * mu * g / r);
}

/// At rest for 0.3 s, then 1.5 s up to its full speed: smoothly, one keyframe a step, so that nothing slips for another
/// reason.
ScriptedMotion spin_up(double ratio, double dt, double end)
{
    ScriptedMotion motion;
    double angle = 0;
    for (int n = 0; n * dt <= end + dt; ++n) {
        motion.keyframes.push_back({n * dt, Vec3::Zero(), Quat(Eigen::AngleAxisd(angle, Vec3::UnitY()))});
        const double s = std::clamp(((n + 0.5) * dt - 0.3) / 1.5, 0.0, 1.0);
        angle += dt * full_speed(ratio) * s * s * (3 - 2 * s);
    }
    return motion;
}

Obstacle table(const ScriptedMotion& motion)
{
    return {.name = "table", .solid = Plane{}, .start = {}, .motion = motion};
}

double radius(const Vec3& place)
{
    return std::hypot(place.x(), place.z());
}

TEST(Turntable, HoldsABlockThatIsPutOnItTurning)
{
    // the weight comes on at once and the block swings: nothing is asked of it but that it comes to rest
    for (const double ratio : {0.5, 0.9, 0.97}) {
        Obstacle still = table({});
        const Vec3 omega(0, full_speed(ratio), 0);
        still.motion.angular_velocity = omega;
        CubeOn run(still, Vec3(r, 0, 0), mu, 1.0 / 240);
        for (std::size_t i = 0; i < run.state.v.size(); ++i)
            run.state.v[i] = omega.cross(run.state.x[i]);
        run.run_to(3);
        EXPECT_NEAR(radius(run.place()), r, 2e-3) << "ratio " << ratio;
        EXPECT_EQ(run.run_to(6), 0) << "slides round after round, ratio " << ratio;
    }
}

// (steps a second, ratio)
class SoftOnTurntable : public testing::TestWithParam<std::tuple<int, double>> { };

TEST_P(SoftOnTurntable, SlipsExactlyWhenFrictionIsTooSmall)
{
    const auto [rate, ratio] = GetParam();
    const double dt = 1.0 / rate;
    CubeOn run(table(spin_up(ratio, dt, 6)), Vec3(r, 0, 0), mu, dt);
    run.run_to(3);
    const double settled = radius(run.place());
    const double slip = run.run_to(6);
    if (ratio < 1) {
        // It has moved outward by up to 0.3 mm, as it leans and as one node after the other reaches its limit: what
        // counts is where it is now.
        EXPECT_LT(ratio * settled / r, 1);
        EXPECT_GT(ratio * settled / r, ratio);
        EXPECT_LT(settled, r + 3.2e-4);
        EXPECT_LT(slip, 1e-9 * dt) << "a node on its cone still follows the last waves of the cube";
    } else {
        EXPECT_GT(radius(run.place()), 2 * r);
    }
}

INSTANTIATE_TEST_SUITE_P(AThousandthBelowAndHalfAThousandthAbove, SoftOnTurntable,
    testing::Combine(testing::Values(60, 240), testing::Values(0.9, 0.99, 0.999, 1.0005, 1.01)));

class RigidOnTurntable : public testing::TestWithParam<std::tuple<int, double>> { };

TEST_P(RigidOnTurntable, SlipsExactlyWhenFrictionIsTooSmall)
{
    const auto [rate, ratio] = GetParam();
    const double dt = 1.0 / rate;
    RigidWorld w(dt);
    w.plane(Vec3::UnitY());
    w.world.obstacles[0].motion = spin_up(ratio, dt, 6);
    w.box(Vec3::Constant(0.1), 1000, Vec3(r, 0.05, 0));
    State state = w.start(mu);
    TimeStepper stepper(w.world, w.options());
    double slip = 0;
    while (state.time < 6 - 1e-9) {
        ASSERT_TRUE(stepper.step(state).done);
        if (state.time > 3)
            stepper.system().contacts().for_each_contact(
                [&](const Contact& c) { slip = std::max(slip, c.at.slip.norm()); });
    }
    if (ratio < 1) {
        EXPECT_LT(ratio * radius(state.rigid[0].x) / r, 1);
        EXPECT_EQ(slip, 0);
    } else {
        EXPECT_GT(radius(state.rigid[0].x), 2 * r);
    }
}

INSTANTIATE_TEST_SUITE_P(TwoTenThousandthsBelowAndAbove, RigidOnTurntable,
    testing::Combine(testing::Values(60, 240), testing::Values(0.9, 0.9998, 1.0002, 1.01)));

} // namespace
} // namespace stickslip::laws::turntable_test
