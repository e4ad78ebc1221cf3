#include "granular_scenes.h"

#include "stickslip/math/rotation.h"

#include <algorithm>

namespace stickslip::shaken_wall_test {
namespace {

constexpr double R = 0.05, rho = 1000, g = 9.81, pi = std::numbers::pi;
constexpr double frequency = 20, w = 2 * pi * frequency; // [Hz], [rad/s]

GranularMaterial stiff(double friction = 0.3)
{
    return {.density = rho, .young = 1e9, .friction = friction, .restitution = 0.3};
}

/// A ball on a plate that is shaken along `amplitude`, both at the plate's greatest speed at the start. A ball that is
/// held cannot roll.
SphereSystem on_shaken_plate(const GranularMaterial& m, const Vec3& amplitude)
{
    GranularWorld world = one_material(m);
    world.gravity = Vec3(0, 0, -g);
    world.walls = {flat_wall(Vec3::UnitZ())};
    world.walls[0].motion.oscillations = {{.amplitude = amplitude, .frequency = frequency}};
    GranularBody ball;
    ball.rigid.name = "ball";
    ball.rigid.mass = mass_of(R, rho);
    ball.rigid.inertia = 0.4 * ball.rigid.mass * R * R * Mat3::Identity();
    ball.rigid.rounds = {{Vec3::Zero(), R}};
    ball.rigid.fixed = {false, false, false, true, true, true};
    ball.start.x = Vec3(0, 0, R - ball.rigid.mass * g / (m.young * R));
    ball.start.v = w * amplitude;
    ball.is_clump = true;
    world.bodies = {ball};
    return {world, {}};
}

/// Farthest from where the plate would carry it [m].
double farthest_off(SphereSystem& system, double amplitude, double time)
{
    double most = 0;
    while (system.state().time < time) {
        system.step();
        most = std::max(most, std::abs(system.state().bodies[0].x[0] - amplitude * std::sin(w * system.state().time)));
    }
    return most;
}

TEST(BlockOnAShakenPlate, SlidesOnceTheAccelerationExceedsWhatFrictionGives)
{
    const GranularMaterial m = stiff();
    const double limit = m.friction * g / (w * w); // [m]
    const double kt =
        normal_force<NormalLaw::linear>(pair_laws(on_shaken_plate(m, Vec3::Zero()).world())[0], 1e-6, R, m.young * R)
            .shear_stiffness;
    const double deflection = m.friction * mass_of(R, rho) * g / kt; // of the spring of friction at the limit
    for (const double ratio : {0.5, 0.98}) {
        SphereSystem system = on_shaken_plate(m, Vec3(ratio * limit, 0, 0));
        EXPECT_LT(farthest_off(system, ratio * limit, 0.5), 1.05 * ratio * deflection) << ratio;
        EXPECT_EQ(system.state().losses.friction, 0) << ratio;
    }
    SphereSystem system = on_shaken_plate(m, Vec3(1.1 * limit, 0, 0));
    EXPECT_GT(farthest_off(system, 1.1 * limit, 0.5), 3 * deflection);
}

TEST(BallOnAShakenPlate, IsPressedByItsWeightAndTheAcceleration)
{
    const double amplitude = 0.9 * g / (w * w);
    SphereSystem system = on_shaken_plate(stiff(), Vec3(0, 0, amplitude));
    const double weight = mass_of(R, rho) * g;
    while (system.state().time < 0.2) {
        system.step();
        const double wanted = weight * (1 - 0.9 * std::sin(w * system.state().time));
        ASSERT_NEAR(-system.state().wall_load[0].force[2], wanted, 0.02 * weight) << system.state().time;
        ASSERT_GT(-system.state().wall_load[0].force[2], 0);
    }
}

TEST(BallOnAShakenPlate, LeavesItWhereItFallsFasterThanTheBall)
{
    const double ratio = 1.5, amplitude = ratio * g / (w * w);
    SphereSystem system = on_shaken_plate(stiff(), Vec3(0, 0, amplitude));
    while (system.state().wall_load[0].force[2] < 0)
        system.step();
    const double left = std::asin(1 / ratio) / w; // where a w^2 sin(w t) = g
    EXPECT_NEAR(system.state().time, left, 0.02 / frequency);
    // then it flies: where the plate is back is a root of a transcendental equation, the ball on its way is not
    const double x0 = system.state().bodies[0].x[2], v0 = w * amplitude * std::cos(w * left);
    const double t0 = system.state().time;
    EXPECT_NEAR(system.state().bodies[0].v[2], v0, 0.02 * v0);
    while (system.state().time < t0 + 0.2 / frequency)
        system.step();
    const double t = system.state().time - t0;
    EXPECT_NEAR(system.state().bodies[0].x[2], x0 + v0 * t - 0.5 * g * t * t, 0.02 * v0 * t);
    EXPECT_EQ(system.state().wall_load[0].force[2], 0);
}

TEST(BlockOnAConveyor, ThatIsShakenTooHasBothVelocities)
{
    const GranularMaterial m = stiff();
    const double amplitude = 0.5 * m.friction * g / (w * w);
    GranularWorld world = on_shaken_plate(m, Vec3(amplitude, 0, 0)).world();
    world.walls[0].surface_velocity = Vec3(0.3, 0.1, 5); // what points out of the surface drags nothing
    SphereSystem system(world, {});
    system.step(static_cast<int>(1 / system.dt()));
    const Vec3 x = system.state().bodies[0].x;
    const double t0 = system.state().time;
    double most = 0;
    while (system.state().time < t0 + 1) {
        system.step();
        const double t = system.state().time;
        const Vec3 way(0.3 * (t - t0) + amplitude * (std::sin(w * t) - std::sin(w * t0)), 0.1 * (t - t0), 0);
        most = std::max(most, (system.state().bodies[0].x - x - way).norm());
    }
    EXPECT_LT(most, 1e-5);
}

TEST(BlockOnAConveyor, ThatTurnsGoesAlongItsAxes)
{
    const GranularMaterial m = stiff(2);
    const double turn = 1.5;
    GranularWorld world = on_shaken_plate(m, Vec3::Zero()).world();
    world.walls[0].motion = {.angular_velocity = Vec3(0, 0, turn)};
    world.walls[0].surface_velocity = Vec3(0.3, 0, 0);
    world.bodies[0].start.v = Vec3(0.3, 0, 0);
    SphereSystem system(world, {});
    while (system.state().time < 1)
        system.step();
    const double t = system.state().time; // a spiral
    const Vec3 there = rotation_exp(Vec3(0, 0, turn * t)) * Vec3(0.3 * t, 0, 0);
    EXPECT_CLOSE_ALL(Eigen::Vector2d(system.state().bodies[0].x.head<2>()), Eigen::Vector2d(there.head<2>()), 1e-4);
}

TEST(ShakenWall, PutsInWhatItsSpheresHaveAndLose)
{
    GranularWorld world = tumbling_box(NormalLaw::hertz, 0.25);
    for (GranularWall& wall : world.walls)
        wall.motion.oscillations = {{.amplitude = Vec3(0, 0.002, 0.004), .turn = Vec3(0.02, 0, 0), .frequency = 25}};
    world.walls[4].surface_velocity = Vec3(0.2, 0.1, 0);
    const auto imbalance = [&](double dt) {
        world.dt = dt;
        SphereSystem system(world, lattice_grains(5, 0.02, 3));
        system.step(static_cast<int>(std::lround(0.1 / dt)));
        const EnergyLedger ledger = system.ledger();
        return std::abs(ledger.imbalance()) / (std::abs(ledger.wall_work) + ledger.lost());
    };
    const double dt = SphereSystem(world, lattice_grains(5, 0.02, 3)).dt() / 2;
    EXPECT_LT(imbalance(dt), 2e-3);
}

} // namespace
} // namespace stickslip::shaken_wall_test
