#include "stickslip/contact/relax/relax_level_set.h"

#include "support/solids.h"

namespace stickslip::relax_level_set_test {
namespace {

constexpr RelaxationKind kinds[] = {RelaxationKind::planar, RelaxationKind::exact_cone};

/// A point inside near the surface and an attachment on the surface some way along it.
struct State {
    int patch;
    Vec3 Z, X;
};

State state_near(const LevelSet& solid, double depth, double way, Random& random)
{
    const SurfacePoint at = surface_point(solid, random);
    const Vec3 beside = at.X + way * tangent(at.n, random);
    return {at.patch, at.X - depth * at.n, project_to_surface(solid, at.patch, beside).W};
}

SurfaceRelaxation relax(RelaxationKind kind, const LevelSet& solid, const State& s, double mu)
{
    return relax_on_level_set(kind, solid, s.patch, s.Z, project_to_surface(solid, s.patch, s.Z), s.X, mu);
}

/// How far the spring from Z to Y lies outside the cone at Y, over its length; negative inside.
double cone_excess(const LevelSet& solid, const State& s, const Vec3& Y, double mu)
{
    const Vec3 spring = Y - s.Z, n = sample_patch(solid, s.patch, Y).n.normalized();
    return 1 / std::sqrt(1 + mu * mu) - spring.dot(n) / spring.norm();
}

TEST(ProjectToSurface, LandsOnTheSurfaceAndItsDerivativeMatchesDifferences)
{
    Random random(1);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 50; ++trial) {
            const SurfacePoint at = surface_point(solid, random);
            const Vec3 Z = at.X + random.uniform(-0.08, 0.08) * at.n;
            const Projection p = project_to_surface(solid, at.patch, Z);
            EXPECT_NEAR(patch_distance(solid, at.patch, p.W), 0, 1e-15) << name;
            EXPECT_CLOSE_ALL(p.W, at.X, 1e-14) << name;
            EXPECT_CLOSE_ALL(p.n, at.n, 1e-14) << name;
            EXPECT_NEAR(p.phi, (Z - at.X).dot(at.n), 1e-14) << name;
            const auto W = [&](const Vec3& z) { return project_to_surface(solid, at.patch, z).W; };
            EXPECT_CLOSE_ALL(p.dW_dZ, difference(W, Z, 3e-4), 1e-9) << name;
        }
}

TEST(RelaxOnLevelSet, DerivativesMatchDifferencesOnBothBranches)
{
    Random random(2);
    for (const RelaxationKind kind : kinds)
        for (const auto& [name, solid] : solids())
            for (const double mu : {0.0, 0.2, 0.7, 3.0, infinity}) {
                int slid = 0;
                for (int trial = 0; trial < 60; ++trial) {
                    const double depth = random.uniform(0.01, 0.03);
                    const double way = depth * std::min(mu + 0.2, 4.0) * random.uniform(0.2, 1.8);
                    const State s = state_near(solid, depth, std::min(way, 0.08), random);
                    const SurfaceRelaxation r = relax(kind, solid, s, mu);
                    if (std::abs(cone_excess(solid, s, s.X, mu)) < 0.02)
                        continue; // near the switch the two sides of a difference take different branches
                    slid += !r.sticks;
                    const auto by_Z = [&](const Vec3& z) { return relax(kind, solid, {s.patch, z, s.X}, mu).Y; };
                    const auto by_X = [&](const Vec3& x) { return relax(kind, solid, {s.patch, s.Z, x}, mu).Y; };
                    EXPECT_CLOSE_ALL(r.dY_dZ, difference(by_Z, s.Z, 2e-5), 3e-7) << name << " mu " << mu;
                    EXPECT_CLOSE_ALL(r.dY_dX, difference(by_X, s.X, 2e-5), 3e-7) << name << " mu " << mu;
                }
                EXPECT_EQ(slid > 0, mu < infinity) << name << " mu " << mu;
            }
}

TEST(RelaxOnLevelSet, EndsOnTheSurfaceAndSticksBitForBit)
{
    Random random(3);
    for (const RelaxationKind kind : kinds)
        for (const auto& [name, solid] : solids())
            for (int trial = 0; trial < 100; ++trial) {
                const State s = state_near(solid, 0.03, random.uniform(0, 0.06), random);
                const SurfaceRelaxation r = relax(kind, solid, s, 0.7);
                if (r.sticks) {
                    EXPECT_TRUE(same_bits({r.Y}, {s.X})) << name;
                    EXPECT_EQ(r.dY_dZ, Mat3::Zero());
                    EXPECT_EQ(r.dY_dX, Mat3::Identity());
                } else {
                    // one projection of the planar law lands on the surface, as distances are exact
                    EXPECT_NEAR(patch_distance(solid, s.patch, r.Y), 0, 1e-14) << name;
                }
            }
}

TEST(RelaxExactCone, MeetsTheConeAtYWhenSlidingAndObeysItWhenSticking)
{
    Random random(4);
    for (const auto& [name, solid] : solids())
        for (const double mu : {0.01, 0.2, 0.7, 3.0})
            for (int trial = 0; trial < 100; ++trial) {
                const State s = state_near(solid, random.uniform(0.002, 0.03), random.uniform(0, 0.09), random);
                const SurfaceRelaxation r = relax(RelaxationKind::exact_cone, solid, s, mu);
                const double excess = cone_excess(solid, s, r.Y, mu);
                if (r.sticks) {
                    EXPECT_LE(excess, 1e-12) << name << " mu " << mu;
                } else {
                    EXPECT_NEAR(excess, 0, 1e-12) << name << " mu " << mu;
                }
            }
}

TEST(RelaxExactCone, AgreesWithThePlanarLawOnAPlane)
{
    Random random(5);
    for (const auto& [name, solid] : solids()) {
        if (name != "plane" && name != "box")
            continue;
        for (int trial = 0; trial < 100; ++trial) {
            const State s = state_near(solid, random.uniform(0, 0.05), random.uniform(0, 0.09), random);
            const auto a = relax(RelaxationKind::planar, solid, s, 0.6),
                       b = relax(RelaxationKind::exact_cone, solid, s, 0.6);
            EXPECT_EQ(a.sticks, b.sticks);
            EXPECT_CLOSE_ALL(a.Y, b.Y, 1e-15);
            EXPECT_CLOSE_ALL(a.dY_dZ, b.dY_dZ, 1e-13);
            EXPECT_CLOSE_ALL(a.dY_dX, b.dY_dX, 1e-13);
        }
    }
}

TEST(RelaxExactCone, AgreesWithThePlanarLawOnAShallowCurvedContact)
{
    Random random(6);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 30; ++trial) {
            const State s = state_near(solid, 1e-5, 3e-5, random);
            const auto a = relax(RelaxationKind::planar, solid, s, 0.6),
                       b = relax(RelaxationKind::exact_cone, solid, s, 0.6);
            EXPECT_FALSE(a.sticks);
            EXPECT_CLOSE_ALL(a.Y, b.Y, 1e-8) << name;
        }
}

TEST(RelaxExactCone, IsContinuousAcrossTheStickSlideSwitch)
{
    Random random(7);
    for (const auto& [name, solid] : solids())
        for (int trial = 0; trial < 20; ++trial) {
            State s = state_near(solid, 0.02, 0.06, random);
            const Vec3 Y = relax(RelaxationKind::exact_cone, solid, s, 0.5).Y; // on the rim of the cone
            const Vec3 beyond = project_to_surface(solid, s.patch, Y + 1e-9 * (s.X - Y).normalized()).W;
            const Vec3 within = project_to_surface(solid, s.patch, Y - 1e-9 * (s.X - Y).normalized()).W;
            s.X = within;
            const auto stuck = relax(RelaxationKind::exact_cone, solid, s, 0.5);
            s.X = beyond;
            const auto slid = relax(RelaxationKind::exact_cone, solid, s, 0.5);
            EXPECT_TRUE(stuck.sticks) << name;
            EXPECT_FALSE(slid.sticks) << name;
            EXPECT_CLOSE_ALL(stuck.Y, slid.Y, 1e-8) << name;
        }
}

TEST(RelaxExactCone, DoesNotAcceptAPullingSpringOnTheFarSideOfABall)
{
    const LevelSet ball = Sphere{0.5};
    for (const double mu : {0.1, 1.0, 10.0}) {
        const Vec3 Z(0, 0.45, 0);
        for (const double angle : {0.5, 1.5, 2.5}) { // of X from the pole above Z
            const State s{0, Z, 0.5 * Vec3(std::sin(angle), std::cos(angle), 0)};
            const SurfaceRelaxation r = relax(RelaxationKind::exact_cone, ball, s, mu);
            EXPECT_LE(cone_excess(ball, s, r.Y, mu), 1e-12) << mu << " " << angle;
            if (mu < 2) { // a wider cone holds Z from everywhere on this ball
                EXPECT_FALSE(r.sticks) << mu << " " << angle
                                       << ": the far side obeys the cone again, but there is no way to it";
                EXPECT_GT(r.Y.y(), 0) << mu << " " << angle;
            }
        }
    }
}

TEST(RelaxOnLevelSet, TouchingOrMeetingExactlyGivesFiniteNumbers)
{
    Random random(8);
    for (const RelaxationKind kind : kinds)
        for (const auto& [name, solid] : solids())
            for (const double mu : {0.0, 0.3, infinity})
                for (const double depth : {0.0, 1e-300, 1e-17, 1e-12, 1e-6})
                    for (const double way : {0.0, 1e-300, 1e-17, 1e-12, 1e-6, 0.05}) {
                        const State s = state_near(solid, depth, way, random);
                        const SurfaceRelaxation r = relax(kind, solid, s, mu);
                        ASSERT_TRUE(r.Y.allFinite() && r.dY_dZ.allFinite() && r.dY_dX.allFinite())
                            << name << " mu " << mu << " depth " << depth << " way " << way;
                        EXPECT_LE((r.Y - s.X).norm(), way + 1e-6) << name;
                    }
}

TEST(RelaxOnLevelSet, TurnsWithTheSceneAboutABall)
{
    Random random(9);
    const LevelSet ball = Sphere{0.7};
    for (const RelaxationKind kind : kinds)
        for (int trial = 0; trial < 50; ++trial) {
            const State s = state_near(ball, 0.03, 0.06, random);
            const Mat3 R = random.rotation();
            const auto a = relax(kind, ball, s, 0.3), b = relax(kind, ball, {0, R * s.Z, R * s.X}, 0.3);
            EXPECT_CLOSE_ALL(R * a.Y, b.Y, 1e-14);
            EXPECT_CLOSE_ALL(R * a.dY_dZ * R.transpose(), b.dY_dZ, 1e-11);
            EXPECT_CLOSE_ALL(R * a.dY_dX * R.transpose(), b.dY_dX, 1e-11);
        }
}

} // namespace
} // namespace stickslip::relax_level_set_test
