#include "body_scenes.h"

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/dem/contact_list.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/error.h"
#include "stickslip/math/rotation.h"

#include <tbb/global_control.h>

namespace stickslip::rigid_bodies_test {
namespace {

constexpr double R = 0.01, rho = 2000;

/// A free box of 60 x 20 x 40 mm that a sphere is about to hit from above, at x = 22 mm.
GranularWorld struck_box(NormalLaw law, double restitution, double friction)
{
    GranularWorld world =
        one_material({.density = rho, .young = 1e9, .friction = friction, .restitution = restitution}, law);
    add_box(world, Vec3(0.06, 0.02, 0.04), rho, {});
    return world;
}
const Vec3 struck_at(0.022, 0.01, -0.007);

TEST(RigidBody, ASphereThatHitsItOffItsCentreGivesTheImpulseOfTheClosedForm)
{
    for (const NormalLaw law : {NormalLaw::linear, NormalLaw::hertz}) {
        for (const double e : {1.0, 0.5}) {
            GranularWorld world = struck_box(law, e, 0);
            const double speed = 0.1, m = mass_of(R, rho);
            const RigidBody& box = world.bodies[0].rigid;
            SphereSystem system(
                world, {{.x = struck_at + Vec3(0, R + 1e-8, 0), .radius = R, .v = Vec3(0.3, -speed, 0)}});
            while (system.touching() == 0)
                ASSERT_TRUE(system.step());
            while (system.touching() > 0)
                ASSERT_TRUE(system.step());
            const Vec3 n = -Vec3::UnitY(), lever = struck_at.cross(n);
            const double both = 1 / m + 1 / box.mass + lever.dot(box.inertia.inverse() * lever);
            const double impulse = (1 + e) * speed / both;
            const BodyMotion& after = system.state().bodies[0];
            EXPECT_NEAR(after.v.y(), -impulse / box.mass, 2e-3 * impulse / box.mass) << static_cast<int>(law) << e;
            const Vec3 w = box.inertia.inverse() * (impulse * lever);
            EXPECT_CLOSE_ALL(after.w, w, 4e-3 * w.norm());
            EXPECT_NEAR(motion_of(system, 0).v.y(), -speed + impulse / m, 2e-3 * speed);
            EXPECT_NEAR(motion_of(system, 0).v.x(), 0.3, 1e-4); // no friction; the box tilts while they touch
        }
    }
}

/// Spheres, boxes and clumps that fly at each other in empty space.
SphereSystem crowd(NormalLaw law, const Vec3& gravity = Vec3::Zero())
{
    GranularWorld world = one_material(
        {.density = rho, .young = 1e6, .friction = 0.4, .restitution = 0.7, .rolling_friction = 0.05}, law);
    world.ledger = true;
    world.gravity = gravity;
    Random random(17);
    const auto start = [&](const Vec3& x) {
        return RigidState{.x = x, .R = Quat(rotation_exp(random.vector(2))), .v = -20 * x, .w = random.vector(30)};
    };
    add_box(world, Vec3(0.06, 0.02, 0.04), rho, start(Vec3(0, -0.06, 0)));
    add_box(world, Vec3(0.05, 0.05, 0.05), 500, start(Vec3(0, 0.07, 0)));
    add_dumbbell(world, R, 1.5 * R, rho, start(Vec3(0.07, 0, 0)));
    add_dumbbell(world, R, 0.5 * R, rho, start(Vec3(-0.07, 0, 0.01)));
    std::vector<Grain> grains;
    for (int i = 0; i < 8; ++i) {
        const Vec3 x = 0.025 * Vec3(i & 1 ? 1 : -1, i & 2 ? 0.5 : -0.5, i & 4 ? 1 : -1);
        grains.push_back({.x = x, .radius = R, .v = random.vector(0.5), .w = random.vector(20)});
    }
    return {world, grains};
}

TEST(RigidBody, ForcesAreBalancedInEveryStep)
{
    for (const NormalLaw law : {NormalLaw::linear, NormalLaw::hertz}) {
        SphereSystem system = crowd(law);
        const Momenta first = momenta(system);
        std::size_t solids = 0, most = 0;
        for (int step = 0; step < 2000; ++step) {
            ASSERT_TRUE(system.step());
            const Momenta now = momenta(system);
            EXPECT_CLOSE_ALL(now.linear, first.linear, 1e-14);
            EXPECT_CLOSE_ALL(now.angular, first.angular, 1e-15);
            most = std::max(most, system.touching());
            for (const GranularContact& c : list_contacts(system))
                solids += c.first < 0;
        }
        EXPECT_GT(most, 2u);
        EXPECT_GT(solids, 10u); // boxes met too
    }
}

TEST(RigidBody, TheLedgerClosesWithTheSquareOfTheStep)
{
    const SphereSystem model = crowd(NormalLaw::linear, Vec3(1, -2, 0));
    const auto error = [&](int refinement) {
        GranularWorld world = model.world();
        world.dt = 0.5 * model.dt() / refinement;
        world.bodies[0].rigid.force = Vec3(0, 0.3, 0.2);
        world.bodies[0].rigid.torque = Vec3(0.002, 0, 0.001);
        world.bodies[2].rigid.acceleration = Vec3(0, 0, 3);
        std::vector<Grain> grains;
        for (int id = 0; id < 8; ++id)
            grains.push_back(
                {.x = place_of(model, id).x, .radius = R, .v = motion_of(model, id).v, .w = motion_of(model, id).w});
        SphereSystem system(world, grains);
        EXPECT_TRUE(system.step(2000 * refinement));
        const EnergyLedger e = system.ledger();
        EXPECT_GT(e.friction_loss, 0);
        EXPECT_GT(e.damping_loss, 0);
        EXPECT_NE(e.load_work, 0);
        return std::abs(e.imbalance()) / (e.first + std::abs(e.gravity_work) + std::abs(e.load_work));
    };
    const double coarse = error(1), fine = error(8);
    EXPECT_LT(coarse, 5e-4);
    EXPECT_LT(fine, coarse / 25); // 64, less what steps in which contacts begin and end leave to chance
}

TEST(RigidBody, LocalDampingIsInTheLedger)
{
    const SphereSystem model = crowd(NormalLaw::linear);
    GranularWorld world = model.world();
    world.local_damping = 0.2;
    world.dt = 0.2 * model.dt();
    SphereSystem system(world, {});
    ASSERT_TRUE(system.step(20000));
    const EnergyLedger e = system.ledger();
    EXPECT_GT(e.local_damping_loss, 0.01 * e.first);
    EXPECT_LT(std::abs(e.imbalance()), 1e-3 * e.first);
}

TEST(RigidBody, APlateOnABedOfSpheresTakesUpTheMomentumThatItIsGiven)
{
    GranularMaterial sand{.density = rho, .young = 1e6, .friction = 0.4, .restitution = 0.3};
    GranularWorld world = one_material(sand);
    world.gravity = Vec3(0, -9.81, 0);
    world.walls = {flat_wall(Vec3::UnitY())};
    const int plate = add_box(world, Vec3(0.1, 0.01, 0.1), 1000, {.x = Vec3(0, 0.03, 0), .v = Vec3(0, -0.5, 0)});
    world.bodies[plate].rigid.fixed[3] = true;
    std::vector<Grain> grains;
    for (int i = 0; i < 16; ++i)
        grains.push_back({.x = Vec3(0.025 * (i % 4) - 0.0375, R, 0.025 * (i / 4) - 0.0375), .radius = R});
    SphereSystem system(world, grains);
    double mass = 0;
    for (const MovingPart& part : system.moving_parts())
        mass += part.mass;
    Vec3 impulse = Vec3::Zero(); // by the trapezoidal rule, which is what the kicks are
    const Vec3 first = momenta(system).linear;
    for (int step = 0; step < 20000; ++step) {
        impulse -= 0.5 * system.dt() * system.state().wall_load[0].force;
        ASSERT_TRUE(system.step());
        impulse += mass * system.dt() * world.gravity - 0.5 * system.dt() * system.state().wall_load[0].force;
        EXPECT_CLOSE_ALL((momenta(system).linear - first).eval(), impulse, 1e-12);
    }
    // at rest the spheres carry the plate, the floor carries all
    const double weight = world.bodies[plate].rigid.mass * 9.81;
    EXPECT_NEAR(system.state().body_load[plate].force.y(), weight, 1e-6 * weight);
    EXPECT_NEAR(system.state().wall_load[0].force.y(), -mass * 9.81, 1e-6 * mass * 9.81);
    EXPECT_LT(system.state().bodies[plate].v.norm(), 1e-7);
}

TEST(RigidBody, ABoxOnAnInclineSticksAndSlidesAsCoulombSays)
{
    const double slope = 0.3; // [rad]
    for (const double friction : {0.35, 0.2}) {
        GranularWorld world = one_material({.density = rho, .young = 1e7, .friction = friction, .restitution = 0.3});
        world.gravity = 9.81 * Vec3(std::sin(slope), -std::cos(slope), 0);
        world.walls = {flat_wall(Vec3::UnitY())};
        add_box(world, Vec3(0.06, 0.02, 0.04), rho, {.x = Vec3(0, 0.01, 0)});
        SphereSystem system(world, {});
        const double settled = 0.1, end = 0.3;
        ASSERT_TRUE(system.step(static_cast<int>(settled / system.dt())));
        const BodyMotion before = system.state().bodies[0];
        const double then = system.state().time;
        ASSERT_TRUE(system.step(static_cast<int>(end / system.dt())));
        const BodyMotion& after = system.state().bodies[0];
        const double rate = friction > std::tan(slope) ? 0 : 9.81 * (std::sin(slope) - friction * std::cos(slope));
        EXPECT_NEAR((after.v - before.v).x() / (system.state().time - then), rate, 1e-4);
        EXPECT_NEAR(after.v.z(), 0, 1e-9);
        if (rate == 0) {
            EXPECT_LT((after.x - before.x).norm(), 1e-9);
        }
    }
}

TEST(RigidBody, BoxesStandOnEachOther)
{
    GranularWorld world = one_material({.density = rho, .young = 1e7, .friction = 0.5, .restitution = 0.3});
    world.gravity = Vec3(0, -9.81, 0);
    world.walls = {flat_wall(Vec3::UnitY())};
    for (int i = 0; i < 3; ++i)
        add_box(world, Vec3(0.06, 0.02, 0.04), rho,
            {.x = Vec3(0.005 * i, 0.01 + 0.02 * i, 0.003 * i), .R = Quat(rotation_exp(Vec3(0, 0.1 * i, 0)))});
    for (GranularWall& wall : world.walls) { // points on the edges, too: these cross
        if (wall.body < 0)
            continue;
        wall.points.clear();
        const TriMesh surface = triangulate(std::get<Box>(std::get<LevelSet>(wall.shape)), 1);
        for (const SurfaceSample& s : surface_samples(surface, 0.01, Vec3::Zero()))
            wall.points.push_back({.z = s.z, .weight = s.weight});
    }
    SphereSystem system(world, {});
    ASSERT_TRUE(system.step(static_cast<int>(0.5 / system.dt())));
    const double weight = world.bodies[0].rigid.mass * 9.81;
    EXPECT_NEAR(system.state().wall_load[0].force.y(), -3 * weight, 1e-6 * weight);
    for (int i = 0; i < 3; ++i) {
        EXPECT_LT(system.state().bodies[i].v.norm(), 1e-8) << i;
        EXPECT_NEAR(system.state().bodies[i].x.y(), 0.01 + 0.02 * i, 3e-5) << i;
    }
}

TEST(RigidBody, HeldMotionsStayHeld)
{
    GranularWorld world = struck_box(NormalLaw::linear, 0.5, 0.3);
    world.bodies[0].rigid.fixed = {true, true, true, true, true, false}; // a seesaw about z
    SphereSystem system(world, {{.x = struck_at + Vec3(0, R + 1e-8, 0), .radius = R, .v = Vec3(0.3, -1, 0)}});
    ASSERT_TRUE(system.step(2000));
    EXPECT_EQ(system.state().bodies[0].x, Vec3(0, 0, 0));
    EXPECT_EQ(system.state().bodies[0].w.head<2>(), Vec3::Zero().head<2>());
    EXPECT_LT(system.state().bodies[0].w.z(), -0.1);
}

TEST(RigidBody, GivesTheSameBitsWithAnyThreadsAndAfterARestore)
{
    const auto run = [&](std::size_t threads, int stop) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        SphereSystem system = crowd(NormalLaw::hertz, Vec3(0, -1, 0));
        system.step(stop);
        const GranularState kept = system.state();
        system.step(30);
        system.restore(kept);
        system.step(1000 - stop);
        return system.state();
    };
    const GranularState a = run(1, 333), b = run(2, 700);
    EXPECT_EQ(state_hash(a), state_hash(b));
    EXPECT_EQ(a.losses.friction, b.losses.friction);
    EXPECT_EQ(a.load_work, b.load_work);
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        EXPECT_EQ(a.bodies[i].x, b.bodies[i].x);
        EXPECT_EQ(a.bodies[i].L, b.bodies[i].L);
        EXPECT_EQ(a.bodies[i].R.coeffs(), b.bodies[i].R.coeffs());
    }
}

TEST(RigidBody, FaultyInputIsRejected)
{
    GranularWorld world = struck_box(NormalLaw::linear, 1, 0);
    world.bodies[0].rigid.mass = 0;
    EXPECT_THROW(SphereSystem(world, {}), InputError);
    world = struck_box(NormalLaw::linear, 1, 0);
    world.walls[0].body = 1;
    EXPECT_THROW(SphereSystem(world, {}), InputError);
    world = struck_box(NormalLaw::linear, 1, 0);
    world.box.size = Vec3::Constant(0.07); // it would touch its own image
    EXPECT_THROW(SphereSystem(world, {}), InputError);
    world = struck_box(NormalLaw::linear, 1, 0);
    world.walls[0].shape = Plane{};
    EXPECT_THROW(SphereSystem(world, {}), InputError);
}

} // namespace
} // namespace stickslip::rigid_bodies_test
