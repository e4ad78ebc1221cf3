#include "granular_scenes.h"

namespace stickslip::local_damping_test {
namespace {

constexpr double R = 0.1, g = 10, rho = 1000, depth = 0.01 * R, arm = R - depth;
const double mass = mass_of(R, rho), kn = mass * g / depth, kt = 0.3 * kn, inertia = 0.4 * mass * R * R;

/// Share of the angular momentum about the line of contact that a sphere loses over 20 s of rolling on a plane, which
/// it begins with the surface at rest or creeping by `slip` [m/s].
double lost_share(double speed, double slip, double local_damping)
{
    GranularWorld world = one_material({.density = rho, .stiffness = kn, .shear_ratio = 0.3, .friction = 0.5});
    world.gravity = Vec3(0, 0, -g);
    world.local_damping = local_damping;
    world.dt = 2 * std::numbers::pi * std::sqrt(mass / kn) / 100;
    world.walls = {flat_wall(Vec3::UnitZ())};
    SphereSystem system(
        world, {{.x = Vec3(0, 0, arm), .radius = R, .v = Vec3(speed, 0, 0), .w = Vec3(0, (speed - slip) / arm, 0)}});
    const auto momentum = [&] {
        const SphereMotion& m = system.state().spheres.motion[0];
        return mass * arm * m.v[0] + inertia * m.w[1];
    };
    const double before = momentum();
    while (system.state().time < 20)
        system.step();
    return 1 - momentum() / before;
}

TEST(LocalDamping, LeavesASphereThatRollsAlone)
{
    EXPECT_NEAR(lost_share(1, 0, 0.1), 0, 1e-12);
}

TEST(LocalDamping, BrakesASphereThatRollsByWhatTheSwingOfItsSpringGivesIt)
{
    // docs/derivations.md#granular-spheres, to first order in the damping
    const double speed = 1, damping = 0.01, root = std::sqrt(kt * (1 / mass + arm * arm / inertia));
    for (const double slip : {0.01, -0.01, 0.005}) {
        const double mean_force = 2 / std::numbers::pi * kt * std::abs(slip) / root;
        const double momentum = (mass * arm + inertia / arm) * speed;
        const double expected = 2 * damping * arm * mean_force * 20 / momentum;
        EXPECT_NEAR(lost_share(speed, slip, damping), expected, 0.02 * expected);
    }
}

TEST(LocalDamping, TakesNothingWhereItIsZero)
{
    EXPECT_NEAR(lost_share(1, 0.01, 0), 0, 1e-12);
}

} // namespace
} // namespace stickslip::local_damping_test
