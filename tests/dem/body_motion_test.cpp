#include "body_scenes.h"

#include "stickslip/math/rotation.h"

namespace stickslip::body_motion_test {
namespace {

RigidBody with_inertia(const Vec3& principal)
{
    RigidBody body;
    body.mass = 2;
    body.inertia = principal.asDiagonal();
    return body;
}

BodyMotion spinning(const RigidBody& body, const Vec3& w, const Quat& R = Quat::Identity())
{
    GranularBody granular{.rigid = body};
    granular.start.w = w;
    granular.start.R = R;
    return initial_motion(granular);
}

const Quat tilted(rotation_exp(Vec3(0.3, -0.8, 0.5)));

TEST(Drift, SymmetricTopPrecessesAsItsClosedForm)
{
    const RigidBody body = with_inertia(Vec3(3, 3, 1));
    const auto error = [&](int steps) {
        const double end = 2;
        BodyMotion motion = spinning(body, Vec3(1, 2, -1.5), tilted);
        const Vec3 L = motion.L, axis = tilted * Vec3::UnitZ();
        // turns about its own axis by the surplus of its spin, then about L by |L|/I1
        const Mat3 expected =
            rotation_exp(end / 3 * L) * rotation_exp(end * (1 - 1.0 / 3) * L.dot(axis) * axis) * tilted;
        for (int i = 0; i < steps; ++i)
            drift(body, end / steps, motion);
        EXPECT_EQ(motion.L, L);
        return (motion.rotation() - expected).norm();
    };
    EXPECT_LT(error(1000), 1e-5);
    EXPECT_NEAR(error(100) / error(200), 4, 0.05); // second order
}

TEST(Drift, RunsBackwardsToWhereItBegan)
{
    const RigidBody body = with_inertia(Vec3(1, 2, 3));
    BodyMotion motion = spinning(body, Vec3(0.01, 3, 0.02), tilted); // about the unstable axis
    for (int i = 0; i < 500; ++i)
        drift(body, 0.02, motion);
    EXPECT_GT((motion.rotation() - tilted.toRotationMatrix()).norm(), 0.1);
    motion.L = -motion.L;
    for (int i = 0; i < 500; ++i)
        drift(body, 0.02, motion);
    EXPECT_CLOSE_ALL(motion.rotation(), tilted.toRotationMatrix(), 1e-9); // round-off grows where it is unstable
}

TEST(Drift, EnergyOfATumblingBodySwingsButDoesNotDrift)
{
    const RigidBody body = with_inertia(Vec3(1, 2, 3));
    BodyMotion motion = spinning(body, Vec3(0.1, 3, 0.2), tilted);
    const double first = rotation_energy(motion);
    const auto largest_error = [&](int steps) {
        double error = 0;
        for (int i = 0; i < steps; ++i) {
            drift(body, 0.01, motion);
            motion.w = angular_velocity(body, motion);
            error = std::max(error, std::abs(rotation_energy(motion) / first - 1));
        }
        return error;
    };
    const double early = largest_error(2000);
    EXPECT_LT(early, 1e-3);
    EXPECT_LT(largest_error(20000), 1.1 * early);
}

TEST(Drift, HeldAxesDoNotTurn)
{
    RigidBody body = with_inertia(Vec3(1, 2, 3));
    body.fixed = {false, false, false, true, false, true}; // turns about world y alone
    BodyMotion motion = spinning(body, Vec3(5, 2, -1), tilted);
    EXPECT_EQ(motion.w, Vec3(0, 2, 0));
    const double first = rotation_energy(motion);
    for (int i = 0; i < 100; ++i)
        drift(body, 0.01, motion);
    // the inertia about the axis that is held in space is constant: the angle is that of a steady turn
    EXPECT_CLOSE_ALL(motion.rotation(), (rotation_exp(Vec3(0, 2, 0)) * tilted).eval(), 1e-12);
    EXPECT_NEAR(rotation_energy(motion), first, 1e-12);
}

TEST(Drift, TwoFreeAxesKeepTheEnergy)
{
    RigidBody body = with_inertia(Vec3(1, 2, 3));
    body.fixed[4] = true;
    BodyMotion motion = spinning(body, Vec3(1, 0, 2), tilted);
    const double first = rotation_energy(motion);
    for (int i = 0; i < 4000; ++i) {
        drift(body, 0.002, motion);
        EXPECT_EQ(motion.w[1], 0);
    }
    motion.w = angular_velocity(body, motion);
    EXPECT_NEAR(rotation_energy(motion) / first, 1, 1e-4);
}

TEST(Mobility, IsWhatAnImpulseGivesItsPoint)
{
    Random random(3);
    RigidBody body = with_inertia(Vec3(1, 2, 3));
    body.fixed[0] = body.fixed[5] = true;
    for (int trial = 0; trial < 20; ++trial) {
        const Mat3 R = rotation_exp(random.vector(2));
        const Vec3 n = random.vector(1).normalized(), arm = random.vector(1);
        BodyMotion motion{.R = Quat(R)};
        motion.rate = {n, arm.cross(n)};
        kick(body, 1, motion);
        const Vec3 gained = motion.v + angular_velocity(body, motion).cross(arm);
        EXPECT_NEAR(mobility(body, R).along(n, arm), gained.dot(n), 1e-14);
    }
}

} // namespace
} // namespace stickslip::body_motion_test
