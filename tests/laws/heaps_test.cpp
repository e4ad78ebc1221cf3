#include "laws/rigid_world.h"

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/separating_axes.h"
#include "stickslip/math/rotation.h"
#include "support/numeric.h"
#include "support/threads.h"

#include <gtest/gtest.h>

#include <numeric>

namespace stickslip::laws::heaps_test {
namespace {

constexpr double g = 9.81;

/// A square bin, its walls `half` from the middle.
void add_bin(RigidWorld& w, double half)
{
    for (const Vec3& n : {Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
        w.plane(n);
        if (n.y() == 0)
            w.world.obstacles.back().start.x = -half * n;
    }
}

/// Twelve of a kind tossed into a bin, turned at random and tumbling.
template <typename Shape>
RigidWorld tossed(const Shape& shape, double half, double apart, unsigned seed)
{
    RigidWorld w(0.01);
    add_bin(w, half);
    Random random(seed);
    for (int i = 0; i < 12; ++i) {
        const Vec3 place(i % 2 - 0.5, 1 + i / 4, i / 2 % 2 - 0.5);
        w.rimmed(shape, 700, apart * place, random.rotation(), Vec3(0, -1, 0) + random.vector(0.7), random.vector(6));
    }
    return w;
}

struct Fate {
    int steps = 0, iterations = 0, failed = 0, most_contacts = 0;
    double deepest = 0; // [m]
};

Fate run(TimeStepper& stepper, State& state, double t)
{
    Fate fate;
    run_to(stepper, state, t, [&](const StepReport& report) {
        ++fate.steps;
        fate.iterations += report.newton.iterations;
        fate.failed += report.failed_solves();
        fate.most_contacts = std::max(fate.most_contacts, report.contacts);
        stepper.system().contacts().for_each_contact(
            [&](const Contact& c) { fate.deepest = std::max(fate.deepest, c.at.depth); });
    });
    return fate;
}

double fastest(const State& state)
{
    double speed = 0;
    for (const RigidState& r : state.rigid)
        speed = std::max(speed, r.v.norm());
    return speed;
}

struct Grid {
    int x, y, z;
    double friction, step, off; // [-], [s], [m] how far each box is put from its place at the most
};

/// Boxes that touch all their neighbours, on a plane.
RigidWorld grid_of_touching_boxes(const Grid& grid)
{
    RigidWorld w(grid.step);
    w.plane(Vec3::UnitY());
    Random random(1);
    for (int i = 0; i < grid.x; ++i)
        for (int j = 0; j < grid.y; ++j)
            for (int k = 0; k < grid.z; ++k)
                w.box(Vec3::Constant(0.2), 1000, Vec3(0.2 * i, 0.1 + 0.2 * j, 0.2 * k) + random.vector(grid.off));
    for (RigidBody& body : w.world.rigids)
        body.samples = surface_samples(triangulate(Box{Vec3::Constant(0.2)}, 1), 0.1, Vec3::Zero());
    return w;
}

// Corners stand on corners and edges on edges, each flush with three faces of each neighbour. Boxes that are
// neighbours over an edge or a corner stand beside each other, also when the columns have sunk: they do not touch.
TEST(Heap, OfBoxesThatStartTouchingOnAllSidesStandsStill)
{
    constexpr double dt = 1.0 / 60;
    for (const Grid& grid : {Grid{2, 2, 2, 0.5, dt, 0}, Grid{2, 2, 2, 0.5, 0.005, 0}, Grid{3, 2, 2, 0, dt, 0},
             Grid{3, 2, 2, 0.5, dt, 0}, Grid{3, 3, 3, 0, dt, 0}, Grid{3, 3, 3, 0.5, dt, 0}, Grid{3, 3, 3, 1, dt, 0},
             Grid{3, 3, 3, 0.5, dt, 5e-8}}) {
        SCOPED_TRACE(testing::Message() << grid.x << " x " << grid.y << " x " << grid.z << ", mu " << grid.friction
                                        << ", dt " << grid.step << ", off " << grid.off);
        RigidWorld w = grid_of_touching_boxes(grid);
        State state = w.start(grid.friction);
        const State first = state;
        TimeStepper stepper(w.world, w.options());
        const Fate fate = run(stepper, state, 1);
        EXPECT_EQ(fate.failed, 0);
        EXPECT_LT(fate.iterations, 6 * fate.steps);
        double kinetic = 0; // [J]
        for (std::size_t b = 0; b < state.rigid.size(); ++b) {
            const Vec3 way = state.rigid[b].x - first.rigid[b].x;
            EXPECT_LT(way.norm(), 3e-4) << "box " << b << " sinks as springs give way";
            EXPECT_LT(std::hypot(way.x(), way.z()), 1e-9 + 4 * grid.off) << "box " << b;
            kinetic += 0.5 * w.world.rigids[b].mass * state.rigid[b].v.squaredNorm();
        }
        EXPECT_LT(kinetic, 1e-12);
    }
}

// Edge on edge to the last bit, at speed: they stop each other, and springs give back no more than they took.
TEST(Heap, EdgesThatBeginOnEachOtherMeet)
{
    for (const double step : {1.0 / 60, 1.0 / 240}) {
        RigidWorld w(step, Vec3::Zero());
        const Mat3 on_edge = rotation_exp(Vec3(0, 0, M_PI / 4));
        const double half = 0.1 * std::sqrt(2.0);
        w.box(Vec3::Constant(0.2), 1000, Vec3(0, -half, 0), on_edge);
        w.hold();
        w.box(Vec3::Constant(0.2), 1000, Vec3(0, half, 0), on_edge, Vec3(0, -1, 0));
        for (RigidBody& body : w.world.rigids)
            body.samples = surface_samples(triangulate(Box{Vec3::Constant(0.2)}, 1), 0.1, Vec3::Zero());
        State state = w.start(0);
        TimeStepper stepper(w.world, w.options());
        run(stepper, state, step);
        EXPECT_GT(state.rigid[1].v.y(), -0.9) << step << ": in the step in which they meet, not later";
        const Fate fate = run(stepper, state, 0.5);
        EXPECT_LT(fate.deepest, 1e-3) << step;
        EXPECT_LE(state.rigid[1].v.norm(), 1) << step;
        const Mat3 R = on_edge.transpose() * state.rigid[1].R.toRotationMatrix();
        const ConvexFeatures cube = *convex_features(Box{Vec3::Constant(0.2)});
        EXPECT_LT(overlap(cube, cube, {on_edge.transpose() * (state.rigid[1].x - state.rigid[0].x), R}), 1e-3) << step;
    }
}

TEST(Heap, OfTwelveRingsComesToRest)
{
    const Torus ring{0.1, 0.03};
    RigidWorld w = tossed(ring, 0.3, 0.28, 1);
    State state = w.start(0.4);
    TimeStepper stepper(w.world, w.options());
    const Fate fate = run(stepper, state, 2.5);
    EXPECT_EQ(fate.failed, 0);
    EXPECT_LT(fate.deepest, 0.05 * ring.minor);
    EXPECT_LT(fastest(state), 1e-2);
}

/// Boxes turned at random, `count` of them, on a grid over the floor of a bin.
RigidWorld grid_of_boxes(int count, unsigned seed)
{
    RigidWorld w(1.0 / 60);
    add_bin(w, 0.6);
    Random random(seed);
    for (int i = 0; i < count; ++i)
        w.box(Vec3::Constant(0.2), 1000, Vec3(0.36 * (i % 3 - 1), 0.2 + 0.36 * (i / 9), 0.36 * (i / 3 % 3 - 1)),
            random.rotation());
    return w;
}

// What was hard in one step is hard in the next: it is taken in halves until one of them is easy.
TEST(Heap, StepsStayHalvedWhileSolvesAreHard)
{
    RigidWorld w = grid_of_boxes(45, 1);
    State state = w.start(0.5);
    for (RigidState& box : state.rigid)
        box.v.y() = -15;
    TimeStepper stepper(w.world, w.options());
    const double step = w.options().step;
    StepReport last;
    int halved = 0, kept = 0, doubled = 0;
    while (state.time < 0.5) {
        const StepReport now = stepper.step(state);
        ASSERT_TRUE(now.done);
        if (last.done && now.failures.empty()) {
            if (last.newton.iterations > 100 && last.dt > 0.2 * step) {
                EXPECT_NEAR(now.dt, last.dt / 2, 1e-12) << state.time;
                ++halved;
            } else if (last.newton.iterations > 15) {
                EXPECT_NEAR(now.dt, last.dt, 1e-12) << state.time;
                kept += now.dt < 0.9 * step;
            } else {
                EXPECT_GE(now.dt, last.dt - 1e-12) << state.time;
                doubled += now.dt > 1.9 * last.dt;
            }
        }
        last = now;
    }
    EXPECT_GT(halved, 0);
    EXPECT_GT(kept, 0);
    EXPECT_GT(doubled, 0);
    while (state.clock.sub > 0) { // halves make up whole steps
        ASSERT_TRUE(stepper.step(state).done);
    }
    EXPECT_NEAR(state.time / step, std::round(state.time / step), 1e-9);
}

TEST(Heap, OfFortyFiveBoxesComesToRest)
{
    RigidWorld w = grid_of_boxes(45, 1);
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    const Fate fate = run(stepper, state, 4);
    EXPECT_LE(fate.failed, 3);
    EXPECT_LT(fastest(state), 1e-6);
    for (const RigidState& r : state.rigid) {
        EXPECT_GT(r.x.y(), 0.09);
        EXPECT_LT(r.x.head<3>().cwiseAbs().maxCoeff(), 2);
    }
}

// What is solved island by island is the same equation: two falls far apart go on as each would alone.
TEST(Heap, FallsFarApartDoNotChangeEachOther)
{
    const auto pile = [](RigidWorld& w, double x, unsigned seed) {
        Random random(seed);
        for (int i = 0; i < 4; ++i)
            w.box(
                Vec3::Constant(0.2), 1000, Vec3(x + 0.05 * (i % 2), 0.2 + 0.3 * i, 0.05 * (i / 2)), random.rotation());
    };
    RigidWorld both(0.01), left(0.01), right(0.01);
    for (RigidWorld* w : {&both, &left, &right})
        w->plane(Vec3::UnitY());
    pile(both, 0, 1);
    pile(both, 40, 2);
    pile(left, 0, 1);
    pile(right, 40, 2);
    State state = both.start(0.5), of_left = left.start(0.5), of_right = right.start(0.5);
    TimeStepper stepper(both.world, both.options()), alone_left(left.world, left.options()),
        alone_right(right.world, right.options());
    run(stepper, state, 0.3);
    run(alone_left, of_left, 0.3);
    run(alone_right, of_right, 0.3);
    for (int i = 0; i < 4; ++i) {
        // the tolerance of each step, 1e-7 m/s, grows in tumbling impacts
        EXPECT_LT((state.rigid[i].x - of_left.rigid[i].x).norm(), 1e-5) << i;
        EXPECT_LT((state.rigid[4 + i].x - of_right.rigid[i].x).norm(), 1e-5) << i;
    }
}

// Seventy-two boxes in twenty-four heaps that do not touch: a step of all costs hardly more iterations than one of the
// heap that needs most.
TEST(Heap, ManyHeapsAreSolvedLotByLot)
{
    constexpr int heaps = 24;
    const auto heap = [](RigidWorld& w, int k) {
        Random random(k + 1);
        for (int i = 0; i < 3; ++i)
            w.box(Vec3::Constant(0.2), 1000, Vec3(2 * k, 0.25 + 0.3 * i, 0.05 * i), random.rotation(),
                Vec3(0, -2, 0) + random.vector(0.5));
    };
    RigidWorld all(0.01);
    all.plane(Vec3::UnitY());
    std::vector<int> most; // iterations by step, of the heaps alone
    std::vector<RigidState> expected;
    for (int k = 0; k < heaps; ++k) {
        heap(all, k);
        RigidWorld alone(0.01);
        alone.plane(Vec3::UnitY());
        heap(alone, k);
        State state = alone.start(0.5);
        TimeStepper stepper(alone.world, alone.options());
        most.resize(20);
        for (int& iterations : most)
            iterations = std::max(iterations, stepper.step(state).newton.iterations);
        expected.insert(expected.end(), state.rigid.begin(), state.rigid.end());
    }
    State state = all.start(0.5);
    TimeStepper stepper(all.world, all.options());
    int iterations = 0;
    for (std::size_t i = 0; i < most.size(); ++i) {
        const StepReport report = stepper.step(state);
        ASSERT_EQ(report.failed_solves(), 0) << "at t = " << state.time;
        iterations += report.newton.iterations;
    }
    EXPECT_LE(iterations, std::accumulate(most.begin(), most.end(), 0));
    for (std::size_t b = 0; b < expected.size(); ++b)
        EXPECT_LT((state.rigid[b].x - expected[b].x).norm(), 1e-5) << b;
}

TEST(Heap, OfTwelveCylindersComesToRest)
{
    const Cylinder can{0.06, 0.2};
    RigidWorld w = tossed(can, 0.28, 0.26, 1);
    State state = w.start(0.4);
    TimeStepper stepper(w.world, w.options());
    const Fate fate = run(stepper, state, 2.5); // at 2 s the last one still rolls off another
    EXPECT_LE(fate.failed, 2); // two rims that cross unfelt by 5 mm: seen by the step audit, taken in halves
    EXPECT_LT(fate.deepest, 0.05 * can.radius);
    EXPECT_LT(fastest(state), 1e-2);
}

TEST(Heap, IsTheSameToTheLastBitForAnyThreadsAndWhenResumed)
{
    RigidWorld w = tossed(Torus{0.1, 0.03}, 0.3, 0.28, 1);
    State one = w.start(0.4), two = one, resumed;
    {
        const ThreadLimit limit(1);
        TimeStepper stepper(w.world, w.options());
        run(stepper, one, 0.35);
        resumed = one;
        run(stepper, one, 0.6);
    }
    const ThreadLimit limit(2);
    TimeStepper stepper(w.world, w.options());
    run(stepper, two, 0.6);
    EXPECT_EQ(state_hash(one), state_hash(two));
    TimeStepper again(w.world, w.options());
    run(again, resumed, 0.6);
    EXPECT_EQ(state_hash(one), state_hash(resumed));
    EXPECT_TRUE(std::any_of(
        one.attachments.begin(), one.attachments.end(), [](const Attachment& a) { return numbers(a.to).angle != 0; }));
}

/// A cylinder between two planes that lean by 45 degrees: without friction each carries
/// W/sqrt(2), through one place of every circle.
TEST(RoundBodies, ACylinderInAVIsCarriedByBothSides)
{
    RigidWorld w(1.0 / 60);
    w.plane(Vec3(1, 1, 0));
    w.plane(Vec3(-1, 1, 0));
    const double r = 0.1;
    w.rimmed(Cylinder{r, 0.3}, 700, Vec3(0, std::sqrt(2.0) * r, 0), rotation_exp(Vec3(M_PI / 2, 0, 0)));
    State state = w.start(0);
    TimeStepper stepper(w.world, w.options());
    const Fate fate = run(stepper, state, 3);
    EXPECT_EQ(fate.failed, 0);
    EXPECT_LT(fastest(state), 1e-9);
    Vec3 on[2] = {Vec3::Zero(), Vec3::Zero()};
    stepper.system().contacts().for_each_contact([&](const Contact& c) { on[c.surface_body - 1] -= c.j; });
    const double weight = w.world.rigids[0].mass * g;
    for (const Vec3& f : on) {
        EXPECT_NEAR(f.norm(), weight / std::sqrt(2.0), 1e-4 * weight);
    }
}

/// A ring laid across another rocks over the two places where it crosses it until they bear its weight.
TEST(RoundBodies, ARingRestsOnARingInTwoPlaces)
{
    RigidWorld w(1.0 / 60);
    w.plane(Vec3::UnitY());
    const Torus ring{0.1, 0.02};
    w.rimmed(ring, 700, Vec3(0, ring.minor, 0));
    w.rimmed(ring, 700, Vec3(0.05, 3 * ring.minor, 0));
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    const Fate fate = run(stepper, state, 12);
    EXPECT_EQ(fate.failed, 0);
    std::vector<Vec3> places;
    Vec3 force = Vec3::Zero();
    stepper.system().contacts().for_each_contact([&](const Contact& c) {
        if (c.point_body == 1)
            force -= c.j;
        if (c.surface_body == 1) {
            places.push_back(c.Z);
            force += c.j;
        }
    });
    ASSERT_EQ(places.size(), 2u);
    EXPECT_NEAR(places[0].z(), -places[1].z(), 1e-6);
    EXPECT_LT((force - w.world.rigids[1].mass * g * Vec3::UnitY()).norm(), 1e-4 * w.world.rigids[1].mass * g);
    EXPECT_LT(fastest(state), 1e-9);
}

/// A disc spun about its upright axis on a turntable: its rim rubs all round, so that it comes to the table's speed at
/// the rate mu m g R / (m R^2/2), and rides along from then on.
TEST(RoundBodies, ADiscSpunFlatOnATurntableComesToItsSpeed)
{
    constexpr double R = 0.1, mu = 0.3, spin = 12, table = 2, dt = 1.0 / 240;
    RigidWorld w(dt);
    w.plane(Vec3::UnitY());
    w.world.obstacles[0].motion.angular_velocity = Vec3(0, table, 0);
    w.rimmed(Cylinder{R, 0.02}, 700, Vec3(0, 0.01, 0), Mat3::Identity(), Vec3::Zero(), Vec3(0, spin, 0));
    State state = w.start(mu);
    TimeStepper stepper(w.world, w.options());
    const double rate = 2 * mu * g / R, time = (spin - table) / rate;
    run(stepper, state, 0.5 * time);
    EXPECT_NEAR(state.rigid[0].w.y(), spin - rate * state.time, 0.02 * spin);
    run(stepper, state, time + 0.5);
    EXPECT_NEAR(state.rigid[0].w.y(), table, 1e-6);
    const Quat before = state.rigid[0].R;
    const double t = state.time;
    run(stepper, state, t + 1);
    EXPECT_LT((rotation_exp(Vec3(0, table * (state.time - t), 0)) * before.toRotationMatrix()
                  - state.rigid[0].R.toRotationMatrix())
                  .norm(),
        1e-9)
        << "rides along without creep";
    EXPECT_LT(Vec3(state.rigid[0].x.x(), 0, state.rigid[0].x.z()).norm(), 1e-9);
}

} // namespace
} // namespace stickslip::laws::heaps_test
