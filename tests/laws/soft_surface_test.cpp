#include "laws/soft_world.h"

#include "stickslip/geometry/mesh/tet_shapes.h"

#include "support/boxes.h"
#include "support/threads.h"

namespace stickslip::laws::soft_surface_test {
namespace {

constexpr double g = 9.81, R = 0.1;

struct Throw {
    const char* name;
    double friction, slope;
    Vec3 velocity;
};

TEST(BallOnSoftSurface, AHeldBlockIsAPlane)
{
    const std::vector<Throw> throws = {{"rests", 0.3, 0, Vec3::Zero()}, {"slides", 0, 0, Vec3(0.8, 0, 0.3)},
        {"slides until it rolls", 0.2, 0, Vec3(1, 0, -0.2)}, {"rolls down", 0.5, 0.1, Vec3(-0.3, 0, 0.1)},
        {"drops", 0.3, 0.05, Vec3(0.1, -1, 0.2)}};
    Random random(1);
    for (const Throw& how : throws)
        for (const double resolution : {1.0, 0.19, 0.06}) { // edges of 10, 1.9 and 0.6 R
            SCOPED_TRACE(testing::Message() << how.name << ", resolution " << resolution);
            constexpr double step = 1.0 / 120, k = 1e5;
            const Mat3 Q = random.rotation();
            const Vec3 down = rotation_exp(Vec3(0, 0, how.slope)) * Vec3(0, -g, 0);
            RigidWorld on_plane(step, Q * down);
            on_plane.plane(Q * Vec3::UnitY());
            SoftWorld on_block(step, tetrahedralize(Box{Vec3(2, resolution, 2)}, resolution), 1e6,
                {Q * Vec3(0, -0.5 * resolution, 0), Q}, Q * down);
            on_block.hold([](const Vec3&) { return true; });
            for (RigidWorld* w : {&on_plane, static_cast<RigidWorld*>(&on_block)})
                w->ball(R, 1000, Q * Vec3(0.01, how.velocity.y() < 0 ? 1.3 * R : R, -0.02), Q * how.velocity);
            on_plane.world.contact.stiffness = on_block.world.contact.stiffness = k;
            State a = on_plane.start(how.friction), b = on_block.start(how.friction);
            StepOptions options = on_plane.options();
            options.newton.tolerance = 1e-11; // what both leave unsolved is below what is compared
            TimeStepper first(on_plane.world, options), second(on_block.world, options);
            double deepest = 0, fastest = 0;
            while (a.time < 0.4) {
                ASSERT_TRUE(first.step(a).done);
                ASSERT_TRUE(second.step(b).done);
                fastest = std::max(fastest, a.rigid[0].v.norm());
                first.system().contacts().for_each_contact(
                    [&](const Contact& c) { deepest = std::max(deepest, c.at.depth); });
            }
            // On a side of a facet the ball rolls about the surface, a depth above its own point.
            const double close = how.friction == 0 || how.velocity.isZero(0) ? 1e-9 : 0.2 * deepest / R;
            EXPECT_LT((a.rigid[0].x - b.rigid[0].x).norm(), 0.4 * close * std::max(fastest, 1.0));
            EXPECT_LT((a.rigid[0].v - b.rigid[0].v).norm(), close * std::max(fastest, 1.0));
            EXPECT_LT((a.rigid[0].w - b.rigid[0].w).norm() * R, close * std::max(fastest, 1.0));
        }
}

TEST(BallOnSoftSurface, ABlockCarriesTheWeightOfABallToTheFloor)
{
    SoftWorld w(1.0 / 60, tetrahedralize(Box{Vec3(0.4, 0.2, 0.4)}, 0.05), 2e5, {Vec3(0, 0.1, 0), Mat3::Identity()});
    w.plane(Vec3::UnitY());
    w.world.contact.damping = 0.01;
    w.ball(R, 2500, Vec3(0.013, 0.2 + R, -0.021));
    State state = w.start(0.5);
    TimeStepper stepper(w.world, w.options());
    while (state.time < 3)
        ASSERT_TRUE(stepper.step(state).done);
    const double ball = w.world.rigids[0].mass * g, all = ball + w.world.deformables.bodies[0].mass * g;
    Vec3 on_ball = Vec3::Zero(), on_floor = Vec3::Zero();
    int contacts = 0;
    stepper.system().contacts().for_each_contact([&](const Contact& c) {
        const bool of_ball = c.point_body == 1;
        (of_ball ? on_ball : on_floor) -= c.j;
        contacts += of_ball;
    });
    EXPECT_GE(contacts, 1);
    EXPECT_LT((on_ball - Vec3(0, ball, 0)).norm(), 1e-3 * ball); // it still rolls a little in its dent
    EXPECT_LT((on_floor - Vec3(0, all, 0)).norm(), 1e-3 * all);
    EXPECT_LT(state.rigid[0].x.y(), 0.2 + R - 1e-3) << "it makes a dent";
}

TEST(BallOnSoftSurface, ASheetCarriesManyBallsInOneDent)
{
    // balls with radii of two elements: they lie across folds of the dent, and share their forces there
    constexpr double r = 0.02, k = 500;
    SoftWorld w(1.0 / 60, tetrahedralize(Box{Vec3(0.16, 0.01, 0.16)}, 0.01), 2e5, {});
    w.hold([](const Vec3& X) { return std::max(std::abs(X.x()), std::abs(X.z())) > 0.075; });
    w.world.contact.damping = 0.02;
    w.world.contact.stiffness = k;
    Random random(3);
    for (int i = 0; i < 16; ++i)
        w.ball(r, 2500,
            Vec3(2.26 * r * (i % 4 - 1.5), 0.005 + 1.2 * r, 2.26 * r * (i / 4 - 1.5)) + random.vector(0.1 * r));
    State state = w.start(0.4);
    TimeStepper stepper(w.world, w.options());
    while (state.time < 1.2) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        ASSERT_TRUE(report.failures.empty()) << state.time;
    }
    Vec3 on_balls = Vec3::Zero();
    int shared = 0;
    stepper.system().contacts().for_each_contact([&](const Contact& c) {
        if (c.surface_body != 0)
            return;
        on_balls -= c.j;
        shared += c.k < 0.999 * k;
    });
    const double weight = 16 * w.world.rigids[0].mass * g;
    EXPECT_GT(shared, 16);
    EXPECT_LT((on_balls - Vec3(0, weight, 0)).norm(), 1e-3 * weight); // they still roll a little
}

TEST(BallOnSoftSurface, AnImpactInEmptySpaceKeepsMomentum)
{
    SoftWorld w(
        1.0 / 240, tetrahedralize(Box{Vec3(0.4, 0.1, 0.4)}, 0.1), 1e5, {Vec3::Zero(), Mat3::Identity()}, Vec3::Zero());
    w.ball(R, 1500, Vec3(0.1, 0.05 + 1.1 * R, -0.06), Vec3(0.5, -2, 0.3), Vec3(3, -5, 8));
    State state = w.start(0.4);
    StepOptions options = w.options();
    TimeStepper stepper(w.world, options);
    const Momentum before = momentum(w.world, state);
    Vec3 by_backward_euler = Vec3::Zero();
    int touching = 0;
    double friction = 0;
    for (int n = 0; n < 80; ++n) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        by_backward_euler += report.balance.angular_backward_euler;
        touching += report.contacts > 0;
        friction += report.balance.friction_loss;
        EXPECT_LT(std::abs(report.balance.energy_error), 1e-7);
        EXPECT_GT(report.balance.friction_loss, -1e-9);
        EXPECT_LT(report.balance.change, 1e-3); // what falls apart may gain what backward Euler gives (validation.md)
    }
    EXPECT_GT(touching, 5);
    EXPECT_GT(friction, 1e-5);
    const Momentum after = momentum(w.world, state);
    const double mass = w.world.rigids[0].mass + w.world.deformables.bodies[0].mass;
    const double allowed = 80 * 2 * mass * options.newton.tolerance;
    EXPECT_LT((after.linear - before.linear).norm(), allowed);
    EXPECT_LT((after.angular - before.angular - by_backward_euler).norm(), allowed);
    EXPECT_TRUE(state.attachments.empty()) << "they part";
}

TEST(BallOnSoftSurface, AFastBallDoesNotGoThroughASheet)
{
    for (const double speed : {2.0, 6.0, 20.0}) { // up to 17 times its thickness in a step
        SCOPED_TRACE(speed);
        SoftWorld w(1.0 / 60, tetrahedralize(Box{Vec3(0.6, 0.02, 0.6)}, 0.06), 1e7, {});
        w.hold([](const Vec3& X) { return std::max(std::abs(X.x()), std::abs(X.z())) > 0.29; });
        w.ball(R, 300, Vec3(0.02, 0.3, 0.05), Vec3(0, -speed, 0));
        State state = w.start(0.3);
        TimeStepper stepper(w.world, w.options());
        double lowest = infinity;
        while (state.time < 0.3) {
            ASSERT_TRUE(stepper.step(state).done);
            lowest = std::min(lowest, state.rigid[0].v.y());
        }
        EXPECT_GT(state.rigid[0].x.y(), 0.05);
        EXPECT_GT(state.rigid[0].v.y(), lowest);
    }
}

TEST(BallOnSoftSurface, AnyNumberOfThreadsGivesTheSameBits)
{
    const auto run = [](std::size_t threads) {
        const ThreadLimit limit(threads);
        SoftWorld w(1.0 / 60, tetrahedralize(Box{Vec3(0.4, 0.04, 0.4)}, 0.04), 1e6, {});
        w.hold([](const Vec3& X) { return std::abs(X.x()) > 0.19; });
        for (int i = 0; i < 4; ++i)
            w.ball(0.04, 2000, Vec3(i % 2 ? 0.06 : -0.07, 0.065, i < 2 ? 0.05 : -0.06), Vec3(0.1 * i, -0.5, 0));
        State state = w.start(0.3);
        TimeStepper stepper(w.world, w.options());
        for (int n = 0; n < 20; ++n)
            EXPECT_TRUE(stepper.step(state).done);
        EXPECT_GT(state.attachments.size(), 3u);
        return state_hash(state);
    };
    EXPECT_EQ(run(1), run(2));
}

} // namespace
} // namespace stickslip::laws::soft_surface_test
