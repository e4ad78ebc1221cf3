#include "stickslip/world/diagnostics.h"

#include "stickslip/math/error.h"
#include "stickslip/world/time_step.h"

#include "support/worlds.h"

#include <set>

namespace stickslip::diagnostics_test {
namespace {

State rich_state()
{
    CubeWorld w(2);
    w.touch({.name = "floor", .solid = Plane{Vec3::UnitY()}}, 0.4, 1e6);
    Random random(1);
    State state = w.state();
    state.time = 0.25;
    state.v = random.vectors(state.x.size());
    state.clock = {.whole = 3, .sub = 1, .level = 2, .next_dt = 0.1};
    state.attachments = {{0, 1, 1, 0, OnSolid{0, Vec3(1, 2, 3)}}, {0, 1, 4, 0, OnSolid{0, Vec3(4, 5, 6)}}};
    return state;
}

TEST(StateHash, IsTheSameForTheSameStateAndHas32Digits)
{
    const std::string hash = state_hash(rich_state());
    EXPECT_EQ(hash, state_hash(rich_state()));
    EXPECT_EQ(hash.size(), 32u);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(StateHash, ChangesWithTheLastBitOfEveryNumber)
{
    const State state = rich_state();
    std::set<std::string> seen{state_hash(state)};
    std::size_t changes = 0;
    const auto expect_new = [&](const State& changed, const char* what) {
        ++changes;
        EXPECT_TRUE(seen.insert(state_hash(changed)).second) << what;
    };
    const auto nudge = [](double& value) { value = std::nextafter(value, infinity); };
    State s = state;
    nudge(s.time);
    expect_new(s, "time");
    for (std::size_t i = 0; i < state.x.size(); ++i)
        for (int c = 0; c < 3; ++c) {
            s = state;
            nudge(s.x[i][c]);
            expect_new(s, "x");
            s = state;
            nudge(s.v[i][c]);
            expect_new(s, "v");
        }
    for (std::size_t i = 0; i < 2; ++i) {
        for (int c = 0; c < 3; ++c) {
            s = state;
            nudge(std::get<OnSolid>(s.attachments[i].to).X[c]);
            expect_new(s, "X");
        }
        s = state;
        ++s.attachments[i].point;
        expect_new(s, "point");
        s = state;
        ++s.attachments[i].point_body;
        expect_new(s, "point body");
        s = state;
        ++std::get<OnSolid>(s.attachments[i].to).patch;
        expect_new(s, "patch");
        s = state;
        ++s.attachments[i].surface_body;
        expect_new(s, "surface body");
    }
    s = state;
    s.attachments.pop_back();
    expect_new(s, "fewer attachments");
    s = state;
    std::swap(s.x[0], s.x[1]);
    expect_new(s, "two nodes exchanged");
    s = state;
    std::swap(s.x, s.v);
    expect_new(s, "positions and velocities exchanged");
    EXPECT_EQ(seen.size(), changes + 1);
}

TEST(StateHash, LeavesOutTheClock)
{
    // a run in halved steps and one in whole steps that reach the same state have the same hash
    State s = rich_state();
    const std::string hash = state_hash(s);
    ++s.clock.whole;
    ++s.clock.level;
    EXPECT_EQ(state_hash(s), hash);
}

TEST(BodyPose, OfARigidlyMovedBodyIsItsMotion)
{
    Random random(2);
    CubeWorld w(3);
    const Vec3 centre = Vec3::Zero(); // of the rest shape
    for (int trial = 0; trial < 20; ++trial) {
        const Mat3 R = random.rotation();
        const Vec3 x = random.vector(), v = random.vector(), omega = random.vector(3);
        State state = w.state();
        for (std::size_t i = 0; i < state.x.size(); ++i) {
            const Vec3 r = R * (w.world.deformables.rest[i] - centre);
            state.x[i] = x + r;
            state.v[i] = v + omega.cross(r);
        }
        const BodyPose pose = body_pose(w.world, state, 0);
        EXPECT_CLOSE_ALL(pose.x, x, 1e-9);
        EXPECT_CLOSE_ALL(pose.R.toRotationMatrix(), R, 1e-12);
        EXPECT_CLOSE_ALL(pose.v, v, 1e-9);
        EXPECT_CLOSE_ALL(pose.w, omega, 1e-11);
    }
}

TEST(BodyPose, DoesNotSeeAStretch)
{
    Random random(3);
    CubeWorld w(2);
    const Mat3 R = random.rotation(), A = random.matrix(0.2);
    const Mat3 stretch = Mat3::Identity() + A + A.transpose();
    State state = w.state();
    for (std::size_t i = 0; i < state.x.size(); ++i)
        state.x[i] = R * stretch * w.world.deformables.rest[i];
    // exact as the inertia of this mesh is nearly that of a ball
    EXPECT_CLOSE_ALL(body_pose(w.world, state, 0).R.toRotationMatrix(), R, 1e-9);
}

TEST(BodyPose, LooksAtItsOwnBodyOnly)
{
    World world;
    const ElasticMaterial m = make_material(ElasticModel::linear, 1000, 1e5, 0.3, 0);
    add_deformable(world.deformables, "a", cube_mesh(0.2, 1), m);
    add_deformable(world.deformables, "b", cube_mesh(0.4, 1), m);
    finish(world.deformables);
    std::vector<Vec3> x = world.deformables.rest, v;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool second = world.deformables.body_of_node[i] == 1;
        x[i] += second ? Vec3(5, 0, 0) : Vec3(0, 7, 0);
        v.push_back(second ? Vec3(0, 0, 1) : Vec3(2, 0, 0));
    }
    const State state = initial_state(world, x, v);
    EXPECT_CLOSE_ALL(body_pose(world, state, 0).x, Vec3(0, 7, 0), 1e-12);
    EXPECT_CLOSE_ALL(body_pose(world, state, 1).x, Vec3(5, 0, 0), 1e-12);
    EXPECT_CLOSE_ALL(body_pose(world, state, 1).v, Vec3(0, 0, 1), 1e-12);
    const Momentum p = momentum(world, state);
    EXPECT_CLOSE_ALL(p.linear, Vec3(16, 0, 64), 1e-11);
    EXPECT_CLOSE_ALL(p.angular, Vec3(5, 0, 0).cross(Vec3(0, 0, 64)) + Vec3(0, 7, 0).cross(Vec3(16, 0, 0)), 1e-10);
    EXPECT_NEAR(energies(world, state).kinetic, 0.5 * (8 * 4 + 64), 1e-11);
}

TEST(Energies, AreThoseOfTheirDefinitions)
{
    CubeWorld w(2, 1e5, 0, 1);
    w.touch({.name = "floor", .solid = Plane{Vec3::UnitY()}}, 0.4, 500);
    DeformableBody& body = w.world.deformables.bodies[0];
    body.acceleration = Vec3(1, 0, 0);
    body.pressure = 300;
    State state = w.state();
    for (Vec3& p : state.x)
        p.x() += 3;
    state.x[0].y() = -0.2;
    state.attachments = {{.point_body = 0, .surface_body = 1, .point = 0, .to = OnSolid{0, state.x[0]}, .energy = 12},
        {.point_body = 0, .surface_body = 1, .point = 1, .to = OnSolid{0, state.x[1]}, .energy = 0.5}};
    const Energies e = energies(w.world, state);
    EXPECT_EQ(e.kinetic, 0);
    EXPECT_EQ(e.contact, 12.5);
    EXPECT_GT(e.elastic, 0);
    double weight = 0;
    for (std::size_t i = 0; i < state.x.size(); ++i)
        weight += w.world.deformables.mass[i] * (9.81 * state.x[i].y() - state.x[i].x());
    // the boundary moved at one corner only
    EXPECT_NEAR(e.potential - weight, 300 * 0.008, 300 * 0.008);
    EXPECT_EQ(e.total(), e.kinetic + e.potential + e.elastic + e.contact);
}

// A cube that slides to a stop: what its springs hold, from their forces.
TEST(Energies, OfContactsAreThoseOfTheirSprings)
{
    CubeWorld w(2);
    w.touch({.name = "floor", .solid = Plane{Vec3::UnitY()}}, 0.4, 500);
    State state = w.state();
    for (Vec3& v : state.v)
        v = Vec3(0.5, 0, 0);
    TimeStepper stepper(w.world, {.step = 0.01, .newton = {.tolerance = 1e-9}});
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(stepper.step(state).done);
        double energy = 0;
        stepper.system().contacts().for_each_contact(
            [&](const Contact& c) { energy += c.j.squaredNorm() / (2 * c.k); });
        EXPECT_NEAR(energies(w.world, state).contact, energy, 1e-12 * energy);
    }
    EXPECT_GT(energies(w.world, state).contact, 0);
}

TEST(InitialState, RefusesWhatDoesNotFit)
{
    CubeWorld w(1);
    EXPECT_NO_THROW(w.state());
    std::vector<Vec3> bad = w.x;
    bad[1].y() = nan;
    EXPECT_THROW(initial_state(w.world, bad, w.v), InputError);
    EXPECT_THROW(initial_state(w.world, w.x, bad), InputError);
    bad.pop_back();
    EXPECT_THROW(initial_state(w.world, bad, w.v), InputError);
    State state = w.state();
    state.attachments = {{0, 1, 4}, {0, 1, 1}};
    EXPECT_THROW(check(w.world, state), InputError);
    w.world.deformables.mass[0] = 0;
    EXPECT_THROW(w.state(), InputError);
}

TEST(AutomaticContactStiffness, BoundsTheRestPenetrationByOnePercentOfAnElement)
{
    const double pressure = 1000 * 9.81 * CubeWorld::size; // [Pa]
    for (const double young : {1e4, 1e5, 1e7})
        for (const int cells : {1, 2, 4, 6}) {
            CubeWorld w(cells, young, 0.1);
            w.touch({.name = "floor", .solid = Plane{Vec3::UnitY()}}, 0.5, automatic_contact_stiffness(w.world, 0, w.x),
                true);
            StepOptions options{.step = 0.02};
            options.newton.tolerance = automatic_tolerance(w.world, options.step);
            TimeStepper stepper(w.world, options);
            State state = w.state();
            double penetration = 0, speed = 0;
            for (int n = 0; n < 300; ++n) {
                const StepReport report = stepper.step(state);
                ASSERT_TRUE(report.done);
                penetration = report.max_contact_depth;
                speed = norm_all(state.v);
                if (n > 20 && speed < 1e-6)
                    break;
            }
            EXPECT_LT(speed, 1e-3) << "came to rest";
            // nodes of edges also have a share of the sides, so the least is a third: where all nodes are corners
            const double h = w.world.deformables.bodies[0].element_size;
            const double share = penetration / (h * std::min(0.01, pressure / (10 * young)));
            EXPECT_LE(share, 1) << "E " << young << ", cells " << cells;
            EXPECT_GT(share, 1.0 / 3) << "E " << young << ", cells " << cells;
        }
}

TEST(AutomaticContactStiffness, IsAsDocumented)
{
    for (const double young : {1e3, 1e4, 1.9e4, 2e4, 1e5, 1e7})
        for (const int cells : {1, 2, 4}) {
            CubeWorld w(cells, young);
            const DeformableBody& body = w.world.deformables.bodies[0];
            const double h = body.element_size, pressure = body.mass * 9.81 / 0.04;
            EXPECT_NEAR(pressure, 1962, 1e-9); // 0.01 of it equals 10 E at E = 19620
            const auto kappa = [&] { return automatic_contact_stiffness(w.world, 0, w.x); };
            EXPECT_NEAR(kappa() / (std::max(10 * young, pressure / 0.01) / h), 1, 1e-12) << young;
            w.world.gravity *= 1e5;
            EXPECT_NEAR(kappa() / (1e5 * pressure / 0.01 / h), 1, 1e-12) << young;
            w.world.gravity.setZero();
            EXPECT_NEAR(kappa() / (10 * young / h), 1, 1e-12) << young;
        }
}

} // namespace
} // namespace stickslip::diagnostics_test
