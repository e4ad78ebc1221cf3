#include "laws/rigid_world.h"

#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

namespace stickslip::laws::rounded_box_test {
namespace {

constexpr double g = 9.81;
const RoundedBox die{Vec3(0.2, 0.16, 0.24), 0.03};

TEST(RoundedBox, RestsAndSlidesOnAFaceAsABoxDoes)
{
    constexpr double angle = 0.3;
    const Vec3 normal(std::sin(angle), std::cos(angle), 0), downhill(std::cos(angle), -std::sin(angle), 0);
    for (const double share : {1.05, 0.95}) {
        RigidWorld w(1.0 / 60);
        w.plane(normal);
        w.rounded(die, 700, 0.08 * normal, rotation_exp(Vec3(0, 0, -angle)));
        const double mu = share * std::tan(angle);
        State state = w.start(mu);
        TimeStepper stepper(w.world, w.options());
        run_to(stepper, state, 1.5);
        const RigidState before = state.rigid[0];
        const double t = state.time;
        run_to(stepper, state, 3.5);
        const RigidState& after = state.rigid[0];
        EXPECT_LT(after.R.angularDistance(before.R), 1e-7);
        if (share > 1) {
            EXPECT_LT((after.x - before.x).norm(), 1e-12);
        } else {
            const double exact = g * (std::sin(angle) - mu * std::cos(angle));
            EXPECT_NEAR((after.v - before.v).dot(downhill) / (state.time - t), exact, 1e-4 * exact);
        }
    }
}

TEST(RoundedBox, RollsOverAnEdgeAsACylinder)
{
    // leaning on an edge along z beyond its balance, it tips: the edge's axis moves by its radius times the turn
    const double lean = 1.1; // of balance: atan(0.14/0.10) = 0.95
    RigidWorld w(1.0 / 1000);
    w.plane(Vec3::UnitY());
    const Vec3 core = die.core();
    const Vec3 axis(core.x() / 2, -core.y() / 2, 0); // from the centre, body axes
    const Mat3 R = rotation_exp(Vec3(0, 0, -lean));
    const Vec3 start = Vec3(0, die.radius, 0);
    w.rounded(die, 700, start - R * axis, R);
    State state = w.start(2);
    TimeStepper stepper(w.world, w.options());
    double turned = 0;
    for (const double t : {0.1, 0.2, 0.25}) {
        run_to(stepper, state, t);
        const RigidState& r = state.rigid[0];
        turned = Eigen::AngleAxisd(r.R.toRotationMatrix() * R.transpose()).angle();
        const Vec3 edge = r.R * axis + r.x;
        EXPECT_NEAR(edge.x(), die.radius * turned, 1e-3 * die.radius) << "turned by " << turned;
        EXPECT_NEAR(edge.y(), die.radius, 1e-4);
        EXPECT_LT(std::abs(edge.z()), 1e-9);
    }
    EXPECT_GT(turned, 0.1);
    run_to(stepper, state, 2);
    EXPECT_NEAR(state.rigid[0].x.y(), 0.1, 1e-3) << "it lies on the next face";
    EXPECT_LT(state.rigid[0].v.norm(), 1e-3);
}

TEST(RoundedBox, TwoOfThemRestOnEachOtherAndCarryABall)
{
    RigidWorld w(1.0 / 60);
    w.plane(Vec3::UnitY());
    w.rounded(die, 700, Vec3(0, 0.08, 0));
    w.rounded(die, 700, Vec3(0, 0.24, 0), rotation_exp(Vec3(0, 0.3, 0)));
    w.ball(0.03, 700, Vec3(0, 0.35, 0));
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    run_to(stepper, state, 4);
    const State before = state;
    run_to(stepper, state, 6);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_LT((state.rigid[i].x - before.rigid[i].x).norm(), 1e-9);
    }
    EXPECT_NEAR(state.rigid[1].x.y(), 0.24, 1e-3);
    EXPECT_NEAR(state.rigid[2].x.y(), 0.35, 1e-3);
}

} // namespace
} // namespace stickslip::laws::rounded_box_test
