#pragma once

#include "laws/incline.h"

#include <gtest/gtest.h>

#include <numbers>

namespace stickslip::laws {

constexpr double quarter = std::numbers::pi / 4;

inline void expect_acceleration_of_a_point_mass(Incline in)
{
    for (const double friction : {0.12, 0.125, 0.10}) {
        in.friction = friction;
        InclineRun run(in);
        run.run_to(1.0); // the springs of contact and cube have come to rest on one another
        const double v1 = run.speed();
        run.run_to(2.0);
        EXPECT_NEAR(run.speed() - v1, in.acceleration(), in.acceleration_error()) << "mu = " << friction;
        EXPECT_EQ(run.failures, 0);
    }
}

/// Backward Euler adds up the speeds at the ends of the steps. Of a cube that slows down with a, that is v0 dt/2 less
/// than the integral; the step in which it stops gives back a dt^2/2 s (1 - s), s its part that passes before: at most
/// a dt^2/8.
inline void expect_stopping_distance(const Incline& in, const InclineRun& run)
{
    const double missing = in.stopping_distance() - run.distance(), a = -in.acceleration();
    const double settling = 1e-7; // [m] the cube comes to rest on its contact while it slides, and leans when it stops
    EXPECT_LT(missing, in.speed * in.dt / 2 + settling);
    EXPECT_GT(missing, in.speed * in.dt / 2 - a * in.dt * in.dt / 8 - settling);
}

inline void expect_to_stop_and_stay(Incline in)
{
    for (const double friction : {0.12, 0.125}) {
        SCOPED_TRACE(testing::Message() << "mu = " << friction);
        in.friction = friction;
        InclineRun run(in);
        run.run_to(in.stopping_time() + 1);
        expect_stopping_distance(in, run);
        EXPECT_NEAR(run.distance(), in.stopping_distance(), 0.01 * in.stopping_distance());
        const Vec3 place = run.place();
        run.run_to(in.stopping_time() + 11);
        EXPECT_LT((run.place() - place).norm() / 10, 1e-9) << "creep [m/s]";
    }
}

inline void expect_convergence_of_the_stopping_distance(Incline in)
{
    for (const double friction : {0.12, 0.125})
        for (const double dt : {0.01, 0.005, 0.002, 0.001}) {
            SCOPED_TRACE(testing::Message() << "mu = " << friction << ", dt = " << dt);
            in.friction = friction;
            in.dt = dt;
            InclineRun run(in);
            run.run_to(in.stopping_time() + 0.4);
            expect_stopping_distance(in, run);
        }
}

/// Heavier, softer, steeper: 1000 kg/m^3, E = 1e5 Pa, 20 degrees; friction 5 % above and below what holds.
inline void expect_steep_cube_to_stick_and_to_slide(int cells, double turned, double dt)
{
    for (const double ratio : {1.05, 0.95}) {
        SCOPED_TRACE(testing::Message() << "mu / tan = " << ratio);
        Incline in;
        in.angle = 20 * std::numbers::pi / 180;
        in.turned = turned;
        in.cells = cells;
        in.density = 1000;
        in.young = 1e5;
        in.gravity = 9.81;
        in.speed = 0;
        in.friction = ratio * std::tan(in.angle);
        in.dt = dt;
        InclineRun run(in);
        run.run_to(2.0);
        const Vec3 place = run.place();
        const double v = run.speed(), t = run.state().time;
        if (ratio > 1) {
            run.run_to(12.0);
            EXPECT_LT((run.place() - place).norm() / 10, 1e-9) << "creep [m/s]";
        } else {
            run.run_to(3.0);
            EXPECT_NEAR((run.speed() - v) / (run.state().time - t), in.acceleration(), in.acceleration_error());
        }
    }
}

} // namespace stickslip::laws
