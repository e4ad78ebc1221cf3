// Contacts that carry more than their stiffness bears within the depth that is allowed grow firmer, whatever their
// kind.

#include "laws/soft_world.h"

#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/math/rotation.h"
#include "stickslip/world/diagnostics.h"

#include "support/terrain.h"

#include <gtest/gtest.h>

#include <functional>

namespace stickslip::laws::stiffness_growth_test {
namespace {

constexpr double g = 9.81, dt = 1.0 / 60;

double deepest(const TimeStepper& stepper)
{
    double depth = 0;
    stepper.system().contacts().for_each_contact([&](const Contact& c) { depth = std::max(depth, c.at.depth); });
    return depth;
}

double fastest(const State& state)
{
    double speed = 0;
    for (const RigidState& r : state.rigid)
        speed = std::max(speed, r.v.norm());
    for (const Vec3& v : state.v)
        speed = std::max(speed, v.norm());
    return speed;
}

struct Account {
    double firming = 0, most_contact_gain = 0; // [J] in all, and in one step
};

/// Runs for `steps`, and holds the account of energy at each.
void run(TimeStepper& stepper, const World& world, State& state, int steps, Account& account)
{
    for (int n = 0; n < steps; ++n) {
        const State before = state;
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done) << "the solver gave up at t = " << state.time;
        const StepBalance& b = report.balance;
        const Energies was = energies(world, before), is = energies(world, state);
        ASSERT_NEAR(b.change, is.total() - was.total(), 1e-12 * (1 + std::abs(is.potential)));
        ASSERT_LT(std::abs(b.energy_error), 1e-7) << "a tenth of the smallest work of firming in all";
        ASSERT_GE(b.stiffening_work, 0);
        account.most_contact_gain = std::max(account.most_contact_gain, -b.contact_loss);
        account.firming += b.stiffening_work;
    }
}

struct Resting {
    const char* name;
    std::function<void(RigidWorld&)> place;
};

const Frame upright{Vec3::Zero(), rotation_exp(Vec3(M_PI / 2, 0, 0))};

const std::vector<Resting> on_plane = {
    {"box", [](RigidWorld& w) { w.box(Vec3(0.2, 0.2, 0.2), 1000, Vec3(0, 0.1, 0)); }},
    {"ball", [](RigidWorld& w) { w.ball(0.1, 1000, Vec3(0, 0.1, 0)); }},
    {"cylinder that lies",
        [](RigidWorld& w) {
            w.rimmed(Cylinder{0.1, 0.3}, 1000, Vec3(0, 0.1, 0), upright.R);
        }},
    {"cylinder that stands",
        [](RigidWorld& w) {
            w.rimmed(Cylinder{0.1, 0.3}, 1000, Vec3(0, 0.15, 0));
        }},
    {"torus that lies",
        [](RigidWorld& w) {
            w.rimmed(Torus{0.1, 0.03}, 1000, Vec3(0, 0.03, 0));
        }},
    {"rounded box",
        [](RigidWorld& w) {
            w.rounded(RoundedBox{Vec3(0.2, 0.2, 0.2), 0.02}, 1000, Vec3(0, 0.1, 0));
        }},
};

TEST(StiffnessGrowth, LetsContactsOfEveryKindRestWithinTheAllowedDepth)
{
    for (const bool on_mesh : {false, true})
        for (const Resting& body : on_plane) {
            if (on_mesh && std::string(body.name) != "ball")
                continue;
            SCOPED_TRACE(testing::Message() << body.name << (on_mesh ? " on triangles" : ""));
            RigidWorld w(dt);
            Random random(1);
            on_mesh ? w.triangles(terrain(9, random, [](double, double) { return 0.0; })) : w.plane(Vec3::UnitY());
            body.place(w);
            State state = w.start(0.5);
            TimeStepper as_it_is(w.world, w.options());
            Account account;
            State soft = state;
            run(as_it_is, w.world, soft, 60, account);
            EXPECT_EQ(account.firming, 0) << "none is asked for";
            const double allowed = deepest(as_it_is) / 5;

            w.world.contact.penetration = allowed;
            TimeStepper stepper(w.world, w.options());
            run(stepper, w.world, state, 200, account);
            EXPECT_LT(deepest(stepper), allowed * (1 + 1e-9));
            EXPECT_GT(deepest(stepper), 0.5 * allowed) << "they grow no more than they need";
            EXPECT_LT(fastest(state), 1e-9);
            EXPECT_GT(account.firming, 1e-6);
            EXPECT_LT(account.most_contact_gain, 1e-12) << "what springs give by growing is told apart";
            Vec3 carried = Vec3::Zero();
            stepper.system().contacts().for_each_contact([&](const Contact& c) { carried -= c.j; });
            EXPECT_NEAR(carried.y(), w.world.rigids[0].mass * g, 1e-6 * carried.y());
        }
}

TEST(StiffnessGrowth, LetsABallRestWithinTheAllowedDepthOfASoftBlock)
{
    SoftWorld w(dt, tetrahedralize(Box{Vec3(1, 0.5, 1)}, 0.25), 1e6, {Vec3(0, -0.25, 0), Mat3::Identity()});
    w.hold([](const Vec3& rest) { return rest.y() < -0.2; });
    w.ball(0.1, 5000, Vec3(0.03, 0.1, 0.02));
    State state = w.start(0.5);
    w.world.contact.stiffness = 2e4;
    w.world.contact.penetration = 0.002; // the weight is 205 N: a fifth of what the spring gives
    TimeStepper stepper(w.world, w.options());
    Account account;
    run(stepper, w.world, state, 300, account);
    EXPECT_LT(deepest(stepper), 0.002 * (1 + 1e-9));
    EXPECT_GT(deepest(stepper), 0.001);
    EXPECT_GT(account.firming, 1e-6);
}

TEST(StiffnessGrowth, LetsWhatSticksUnderAHeavyLoadNotCreep)
{
    // A card under a block of two hundred times its mass, on a slope just below that of friction.
    const double slope = std::atan(0.5);
    const Mat3 Q = rotation_exp(Vec3(0, 0, slope));
    RigidWorld w(dt);
    w.plane(Q * Vec3::UnitY());
    w.box(Vec3(0.2, 0.01, 0.2), 100, Q * Vec3(0, 0.005, 0), Q);
    w.box(Vec3(0.2, 0.2, 0.2), 1000, Q * Vec3(0, 0.11, 0), Q);
    State state = w.start(0.525);
    w.world.contact.penetration = 1e-5;
    TimeStepper stepper(w.world, w.options());
    Account account;
    run(stepper, w.world, state, 400, account);
    EXPECT_GT(account.firming, 0);
    EXPECT_LT(deepest(stepper), 1e-5 * (1 + 1e-9));
    for (int n = 0; n < 120; ++n) {
        ASSERT_TRUE(stepper.step(state).done);
        ASSERT_LT(fastest(state), 1e-9);
    }
}

} // namespace
} // namespace stickslip::laws::stiffness_growth_test
