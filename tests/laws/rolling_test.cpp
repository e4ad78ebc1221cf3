#include "laws/rigid_world.h"

#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

#include <functional>

namespace stickslip::laws {
namespace {

constexpr double g = 9.81;

void run_to(TimeStepper& stepper, State& state, double t, const std::function<void(const StepReport&)>& watch = {})
{
    while (state.time < t - 1e-9) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done) << "the solver gave up at t = " << state.time;
        if (watch)
            watch(report);
    }
}

/// From the axis y to the axis z.
const Mat3 lying = rotation_exp(Vec3(M_PI / 2, 0, 0));

struct Roller {
    const char* name;
    std::function<int(RigidWorld&, const Vec3& x, const Mat3& R, const Vec3& v)> add;
    double radius; // outer
    double share; // inertia / (m radius^2) about the axis
};
const double hoop = (0.08 * 0.08 + 0.75 * 0.02 * 0.02) / 0.01;
const std::vector<Roller> rollers = {{"cylinder",
                                         [](RigidWorld& w, const Vec3& x, const Mat3& R, const Vec3& v) {
                                             return w.rimmed(Cylinder{0.1, 0.3}, 500, x, R, v);
                                         },
                                         0.1, 0.5},
    {"disc",
        [](RigidWorld& w, const Vec3& x, const Mat3& R, const Vec3& v) {
            return w.rimmed(Cylinder{0.1, 0.05}, 500, x, R, v);
        },
        0.1, 0.5},
    {"torus",
        [](RigidWorld& w, const Vec3& x, const Mat3& R, const Vec3& v) {
            return w.rimmed(Torus{0.08, 0.02}, 500, x, R, v);
        },
        0.1, hoop}};

TEST(Rolling, ThrownAlongAPlaneEndsWithTheRightSpeedAndKeepsIt)
{
    constexpr double v0 = 2, mu = 0.3;
    for (const Roller& roller : rollers)
        for (const double dt : {1.0 / 60, 1.0 / 240}) {
            SCOPED_TRACE(testing::Message() << roller.name << ", dt " << dt);
            RigidWorld w(dt);
            w.plane(Vec3::UnitY());
            const Vec3 way = Vec3(1, 0, 0);
            roller.add(w, Vec3(0, roller.radius, 0), lying, v0 * way);
            State state = w.start(mu);
            TimeStepper stepper(w.world, w.options());
            double rolls = 0;
            run_to(stepper, state, 1, [&](const StepReport& r) {
                if (r.sliding > 0)
                    rolls = state.time;
            });
            const double end = v0 / (1 + roller.share);
            EXPECT_NEAR(rolls, (v0 - end) / (mu * g), 3 * dt);
            const Vec3 v = state.rigid[0].v, spin = state.rigid[0].w;
            EXPECT_LT((v - end * way).norm(), 1e-4 * v0);
            EXPECT_LT((spin - Vec3::UnitY().cross(v) / roller.radius).norm(), 1e-4 * spin.norm());
            const double x = state.rigid[0].x.x();
            run_to(stepper, state, 4);
            const double metres = state.rigid[0].x.x() - x;
            EXPECT_GT(metres, 3);
            EXPECT_LT((state.rigid[0].v - v).norm() / metres, 1e-4) << "speed lost a metre";
            EXPECT_LT(std::abs(state.rigid[0].x.z()), 1e-6);
        }
}

TEST(Rolling, DownASlopeAcceleratesByTheInertiaAboutTheAxis)
{
    const double angle = 0.3;
    const Vec3 normal(std::sin(angle), std::cos(angle), 0), downhill(std::cos(angle), -std::sin(angle), 0);
    for (const Roller& roller : rollers) {
        SCOPED_TRACE(roller.name);
        RigidWorld w(1.0 / 240);
        w.plane(normal);
        roller.add(w, roller.radius * normal, lying, Vec3::Zero());
        State state = w.start(0.5);
        TimeStepper stepper(w.world, w.options());
        run_to(stepper, state, 0.5);
        const Vec3 v = state.rigid[0].v;
        const double t = state.time;
        run_to(stepper, state, 1.5);
        const double exact = g * std::sin(angle) / (1 + roller.share);
        EXPECT_NEAR((state.rigid[0].v - v).dot(downhill) / (state.time - t), exact, 1e-4 * exact);
    }
}

TEST(Rolling, StandingOrLyingFlatNothingCreeps)
{
    for (const int which : {0, 1, 2}) {
        SCOPED_TRACE(rollers[which].name);
        const double half[] = {0.15, 0.025, 0.02};
        const double angle = 0.2;
        const Vec3 normal(std::sin(angle), std::cos(angle), 0);
        RigidWorld w(1.0 / 60);
        w.plane(normal);
        rollers[which].add(w, half[which] * normal, rotation_exp(Vec3(0, 0, -angle)), Vec3::Zero());
        State state = w.start(0.4);
        TimeStepper stepper(w.world, w.options());
        run_to(stepper, state, 2);
        const RigidState settled = state.rigid[0];
        run_to(stepper, state, 12);
        EXPECT_LT((state.rigid[0].x - settled.x).norm() / 10, 1e-12) << "creep in m/s";
        EXPECT_LT(state.rigid[0].R.angularDistance(settled.R), 1e-11);
        EXPECT_GT((state.rigid[0].R * Vec3::UnitY()).dot(normal), 1 - 1e-6) << "stands";
    }
}

} // namespace
} // namespace stickslip::laws
