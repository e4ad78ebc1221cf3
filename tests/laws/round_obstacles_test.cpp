#include "laws/rigid_world.h"

#include "stickslip/math/rotation.h"
#include "stickslip/world/diagnostics.h"

#include <gtest/gtest.h>

namespace stickslip::laws::round_obstacles_test {
namespace {

constexpr double g = 9.81;
const Torus ring{0.1, 0.03};

/// What does not move: a body held by its degrees of freedom, or an obstacle; and whether it is counted first.
enum class Held { first, last, obstacle };
constexpr Held ways_to_hold[] = {Held::first, Held::last, Held::obstacle};

std::string name(Held how)
{
    return how == Held::first ? "held, counted first" : how == Held::last ? "held, counted last" : "an obstacle";
}

/// A world of one body that is held and one that moves.
template <typename AddHeld, typename AddFree>
RigidWorld held_and_free(Held how, double dt, const AddHeld& add_held, const AddFree& add_free)
{
    RigidWorld w(dt);
    if (how == Held::last)
        add_free(w);
    add_held(w);
    if (how == Held::obstacle)
        w.as_obstacle();
    else
        w.hold();
    if (how != Held::last)
        add_free(w);
    return w;
}

int free_body(Held how)
{
    return how == Held::first ? 1 : 0;
}

struct Fate {
    int failed = 0;
    Vec3 force = Vec3::Zero(); // [N] on the body that moves, in the last step
};

Fate run(TimeStepper& stepper, State& state, double t, int body)
{
    Fate fate;
    run_to(
        stepper, state, t, [&](const StepReport& report) { fate.failed += static_cast<int>(report.failures.size()); });
    stepper.system().contacts().for_each_contact([&](const Contact& c) {
        fate.force += c.point_body == body ? Vec3(-c.j) : c.surface_body == body ? c.j : Vec3(Vec3::Zero());
    });
    return fate;
}

/// What lies on what is held is still after t [s], its centre as high as `height` [m], to `within`, however the other
/// is held. look(body, state, force) sees the body that lies, and the force of its contacts.
template <typename AddHeld, typename AddFree, typename Look>
void expect_rest(
    double t, double height, double within, const AddHeld& add_held, const AddFree& add_free, const Look& look)
{
    for (const Held how : ways_to_hold) {
        SCOPED_TRACE(name(how));
        RigidWorld w = held_and_free(how, 0.01, add_held, add_free);
        State state = w.start(0.4);
        TimeStepper stepper(w.world, w.options());
        const int body = free_body(how);
        const Fate fate = run(stepper, state, t, body);
        EXPECT_EQ(fate.failed, 0);
        EXPECT_LT(state.rigid[body].v.norm(), 1e-9);
        EXPECT_NEAR(state.rigid[body].x.y(), height, within);
        look(w.world.rigids[body], state.rigid[body], fate.force);
    }
}

void expect_weight(const RigidBody& body, const Vec3& force)
{
    const double weight = g * body.mass;
    EXPECT_LT((force - weight * Vec3::UnitY()).norm(), 1e-4 * weight);
}

/// [m] of a ball of radius r in or on the ring, which touches it all round.
double height_on_ring(double r)
{
    return std::sqrt(std::pow(r + ring.minor, 2) - std::pow(ring.major, 2));
}

const auto add_ring = [](RigidWorld& w) { w.rimmed(ring, 700, Vec3::Zero()); };

TEST(RoundObstacles, ABallRestsInARing)
{
    const double r = 0.1, height = height_on_ring(r);
    expect_rest(
        4, height, 1e-3, add_ring, [&](RigidWorld& w) { w.ball(r, 700, Vec3(0.02, height + 0.03, 0.01)); },
        [](const RigidBody& body, const RigidState& at, const Vec3& force) {
            EXPECT_LT(Vec3(at.x.x(), 0, at.x.z()).norm(), 1e-3);
            expect_weight(body, force);
        });
}

/// A ring over a ball that it is not wide enough to fall past lies on it all round, by friction.
TEST(RoundObstacles, ARingRestsOnABall)
{
    const double r = 0.12, height = height_on_ring(r);
    expect_rest(
        3, height, 1e-3, [&](RigidWorld& w) { w.ball(r, 700, Vec3::Zero()); },
        [&](RigidWorld& w) { w.rimmed(ring, 700, Vec3(0.002, height + 0.01, 0)); },
        [](const RigidBody&, const RigidState& at, const Vec3&) {
            EXPECT_NEAR(at.R.toRotationMatrix()(1, 1), 1, 1e-3) << "level";
        });
}

/// A ring hung over a capsule or over the tube of a wider ring swings below it and stays.
TEST(RoundObstacles, ARingHangs)
{
    const Mat3 upright = rotation_exp(Vec3(M_PI / 2, 0, 0)); // its axis along z
    const double tube = 0.04;
    for (const bool on_ring : {false, true})
        for (const Held how : ways_to_hold) {
            SCOPED_TRACE(name(how) + (on_ring ? ", over a ring" : ", over a capsule"));
            RigidWorld w = held_and_free(
                how, 0.01,
                [&](RigidWorld& v) {
                    if (on_ring)
                        v.rimmed(Torus{0.3, tube}, 700, Vec3(-0.3, 0, 0));
                    else
                        v.capsule(Capsule{tube, 0.4}, 700, Vec3::Zero(), upright);
                },
                [&](RigidWorld& v) {
                    v.rimmed(ring, 700, Vec3(0.01, 0.001 - (ring.major - ring.minor - tube), 0), upright);
                });
            State state = w.start(0.4);
            TimeStepper stepper(w.world, w.options());
            const int body = free_body(how);
            double highest = -infinity;
            int failed = 0;
            for (int i = 0; i < 500; ++i) {
                const StepReport report = stepper.step(state);
                ASSERT_TRUE(report.done) << "the solver gave up at t = " << state.time;
                failed += static_cast<int>(report.failures.size());
                highest = std::max(highest, state.rigid[body].x.y());
            }
            EXPECT_EQ(failed, 0);
            EXPECT_LT(highest, 0.002 - (ring.major - ring.minor - tube)) << "no higher than it began";
            EXPECT_NEAR(state.rigid[body].x.y(), -(ring.major - ring.minor - tube), 1e-3);
            EXPECT_LT(Vec3(state.rigid[body].x.x(), 0, state.rigid[body].x.z()).norm(), 0.02);
        }
}

/// A rounded box on a ring as wide as its core, on its face; and a ring on it.
TEST(RoundObstacles, ARoundedBoxRestsOnARing)
{
    const RoundedBox box{Vec3(0.3, 0.2, 0.3), 0.03};
    expect_rest(
        3, 0.1 + ring.minor, 1e-3, add_ring, [&](RigidWorld& w) { w.rounded(box, 700, Vec3(0.01, 0.14, 0.005)); },
        [](const RigidBody&, const RigidState&, const Vec3&) {});
}

/// A bar stood on an edge across a ring tips over and comes to rest on a face, which the ring's circle touches along
/// two short stretches.
TEST(RoundObstacles, ABarFallsFromItsEdgeAndRestsAcrossARing)
{
    const double half = 0.025;
    const Mat3 on_edge = rotation_exp(Vec3(M_PI / 4, 0, 0));
    for (const bool sharp : {false, true}) {
        SCOPED_TRACE(sharp ? "sharp edges" : "round edges");
        expect_rest(
            4, half + ring.minor, 1e-4, add_ring,
            [&](RigidWorld& w) {
                const Vec3 size(0.4, 2 * half, 2 * half), x(0.003, 0.07, 0.005);
                if (sharp)
                    w.box(size, 700, x, on_edge);
                else
                    w.rounded(RoundedBox{size, 0.01}, 700, x, on_edge);
            },
            [](const RigidBody& body, const RigidState& at, const Vec3& force) {
                EXPECT_NEAR(at.R.toRotationMatrix().row(1).cwiseAbs().maxCoeff(), 1, 1e-4) << "level";
                expect_weight(body, force);
            });
    }
}

/// A scripted ring lifts the ball that lies in it: its work is the ball's weight times the way.
TEST(RoundObstacles, AScriptedRingLiftsABallByItsWork)
{
    const double r = 0.1, height = height_on_ring(r), speed = 0.2;
    RigidWorld w(0.01);
    w.rimmed(ring, 700, Vec3::Zero());
    ScriptedMotion up;
    up.velocity = Vec3(0, speed, 0);
    w.as_obstacle(up);
    w.ball(r, 700, Vec3(0, height, 0), Vec3(0, speed, 0));
    State state = w.start(0.4);
    TimeStepper stepper(w.world, w.options());
    double external = 0, unexplained = 0, lost = 0;
    const double potential = energies(w.world, state).potential;
    while (state.time < 2 - 1e-9) {
        const State before = state;
        ASSERT_TRUE(stepper.step(state).done);
        const StepBalance b = step_balance(w.world, stepper.system(), before, state);
        external += b.external_work;
        lost += b.friction_loss + b.contact_loss + b.inertia_loss;
        unexplained = std::max(unexplained, std::abs(b.energy_error));
    }
    const double gained = energies(w.world, state).potential - potential;
    EXPECT_NEAR(external, gained, 1e-3 * gained);
    EXPECT_NEAR(gained, w.world.rigids[0].mass * g * 2 * speed, 1e-2 * gained);
    EXPECT_LT(std::abs(lost), 1e-3 * gained);
    EXPECT_LT(unexplained, 1e-6 * gained);
}

/// A ball in a ring that turns about its upright axis comes to turn with it.
TEST(RoundObstacles, ABallInATurningRingTurnsWithIt)
{
    const double r = 0.1, height = height_on_ring(r);
    RigidWorld w(0.01);
    w.rimmed(ring, 700, Vec3::Zero());
    ScriptedMotion spin;
    spin.angular_velocity = Vec3(0, 2, 0);
    w.as_obstacle(spin);
    w.ball(r, 700, Vec3(0, height, 0));
    State state = w.start(0.4);
    TimeStepper stepper(w.world, w.options());
    const Fate fate = run(stepper, state, 4, 0);
    EXPECT_EQ(fate.failed, 0);
    EXPECT_LT((state.rigid[0].w - spin.angular_velocity).norm(), 1e-6);
}

} // namespace
} // namespace stickslip::laws::round_obstacles_test
