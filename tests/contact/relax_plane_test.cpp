#include "stickslip/contact/relax/relax_plane.h"

#include "support/numeric.h"

namespace stickslip::relax_plane_test {
namespace {

/// A point Z below a plane through W with normal n, and an attachment X in that plane at `ratio` times the depth.
struct PlaneState {
    Vec3 Z, X, W, n;
};

PlaneState state(Random& random, double ratio)
{
    const Vec3 n = random.unit(), W = random.vector();
    const Vec3 t = n.cross(random.unit()).normalized();
    const double depth = random.uniform(0.1, 1);
    return {W - depth * n, W + ratio * depth * t, W, n};
}

void expect_derivatives(const PlaneState& s, double mu)
{
    const auto r = relax_plane(s.Z, s.X, s.W, s.n, mu);
    const auto by_Z = [&](const Vec3& z) { return relax_plane(z, s.X, s.W, s.n, mu).K; };
    const auto by_X = [&](const Vec3& x) { return relax_plane(s.Z, x, s.W, s.n, mu).K; };
    const auto by_W = [&](const Vec3& w) { return relax_plane(s.Z, s.X, w, s.n, mu).K; };
    EXPECT_CLOSE_ALL(r.dK_dZ, difference(by_Z, s.Z, 2e-5), 1e-9);
    EXPECT_CLOSE_ALL(r.dK_dX, difference(by_X, s.X, 2e-5), 1e-9);
    EXPECT_CLOSE_ALL(r.dK_dW, difference(by_W, s.W, 2e-5), 1e-9);
}

TEST(RelaxPlane, DerivativesMatchDifferencesWhenSliding)
{
    Random random(7);
    for (const double mu : {0.05, 0.3, 1.5})
        for (int trial = 0; trial < 100; ++trial) {
            const PlaneState s = state(random, mu * random.uniform(1.2, 5));
            ASSERT_FALSE(relax_plane(s.Z, s.X, s.W, s.n, mu).sticks);
            expect_derivatives(s, mu);
        }
}

TEST(RelaxPlane, DerivativesMatchDifferencesWhenSticking)
{
    Random random(8);
    for (const double mu : {0.05, 0.3, 1.5, infinity})
        for (int trial = 0; trial < 30; ++trial) {
            const PlaneState s = state(random, std::min(mu, 10.0) * random.uniform(0, 0.8));
            ASSERT_TRUE(relax_plane(s.Z, s.X, s.W, s.n, mu).sticks);
            expect_derivatives(s, mu);
        }
}

TEST(RelaxPlane, DerivativesMatchDifferencesWithoutFriction)
{
    Random random(9);
    for (int trial = 0; trial < 30; ++trial)
        expect_derivatives(state(random, random.uniform(0.2, 3)), 0);
}

TEST(RelaxPlane, ReturnsTheAttachmentBitForBitWhenSticking)
{
    Random random(10);
    for (int trial = 0; trial < 30; ++trial) {
        const PlaneState s = state(random, 0.2);
        EXPECT_TRUE(same_bits({relax_plane(s.Z, s.X, s.W, s.n, 0.3).K}, {s.X}));
    }
}

TEST(RelaxPlane, ObeysTheConeToRoundOff)
{
    Random random(11);
    for (int trial = 0; trial < 300; ++trial) {
        const double mu = random.uniform(0, 2);
        const PlaneState s = state(random, random.uniform(0, 5));
        const auto r = relax_plane(s.Z, s.X, s.W, s.n, mu);
        const Vec3 f = r.K - s.Z; // of the spring, over k
        const double normal = f.dot(s.n), friction = (f - normal * s.n).norm();
        EXPECT_LE(friction, mu * normal * (1 + 1e-14) + 1e-15);
        if (!r.sticks) {
            EXPECT_NEAR(friction, mu * normal, 4e-15);
            EXPECT_GE((s.X - s.W).dot(r.K - s.W), 0) << "on the side of X";
        }
    }
}

TEST(RelaxPlane, IsTheNearestPointOfTheConeToX)
{
    Random random(12);
    const PlaneState s = state(random, 2);
    const double mu = 0.4, q = mu * (s.Z - s.W).norm();
    const Vec3 K = relax_plane(s.Z, s.X, s.W, s.n, mu).K;
    const Vec3 e1 = s.n.cross(random.unit()).normalized(), e2 = s.n.cross(e1);
    for (double angle = 0; angle < 6.3; angle += 0.1)
        EXPECT_GE((s.W + q * (std::cos(angle) * e1 + std::sin(angle) * e2) - s.X).norm(), (K - s.X).norm() - 1e-14);
}

TEST(RelaxPlane, IsContinuousAcrossTheStickSlideSwitch)
{
    Random random(13);
    for (int trial = 0; trial < 50; ++trial) {
        const double mu = random.uniform(0.1, 2);
        const PlaneState s = state(random, mu);
        const Vec3 in = s.W + (1 - 1e-9) * (s.X - s.W), out = s.W + (1 + 1e-9) * (s.X - s.W);
        const auto stuck = relax_plane(s.Z, in, s.W, s.n, mu), slid = relax_plane(s.Z, out, s.W, s.n, mu);
        EXPECT_TRUE(stuck.sticks);
        EXPECT_FALSE(slid.sticks);
        EXPECT_CLOSE_ALL(stuck.K, slid.K, 1e-8);
    }
}

TEST(RelaxPlane, TouchingExactlyGivesFiniteNumbers)
{
    Random random(14);
    for (const double mu : {0.0, 0.3, infinity})
        for (const double away : {0.0, 1e-300, 1e-12, 1.0})
            for (const double depth : {0.0, 1e-300, 1e-12}) {
                const PlaneState s = state(random, 1);
                const Vec3 t = (s.X - s.W).normalized(), Z = s.W - depth * s.n, X = s.W + away * t;
                const auto r = relax_plane(Z, X, s.W, s.n, mu);
                EXPECT_TRUE(r.K.allFinite() && r.dK_dZ.allFinite() && r.dK_dX.allFinite() && r.dK_dW.allFinite())
                    << mu << " " << away << " " << depth;
                if (mu == infinity) {
                    EXPECT_TRUE(r.sticks);
                    EXPECT_EQ(r.K, X);
                }
                if (mu == 0) {
                    EXPECT_FALSE(r.sticks);
                    EXPECT_EQ(r.K, s.W);
                }
            }
}

TEST(RelaxPlane, TouchingExactlyHasTheDerivativeOfGoingInward)
{
    Random random(15);
    for (int trial = 0; trial < 20; ++trial) {
        const double mu = 0.3, h = 1e-6;
        const PlaneState s = state(random, 1);
        const auto r = relax_plane(s.W, s.X, s.W, s.n, mu);
        const Vec3 inward = (relax_plane(s.W - h * s.n, s.X, s.W, s.n, mu).K - r.K) / h;
        EXPECT_FALSE(r.sticks);
        EXPECT_CLOSE_ALL(r.dK_dZ * -s.n, inward, 1e-9);
    }
}

TEST(RelaxPlane, FrictionlessReturnsWAlsoWhenXIsThere)
{
    Random random(16);
    for (const double ratio : {0.0, 1e-12, 1.0}) {
        const PlaneState s = state(random, ratio);
        const auto r = relax_plane(s.Z, s.X, s.W, s.n, 0);
        EXPECT_EQ(r.K, s.W);
        EXPECT_FALSE(r.sticks);
        EXPECT_EQ(r.dK_dW, Mat3::Identity());
        EXPECT_EQ(r.dK_dZ, Mat3::Zero());
        EXPECT_EQ(r.dK_dX, Mat3::Zero());
    }
}

TEST(RelaxPlane, TurnsWithTheScene)
{
    Random random(17);
    for (int trial = 0; trial < 50; ++trial) {
        const PlaneState s = state(random, random.uniform(0, 2));
        const Mat3 R = random.rotation();
        const auto a = relax_plane(s.Z, s.X, s.W, s.n, 0.5), b = relax_plane(R * s.Z, R * s.X, R * s.W, R * s.n, 0.5);
        EXPECT_CLOSE_ALL(R * a.K, b.K, 1e-14);
        EXPECT_CLOSE_ALL(R * a.dK_dZ * R.transpose(), b.dK_dZ, 1e-13);
    }
}

} // namespace
} // namespace stickslip::relax_plane_test
