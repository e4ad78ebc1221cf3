#include "laws/rigid_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

namespace stickslip::shaken_plates_test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi, frequency = 4, dt = 0.002;

/// A flat box on a plate that is shaken, both at the plate's mean speed of the first step.
struct Shaken {
    RigidWorld w{dt};
    State state;
    std::unique_ptr<TimeStepper> stepper;

    Shaken(const Vec3& amplitude, double friction, const Vec3& belt = Vec3::Zero())
    {
        w.plane(Vec3::UnitY());
        Obstacle& plate = w.world.obstacles[0];
        plate.motion.oscillations = {{.amplitude = amplitude, .frequency = frequency}};
        plate.surface_velocity = belt;
        w.box(Vec3(0.5, 0.02, 0.5), 1000, Vec3(0, 0.01, 0), Mat3::Identity(), plate_velocity(dt));
        state = w.start(friction);
        stepper = std::make_unique<TimeStepper>(w.world, w.options());
    }
    /// Of the step that ends at t.
    Vec3 plate_velocity(double t) const
    {
        const Obstacle& plate = w.world.obstacles[0];
        return (frame_at(plate.motion, {}, t).x - frame_at(plate.motion, {}, t - dt).x) / dt;
    }
    /// Largest slip of a contact in a step [m], and the number of contacts.
    std::pair<double, int> step()
    {
        EXPECT_TRUE(stepper->step(state).done);
        std::pair<double, int> seen;
        stepper->system().contacts().for_each_contact([&](const Contact& c) {
            seen.first = std::max(seen.first, c.at.slip.norm());
            ++seen.second;
        });
        return seen;
    }
    const RigidState& body() const { return state.rigid[0]; }
};

/// Amplitude [m] at which the plate's greatest acceleration over a step is `a`.
double amplitude_of(double a)
{
    return a / std::pow(2 * std::sin(pi * frequency * dt) / dt, 2);
}

TEST(BlockOnAShakenPlate, SticksExactlyBelowWhatFrictionGivesAndSlidesAbove)
{
    const double mu = 0.3;
    Shaken below(Vec3(amplitude_of(0.9 * mu * g), 0, 0), mu), above(Vec3(amplitude_of(1.1 * mu * g), 0, 0), mu);
    double slid = 0;
    for (int i = 0; i < 500; ++i) {
        EXPECT_EQ(below.step().first, 0) << "in step " << i;
        EXPECT_NEAR(below.body().v[0], below.plate_velocity(below.state.time)[0], 2e-3 * mu * g / (2 * pi * frequency));
        const double before = above.body().v[0];
        slid = std::max(slid, above.step().first);
        EXPECT_LE(std::abs(above.body().v[0] - before), (1 + 1e-6) * mu * g * dt) << "friction gives no more";
    }
    EXPECT_GT(slid, 1e-5);
}

TEST(BlockOnAShakenPlate, LeavesItWhereItFallsFasterThanTheBlock)
{
    Shaken below(Vec3(0, amplitude_of(0.9 * g), 0), 0.3), above(Vec3(0, amplitude_of(1.2 * g), 0), 0.3);
    for (int i = 0; i < 500; ++i)
        EXPECT_EQ(below.step().second, 4) << "in step " << i;
    double left = 0;
    while (left == 0 && above.state.time < 1)
        if (above.step().second == 0)
            left = above.state.time;
    EXPECT_NEAR(left, std::asin(1 / 1.2) / (2 * pi * frequency), 1.5 * dt);
}

TEST(BlockOnAConveyor, ThatIsShakenTooHasBothVelocities)
{
    const double mu = 0.3;
    Shaken run(Vec3(amplitude_of(0.5 * mu * g), 0, 0), mu, Vec3(0.4, 0, -0.1));
    while (run.state.time < 1)
        run.step();
    for (int i = 0; i < 200; ++i) {
        EXPECT_EQ(run.step().first, 0);
        EXPECT_NEAR(run.body().v[0], 0.4 + run.plate_velocity(run.state.time)[0], 2e-4);
        EXPECT_NEAR(run.body().v[2], -0.1, 1e-6);
    }
}

} // namespace
} // namespace stickslip::shaken_plates_test
