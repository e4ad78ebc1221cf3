#include "body_scenes.h"

#include "stickslip/dem/contact_list.h"
#include "stickslip/math/error.h"
#include "stickslip/math/rotation.h"

namespace stickslip::clump_test {
namespace {

constexpr double R = 0.01, rho = 2000;

GranularWorld grains_of(double friction, double restitution, double young = 1e7)
{
    return one_material({.density = rho, .young = young, .friction = friction, .restitution = restitution});
}

TEST(Clump, FliesAndTurnsAsARigidBody)
{
    GranularWorld world = grains_of(0.3, 0.5);
    world.gravity = Vec3(0, 0, -10);
    const Vec3 w(2, 30, -10), v(1, 0, 3);
    const Quat tilted(rotation_exp(Vec3(0.3, 0.5, -0.2)));
    const double apart = 1.2 * R;
    add_dumbbell(world, R, apart, rho, {.x = Vec3(0, 0, 1), .R = tilted, .v = v, .w = w});
    world.dt = 1e-5;
    world.ledger = true;
    SphereSystem system(world, {{.x = Vec3(5, 0, 0), .radius = R}});
    ASSERT_TRUE(system.step(20000));
    const double t = system.state().time;
    // a symmetric top: docs/derivations.md#bodies-among-spheres
    const Mat3& I = world.bodies[0].rigid.inertia;
    const Vec3 axis = tilted * Vec3::UnitX();
    const Vec3 L = tilted * (I * (tilted.inverse() * w));
    const Mat3 turned = rotation_exp(t / I(1, 1) * L)
        * rotation_exp(t * (1 / I(0, 0) - 1 / I(1, 1)) * L.dot(axis) * axis) * tilted.toRotationMatrix();
    const Vec3 x = Vec3(0, 0, 1) + t * v + 0.5 * t * t * world.gravity;
    EXPECT_CLOSE_ALL(system.state().bodies[0].rotation(), turned, 1e-6);
    EXPECT_CLOSE_ALL(place_of(system, 1).x, (x - turned * Vec3(apart / 2, 0, 0)).eval(), 1e-8);
    EXPECT_CLOSE_ALL(place_of(system, 2).x, (x + turned * Vec3(apart / 2, 0, 0)).eval(), 1e-8);
    EXPECT_EQ(system.touching(), 0u); // though the two overlap
    EXPECT_GT(system.state().rebuilds, 3);
    const EnergyLedger e = system.ledger();
    EXPECT_NEAR(e.imbalance(), 0, 1e-9 * e.stored());
}

TEST(Clump, HitsAWallOffItsCentreWithTheImpulseOfTheClosedForm)
{
    // stands askew on a frictionless floor; the lower ball touches
    GranularWorld world = grains_of(0, 1, 1e9);
    world.walls = {flat_wall(Vec3::UnitY())};
    const double apart = 2 * R, angle = 0.5, speed = 0.1;
    const Vec3 down = rotation_exp(Vec3(0, 0, angle)) * Vec3(-apart / 2, 0, 0);
    add_dumbbell(world, R, apart, rho,
        {.x = Vec3(0, R - down.y() + 1e-8, 0), .R = Quat(rotation_exp(Vec3(0, 0, angle))), .v = Vec3(0, -speed, 0)});
    SphereSystem system(world, {});
    while (system.touching() == 0)
        ASSERT_TRUE(system.step());
    while (system.touching() > 0)
        ASSERT_TRUE(system.step());
    const RigidBody& rigid = world.bodies[0].rigid;
    const double lever = down.x(); // of the upward impulse about z
    const double impulse = 2 * speed / (1 / rigid.mass + lever * lever / rigid.inertia(2, 2));
    const BodyMotion& after = system.state().bodies[0];
    EXPECT_NEAR(after.v.y(), -speed + impulse / rigid.mass, 1e-3 * speed);
    EXPECT_NEAR(after.w.z(), impulse * lever / rigid.inertia(2, 2), 1e-3 * speed / R);
}

TEST(Clump, SticksAndSlidesAsCoulombSays)
{
    const double slope = 0.3; // [rad]
    for (const double friction : {0.4, 0.2}) {
        GranularWorld world = grains_of(friction, 0.3);
        world.gravity = 9.81 * Vec3(std::sin(slope), -std::cos(slope), 0);
        world.walls = {flat_wall(Vec3::UnitY())};
        add_dumbbell(world, R, 1.5 * R, rho, {.x = Vec3(0, R, 0)}); // along the slope: it cannot roll down
        SphereSystem system(world, {});
        ASSERT_TRUE(system.step(static_cast<int>(0.2 / system.dt())));
        const BodyMotion before = system.state().bodies[0];
        const double then = system.state().time;
        ASSERT_TRUE(system.step(static_cast<int>(0.3 / system.dt())));
        const BodyMotion& after = system.state().bodies[0];
        const double rate = friction > std::tan(slope) ? 0 : 9.81 * (std::sin(slope) - friction * std::cos(slope));
        EXPECT_NEAR((after.v - before.v).x() / (system.state().time - then), rate, 1e-4);
        EXPECT_NEAR(after.w.norm(), 0, 1e-6);
        if (rate == 0) {
            EXPECT_LT((after.x - before.x).norm(), 1e-9);
        }
    }
}

TEST(Clump, OfOneSphereMovesAsTheSphere)
{
    const auto wall = [](GranularWorld& world) {
        world.gravity = Vec3(0.3, -9.81, 0);
        world.walls = {flat_wall(Vec3::UnitY())};
        world.dt = 2e-5;
    };
    GranularWorld world = grains_of(0.3, 0.6), clumped = world;
    wall(world);
    wall(clumped);
    const Grain grain = {.x = Vec3(0, 1.5 * R, 0), .radius = R, .v = Vec3(0.5, -0.5, 0.1), .w = Vec3(3, 20, -10)};
    const double m = mass_of(R, rho);
    GranularBody body;
    body.rigid.mass = m;
    body.rigid.inertia = 0.4 * m * R * R * Mat3::Identity();
    body.rigid.rounds = {{Vec3::Zero(), R}};
    body.start = {.x = grain.x, .v = grain.v, .w = grain.w};
    body.is_clump = true;
    clumped.bodies = {body};
    const std::vector<Grain> others = {{.x = Vec3(0.06, R, 0), .radius = R}};
    SphereSystem sphere(world, {others[0], grain}), ball(clumped, others);
    ASSERT_TRUE(sphere.step(10000));
    ASSERT_TRUE(ball.step(10000));
    EXPECT_GT(motion_of(sphere, 0).v.norm(), 0.01); // it was met
    EXPECT_CLOSE_ALL(place_of(ball, 1).x, place_of(sphere, 1).x, 1e-10);
    EXPECT_CLOSE_ALL(motion_of(ball, 1).w, motion_of(sphere, 1).w, 1e-6);
    EXPECT_CLOSE_ALL(motion_of(ball, 0).v, motion_of(sphere, 0).v, 1e-8);
}

TEST(Clump, CrossesThePeriodicBoxAsIfItWereEndless)
{
    const auto collide = [&](const Vec3& shift) {
        GranularWorld world = grains_of(0.3, 0.9, 1e6);
        world.box.size = Vec3(0.1, 0.1, 0.1);
        add_dumbbell(world, R, 1.2 * R, rho,
            {.x = shift + Vec3(-0.022, 0.001, 0), .R = Quat(rotation_exp(Vec3(0, 0.3, 1))), .v = Vec3(1, 0.1, 0.3)});
        SphereSystem system(world, {{.x = shift + Vec3(0.011, 0, 0), .radius = R, .v = Vec3(-0.5, 0, 0)}});
        system.step(3000);
        return std::pair(system.state().bodies[0], motion_of(system, 0));
    };
    const auto [a, b] = collide(Vec3::Constant(0.05));
    EXPECT_GT(std::abs(b.w[2]), 0.1); // they did meet
    for (const Vec3& shift : {Vec3(0, 0.05, 0.05), Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0), Vec3(0.5, -3, 0.03)}) {
        const auto [c, d] = collide(shift);
        EXPECT_CLOSE_ALL(c.v, a.v, 1e-9);
        EXPECT_CLOSE_ALL(c.w, a.w, 1e-7);
        EXPECT_CLOSE_ALL(d.w, b.w, 1e-7);
    }
}

TEST(Clump, ManyFillABoxAndKeepTheAccount)
{
    GranularWorld world = tumbling_box(NormalLaw::linear, 0.12);
    Random random(4);
    for (int i = 0; i < 27; ++i)
        add_dumbbell(world, 0.008, 0.012, rho,
            {.x = 0.036 * Vec3(i % 3 + 0.6, i / 3 % 3 + 0.6, i / 9 + 0.6),
                .R = Quat(rotation_exp(random.vector(3))),
                .v = random.vector(0.3),
                .w = random.vector(30)});
    SphereSystem system(world, {});
    world.dt = 0.25 * system.dt();
    system = SphereSystem(world, {});
    ASSERT_TRUE(system.step(8000));
    EXPECT_GT(system.touching(), 5u);
    const EnergyLedger e = system.ledger();
    EXPECT_LT(std::abs(e.imbalance()), 2e-4 * (e.first + std::abs(e.gravity_work)));
    const std::vector<int> slots = system.slots();
    for (int b = 0; b < 27; ++b) {
        const double apart = (place_of(system, 2 * b).x - place_of(system, 2 * b + 1).x).norm();
        EXPECT_NEAR(apart, 0.012, 1e-15);
    }
    for (const GranularContact& c : list_contacts(system))
        EXPECT_TRUE(c.second < 0 || c.first / 2 != c.second / 2);
}

TEST(Clump, ContinuesARestoredStateWithTheSameBits)
{
    const auto run = [&](int stop) {
        GranularWorld world = tumbling_box(NormalLaw::hertz, 0.06);
        Random random(4);
        for (int i = 0; i < 8; ++i)
            add_dumbbell(world, 0.008, 0.012, rho,
                {.x = 0.03 * Vec3(i % 2 + 0.5, i / 2 % 2 + 0.5, i / 4 + 0.5), .v = random.vector(1)});
        SphereSystem system(world, {});
        system.step(stop);
        const GranularState kept = system.state();
        system.step(50);
        system.restore(kept);
        system.step(600 - stop);
        return system.state();
    };
    const GranularState a = run(1), b = run(377);
    EXPECT_GT(a.rebuilds, 1);
    EXPECT_EQ(state_hash(a), state_hash(b));
    EXPECT_EQ(a.losses.friction, b.losses.friction);
    EXPECT_EQ(a.losses.damping, b.losses.damping);
}

TEST(Clump, CannotLoseASphere)
{
    GranularWorld world = grains_of(0, 1);
    add_dumbbell(world, R, R, rho, {});
    SphereSystem system(world, {});
    EXPECT_THROW(system.remove({0}), InputError);
}

} // namespace
} // namespace stickslip::clump_test
