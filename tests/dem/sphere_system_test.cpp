#include "granular_scenes.h"

#include "stickslip/math/error.h"

#include <tbb/global_control.h>

#include <algorithm>

namespace stickslip::sphere_system_test {
namespace {

constexpr double R = 0.01;

TEST(EnergyLedger, ClosesWithTheSquareOfTheStep)
{
    // Hertz's dashpot begins as overlap^(1/4), which costs order: 5/4
    for (const auto& [law, gain] : {std::pair(NormalLaw::linear, 150.0), std::pair(NormalLaw::hertz, 12.0)}) {
        const double side = 0.09;
        GranularWorld world = tumbling_box(law, side);
        world.walls[1].motion.velocity = Vec3(-0.05, 0, 0);
        const std::vector<Grain> grains = lattice_grains(4, R, 5);
        const double longest = 0.5 * stable_time_step(world, grains);
        const auto error = [&](int refinement) {
            world.dt = longest / refinement;
            SphereSystem system(world, grains);
            EXPECT_TRUE(system.step(300 * refinement));
            const EnergyLedger e = system.ledger();
            EXPECT_GT(e.friction_loss, 0);
            EXPECT_GT(e.damping_loss, 0);
            EXPECT_GT(e.rolling_loss, 0);
            return std::abs(e.imbalance()) / (e.first + std::abs(e.gravity_work));
        };
        const double coarse = error(1), fine = error(16);
        EXPECT_LT(coarse, 1e-4);
        EXPECT_LT(fine, coarse / gain);
    }
}

TEST(SphereSystem, GivesTheSameBitsWithOneAndTwoThreads)
{
    const double side = 16 * 2.05 * R;
    const auto run = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        SphereSystem system(tumbling_box(NormalLaw::linear, side), lattice_grains(16, R, 6));
        system.step(200);
        return system.state();
    };
    const GranularState a = run(1), b = run(2);
    EXPECT_GT(a.rebuilds, 2);
    for (std::size_t i = 0; i < a.spheres.size(); ++i) {
        ASSERT_EQ(a.spheres.id[i], b.spheres.id[i]);
        ASSERT_EQ(a.spheres.place[i].x, b.spheres.place[i].x);
        ASSERT_EQ(a.spheres.motion[i].w, b.spheres.motion[i].w);
    }
    EXPECT_EQ(a.wall_load[4].force, b.wall_load[4].force);
    EXPECT_EQ(a.losses.friction, b.losses.friction);
}

TEST(SphereSystem, ContinuesARestoredStateWithTheSameBits)
{
    const double side = 7 * 2.05 * R;
    const GranularWorld world = tumbling_box(NormalLaw::hertz, side);
    SphereSystem whole(world, lattice_grains(7, R, 7)), part(world, lattice_grains(7, R, 7));
    whole.step(400);
    part.step(137); // in the middle of a list
    const GranularState kept = part.state();
    part.step(50);
    part.restore(kept);
    part.step(200);
    part.step(63);
    const GranularState &a = whole.state(), &b = part.state();
    for (std::size_t i = 0; i < a.spheres.size(); ++i) {
        ASSERT_EQ(a.spheres.place[i].x, b.spheres.place[i].x);
        ASSERT_EQ(a.spheres.motion[i].v, b.spheres.motion[i].v);
    }
    EXPECT_EQ(a.losses.damping, b.losses.damping);
    EXPECT_EQ(a.wall_work, b.wall_work);
}

TEST(SphereSystem, ChoosesASkinThatMissesNoContactAndLastsLonger)
{
    GranularWorld world = tumbling_box(NormalLaw::linear, 6 * 2.05 * R);
    world.ledger = false;
    const std::vector<Grain> grains = lattice_grains(6, R, 9, 2);
    GranularWorld narrow = world;
    narrow.skin = 0.05 * R;
    SphereSystem chosen(world, grains), fixed(narrow, grains);
    ASSERT_TRUE(chosen.step(150));
    ASSERT_TRUE(fixed.step(150));
    EXPECT_GT(chosen.state().skin, 0.15 * R); // it has grown
    EXPECT_LT(3 * chosen.state().rebuilds, fixed.state().rebuilds);
    EXPECT_GT(chosen.touching(), 50u);
    EXPECT_EQ(chosen.touching(), fixed.touching());
    for (int id = 0; id < static_cast<int>(grains.size()); ++id) { // sums of another order, no more
        EXPECT_CLOSE_ALL(place_of(chosen, id).x, place_of(fixed, id).x, 1e-9 * R);
        EXPECT_CLOSE_ALL(motion_of(chosen, id).v, motion_of(fixed, id).v, 1e-9);
    }
}

GranularWorld on_a_floor()
{
    GranularWorld world = one_material({.density = 2500, .young = 1e6, .restitution = 0.5});
    world.materials.push_back(world.materials.front()); // lattice_grains has two
    world.gravity = Vec3(0, 0, -9.81);
    world.walls = {flat_wall(Vec3::UnitZ())};
    return world;
}

/// A blade that turns above spheres on a floor.
GranularWorld turning_blade(double speed)
{
    GranularWorld world = on_a_floor();
    world.walls = {flat_wall(Vec3::UnitZ()), {.name = "blade", .shape = Box{Vec3(4 * R, R, 0.5 * R)}}};
    world.walls[1].start.x = Vec3(6 * R, 6 * R, 16 * R);
    world.walls[1].motion.angular_velocity = Vec3(0, 0, speed);
    return world;
}

TEST(SphereSystem, AStraySphereFarAwayMakesNoListsBesideATurningWall)
{
    const GranularWorld world = turning_blade(20);
    std::vector<Grain> grains = lattice_grains(5, R, 7, 0.1);
    SphereSystem without(world, grains);
    grains.push_back({.x = Vec3(1000 * R, 0, 5 * R), .radius = R});
    SphereSystem with(world, grains);
    ASSERT_TRUE(without.step(1000));
    ASSERT_TRUE(with.step(1000));
    EXPECT_GT(without.state().rebuilds, 10); // the blade makes them
    EXPECT_LE(with.state().rebuilds, without.state().rebuilds + 2);
}

TEST(SphereSystem, AWallOfAnySizeCountsByTheSpheresThatAreNearItsAxis)
{
    GranularWorld small = turning_blade(20), large = small;
    large.walls[1].shape = Box{Vec3(1000 * R, R, 0.5 * R)};
    SphereSystem a(small, lattice_grains(5, R, 7, 0.1)), b(large, lattice_grains(5, R, 7, 0.1));
    ASSERT_TRUE(a.step(300));
    ASSERT_TRUE(b.step(300));
    EXPECT_LE(b.state().rebuilds, 10 * a.state().rebuilds); // 250 times as long
}

TEST(SphereSystem, AFallingStrayMakesNoListsAndMeetsWhatItFallsOn)
{
    GranularWorld world = on_a_floor();
    world.dt = 2e-4;
    std::vector<Grain> grains = lattice_grains(5, R, 7, 0.01);
    SphereSystem without(world, grains);
    grains.push_back({.x = Vec3(5 * R, 5 * R, 100 * R), .radius = R});
    SphereSystem chosen(world, grains);
    GranularWorld narrow = world;
    narrow.skin = 1e-3 * R; // always new lists
    SphereSystem fixed(narrow, grains);
    const double fall = std::sqrt(2 * 85 * R / 9.81);
    const int falling = static_cast<int>(fall / world.dt);
    ASSERT_TRUE(without.step(falling));
    ASSERT_TRUE(chosen.step(falling));
    EXPECT_LE(chosen.state().rebuilds, without.state().rebuilds + 2);
    ASSERT_TRUE(fixed.step(falling));
    ASSERT_TRUE(chosen.step(200)); // it lands
    ASSERT_TRUE(fixed.step(200));
    const int stray = static_cast<int>(grains.size()) - 1;
    EXPECT_GT(motion_of(chosen, stray).v.z(), -0.9 * 9.81 * chosen.state().time);
    // sums of another order, which the heap makes more of: a missed contact would be some R
    EXPECT_CLOSE_ALL(place_of(chosen, stray).x, place_of(fixed, stray).x, 1e-3 * R);
}

TEST(SphereSystem, RejectsFaultyInput)
{
    GranularWorld world = one_material({});
    EXPECT_THROW(SphereSystem(world, {{.x = Vec3(nan, 0, 0), .radius = R}}), InputError);
    EXPECT_THROW(SphereSystem(world, {{.x = Vec3::Zero(), .radius = 0}}), InputError);
    EXPECT_THROW(SphereSystem(world, {{.x = Vec3::Zero(), .radius = R, .material = 1}}), InputError);
    EXPECT_THROW(SphereSystem(GranularWorld{}, {}), InputError);
    world.box.size = Vec3::Constant(3 * R);
    EXPECT_THROW(SphereSystem(world, {{.x = Vec3::Zero(), .radius = R}}), InputError);
}

TEST(SphereSystem, SaysWhenAPlaceStopsBeingANumber)
{
    for (const double speed : {nan, infinity, 1e200}) { // the last: its square is no number
        SphereSystem system(one_material({}), {{.x = Vec3::Zero(), .radius = R}, {.x = Vec3(1, 0, 0), .radius = R}});
        EXPECT_TRUE(system.step());
        GranularState state = system.state();
        state.spheres.motion[1].v[2] = speed;
        system.restore(state);
        EXPECT_FALSE(system.step(3));
    }
}

TEST(PeriodicBox, SphereThatLeavesMeetsOthersOnTheFarSide)
{
    GranularWorld world = one_material({.density = 2000, .young = 1e6, .friction = 0.3, .restitution = 0.9});
    world.box.size = Vec3(0.1, 0.1, 0.1);
    // the same collision in the middle of the box and across its corner
    const auto collide = [&](const Vec3& shift) {
        SphereSystem system(world,
            {{.x = shift + Vec3(-0.011, 0.001, 0), .radius = R, .v = Vec3(1, 0.1, 0.3)},
                {.x = shift + Vec3(0.011, 0, 0), .radius = R, .v = Vec3(-0.5, 0, 0)}});
        system.step(3000);
        return std::pair(motion_of(system, 0), motion_of(system, 1));
    };
    const auto [a, b] = collide(Vec3::Constant(0.05));
    EXPECT_GT(std::abs(a.w[2]), 0.1); // they did meet
    for (const Vec3& shift : {Vec3(0, 0.05, 0.05), Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0), Vec3(0.5, -3, 0.03)}) {
        const auto [c, d] = collide(shift);
        EXPECT_CLOSE_ALL(c.v, a.v, 1e-9);
        EXPECT_CLOSE_ALL(d.w, b.w, 1e-7);
    }
}

TEST(PeriodicBox, GasKeepsItsMomentum)
{
    GranularWorld world = one_material({.density = 2000, .young = 1e6, .friction = 0.3});
    std::vector<Grain> grains = lattice_grains(6, R, 8, 2);
    for (Grain& g : grains)
        g.material = 0;
    world.box.size = Vec3::Constant(6 * 2.05 * R);
    SphereSystem system(world, grains);
    const auto momentum = [&] {
        Vec3 p = Vec3::Zero();
        for (const SphereMotion& m : system.state().spheres.motion)
            p += m.v / m.inverse_mass;
        return p;
    };
    const Vec3 before = momentum();
    ASSERT_TRUE(system.step(2000));
    EXPECT_GT(system.state().rebuilds, 5);
    EXPECT_CLOSE_ALL(momentum(), before, 1e-13);
    for (const SpherePlace& s : system.state().spheres.place)
        EXPECT_LT(
            (s.x - 0.5 * world.box.size).cwiseAbs().maxCoeff(), 0.5 * world.box.size[0] + world.box.size[0] * 0.1);
}

TEST(SphereSystem, SpheresThatLeaveTakeTheirContactsAlongAndNoOthers)
{
    // three rows side by side that never touch: what happens to one is nothing to the others
    GranularMaterial m{.density = 1000, .young = 1e6, .friction = 0.5, .restitution = 0.5, .rolling_friction = 0.1};
    GranularWorld world = one_material(m);
    world.gravity = Vec3(0.5, 0, -10);
    world.walls = {flat_wall(Vec3::UnitZ())};
    world.dt = 1e-4;
    world.skin = 0.01;
    world.ledger = true;
    std::vector<Grain> grains;
    for (int i = 0; i < 15; ++i)
        grains.push_back({.x = Vec3(0.1002 * (i % 5), i / 5, 0.0501), .radius = 0.05, .v = Vec3(0.1 * (i % 2), 0, 0)});
    SphereSystem all(world, grains), some(world, {grains.begin(), grains.begin() + 10});
    all.step(500);
    some.step(500);
    std::vector<int> leaving;
    for (int id = 5; id < 10; ++id)
        leaving.push_back(all.slots()[id]);
    std::sort(leaving.begin(), leaving.end());
    all.remove(leaving);
    some.insert({grains.begin() + 10, grains.end()});
    all.step(500);
    some.step(500);
    EXPECT_EQ(all.state().spheres.size(), 10u);
    EXPECT_EQ(all.slots()[7], -1);
    for (int id = 0; id < 5; ++id)
        EXPECT_CLOSE_ALL(place_of(all, id).x, place_of(some, id).x, 1e-12);
    for (int id = 10; id < 15; ++id) // the third row, later in the second system
        EXPECT_NEAR(place_of(all, id).x.y(), place_of(some, id).x.y(), 1e-12);
    const EnergyLedger a = all.ledger(), b = some.ledger();
    EXPECT_LT(std::abs(a.imbalance()), 0.01 * (a.lost() + a.stored()));
    EXPECT_LT(std::abs(b.imbalance()), 0.01 * (b.lost() + b.stored()));
}

} // namespace
} // namespace stickslip::sphere_system_test
