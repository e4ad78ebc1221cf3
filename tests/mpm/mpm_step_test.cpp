#include "mpm/mpm_worlds.h"
#include "support/numeric.h"
#include "support/threads.h"

#include "stickslip/solver/vector_ops.h"
#include "stickslip/world/contact_islands.h"
#include "stickslip/world/reach.h"

namespace stickslip::mpm_step_test {
namespace {

// --- derivatives ---

/// Material points of two kinds between a floor and a free box, some stick and some slide, in the midst of a step that
/// began with attachments.
struct Pressed {
    MpmWorld w;
    BackwardEuler system;
    State state;
    BlockVector z;
    static constexpr double dt = 0.01;

    Pressed()
        : w(world())
        , system(w.world)
        , state(w.state(0.01))
    {
        Random random(3);
        for (int step = 0; step < 2; ++step) {
            system.begin_step(state, dt);
            z = random.vectors(system.size(), 0.02);
            BlockVector g;
            system.residual(z, g);
            if (step == 0) {
                state.mpm = system.grid().end_of_step();
                state.rigid = system.rigid().end_of_step();
                state.attachments = system.contacts().update_attachments();
                state.time += dt;
            }
        }
    }

    static MpmWorld world()
    {
        MpmWorld w(elastic_points(1e5, 0.3, 1000), 0.1, {0, -0.045, 0}, {0.2, 0.075, 0.2}, {4, 2, 4});
        w.add(sand_points(1e5, 30), {0.2, -0.05, 0}, {0.3, 0.09, 0.2}, {2, 2, 4});
        w.world.gravity = Vec3(0.5, -9.81, 0);
        w.add_plane(Vec3(0.05, 1, 0));
        w.add_box({0.25, 0.1, 0.3}, {0.12, 0.09, 0.1}, 500);
        return w;
    }
};

/// Blocks of the grid lie behind those of rigid bodies. What touches material points is solved with the whole.
TEST(MpmStep, APartOfTheRigidBodiesLeavesMaterialPointsWhereTheyAre)
{
    Pressed s;
    BlockVector g, own_g;
    s.system.residual(s.z, g);
    EXPECT_EQ(
        contact_islands(s.system.contacts(), 0, s.system.first_mpm(), {true}, 10), std::vector<std::vector<int>>{});
    const Range blocks = s.system.blocks_of_body(0);
    RigidPart part = s.system.part({0});
    BlockVector own(s.z.begin() + blocks.begin, s.z.begin() + blocks.end);
    part.residual(own, own_g);
    ASSERT_EQ(own_g.size(), 2u);
    EXPECT_NEAR_ALL(own_g, BlockVector(g.begin() + blocks.begin, g.begin() + blocks.end), 1e-11);
    Random random(6);
    const BlockVector d = random.vectors(2);
    const auto residual = [&](const BlockVector& at) {
        BlockVector value;
        part.residual(at, value);
        return value;
    };
    const BlockVector expected = difference_along(residual, own, d, 1e-9);
    residual(own);
    BlockVector free, assembled;
    part.apply(d, free);
    part.assemble().multiply(d, assembled);
    EXPECT_NEAR_ALL(free, expected, 1e-4);
    EXPECT_NEAR_ALL(assembled, free, 1e-11);
}

TEST(MpmStep, DerivativeMatchesDifferencesItsTransposeAndItsMatrix)
{
    Pressed s;
    BlockVector g;
    s.system.residual(s.z, g);
    int on_box = 0, on_floor = 0, sticking = 0;
    s.system.contacts().for_each_contact([&](const Contact& c) {
        ++(c.surface_body == 0 ? on_box : on_floor);
        sticking += c.at.sticks;
    });
    EXPECT_GT(on_box, 3);
    EXPECT_GT(on_floor, 3);
    EXPECT_GT(sticking, 0);
    EXPECT_LT(sticking, on_box + on_floor);
    Random random(5);
    for (int trial = 0; trial < 5; ++trial) {
        const BlockVector d = random.vectors(s.z.size()), w = random.vectors(s.z.size());
        const auto residual = [&](const BlockVector& at) {
            BlockVector value;
            s.system.residual(at, value);
            return value;
        };
        const BlockVector expected = difference_along(residual, s.z, d, 1e-9);
        residual(s.z);
        BlockVector free, transposed, assembled, assembled_transposed;
        s.system.apply(d, free);
        s.system.apply_transpose(w, transposed);
        const BlockMatrix& H = s.system.assemble();
        H.multiply(d, assembled);
        H.multiply_transpose(w, assembled_transposed);
        EXPECT_NEAR_ALL(free, expected, 1e-4);
        EXPECT_NEAR_ALL(assembled, free, 1e-11);
        EXPECT_NEAR_ALL(assembled_transposed, transposed, 1e-11);
        EXPECT_NEAR(dot_all(w, free), dot_all(transposed, d), 1e-11 * norm_all(w) * norm_all(free));
    }
}

TEST(MpmStep, ConvexNeighbourIsSymmetricPositiveDefinite)
{
    Pressed s;
    BlockVector g, Ca, Cb;
    s.system.residual(s.z, g);
    Random random(6);
    const BlockVector a = random.vectors(s.z.size()), b = random.vectors(s.z.size());
    const BlockMatrix& C = *s.system.assemble_convex();
    C.multiply(a, Ca);
    C.multiply(b, Cb);
    EXPECT_NEAR(dot_all(b, Ca), dot_all(a, Cb), 1e-11 * norm_all(a) * norm_all(Cb));
    EXPECT_GT(dot_all(a, Ca), 0.99 * dot_all(a, a));
}

// --- motion without contact ---

TEST(MpmStep, FallsAndSpinsFreely)
{
    MpmWorld w(elastic_points(1e5, 0.3, 1000), 0.1, {0, 0, 0}, {0.4, 0.2, 0.2}, {8, 4, 4});
    w.world.gravity = Vec3(0, -9.81, 0);
    State state = w.state(0);
    const Vec3 centre = mpm_pose(w.world, state, 0).x, spin(0, 0, 2);
    for (std::size_t p = 0; p < state.mpm.x.size(); ++p) {
        state.mpm.v[p] = Vec3(0.5, 0, 0) + spin.cross(state.mpm.x[p] - centre);
        state.mpm.C[p] << 0, -2, 0, 2, 0, 0, 0, 0, 0;
    }
    const double dt = 0.002;
    TimeStepper stepper(w.world, step_options(w.world, dt, 1e-9));
    for (int step = 0; step < 25; ++step) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        const double scale = w.world.mpm.bodies[0].mass;
        EXPECT_LT(report.balance.momentum_error.norm(), 1e-8 * scale);
        EXPECT_LT(report.balance.angular_error.norm(), 1e-8 * scale);
        EXPECT_LT(std::abs(report.balance.energy_error), 1e-8 * scale);
        EXPECT_GE(report.balance.transfer_loss, -1e-12 * scale);
    }
    const BodyPose pose = mpm_pose(w.world, state, 0);
    EXPECT_CLOSE_ALL(pose.v, Vec3(0.5, -9.81 * 25 * dt, 0), 1e-8);
    EXPECT_NEAR(pose.w.z(), 2, 0.1); // elastic and drawn out a little; the grid's losses
}

TEST(MpmStep, DividesAStepInWhichAParticleWouldCrossACellBeforeItIsSolved)
{
    MpmWorld w(elastic_points(1e5, 0.3, 1000), 0.1, {0, 0, 0}, {0.2, 0.2, 0.2}, {4, 4, 4});
    State state = w.state(0);
    for (Vec3& v : state.mpm.v)
        v = Vec3(0, -9.95, 0);
    TimeStepper stepper(w.world, step_options(w.world, 0.01));
    StepReport report = stepper.step(state); // 0.995 of a cell
    EXPECT_FALSE(report.divided);
    EXPECT_DOUBLE_EQ(report.dt, 0.01);
    for (Vec3& a : state.mpm.a)
        a = Vec3(0, -9.81, 0); // with which it would be more
    report = stepper.step(state);
    ASSERT_TRUE(report.done);
    EXPECT_TRUE(report.divided);
    EXPECT_TRUE(report.failures.empty());
    EXPECT_DOUBLE_EQ(report.dt, 0.005);
    for (Vec3& v : state.mpm.v)
        v = Vec3(0, -30, 0);
    report = stepper.step(state);
    EXPECT_TRUE(report.divided);
    EXPECT_DOUBLE_EQ(report.dt, 0.0025);
}

// Nothing tells of it at the start.
TEST(MpmStep, RefusesAStepInWhichAParticleCrossesACell)
{
    MpmWorld w(elastic_points(1e5, 0.3, 1000), 0.1, {0, 0, 0}, {0.2, 0.2, 0.2}, {4, 4, 4});
    w.world.gravity = Vec3(0, -1500, 0);
    State state = w.state(0);
    TimeStepper stepper(w.world, step_options(w.world, 0.01));
    const StepReport report = stepper.step(state);
    ASSERT_TRUE(report.done);
    ASSERT_EQ(report.failures.size(), 1u);
    EXPECT_EQ(report.failures[0].newton.status, NewtonStatus::moved_too_far);
    EXPECT_DOUBLE_EQ(report.dt, 0.005);
}

// Two boxes that nothing moves but the points between them.
TEST(MpmStep, PointsMayBringBodiesTogether)
{
    MpmWorld w(elastic_points(1e5, 0.3, 1000), 0.1, {0, 0, 0}, {0.2, 0.2, 0.2}, {4, 4, 4});
    w.add_box({0.1, 0.1, 0.1}, {-1, 0, 0}, 1000);
    w.add_box({0.1, 0.1, 0.1}, {1, 0, 0}, 1000);
    EXPECT_TRUE(Reach(w.world, w.rigid, 0, 0.01).may_meet(0, 1));
    w.world.mpm = {};
    EXPECT_FALSE(Reach(w.world, w.rigid, 0, 0.01).may_meet(0, 1));
}

TEST(MpmStep, GivesTheSameBitsForAnyNumberOfThreads)
{
    const auto run = [](int threads) {
        const ThreadLimit limit(threads);
        MpmWorld w(sand_points(1e5, 30), 0.05, {0, 0, 0}, {0.2, 0.3, 0.2}, {8, 12, 8});
        w.world.gravity = Vec3(0, -9.81, 0);
        w.add_plane(Vec3::UnitY());
        State state = w.state(0.5);
        TimeStepper stepper(w.world, step_options(w.world, 0.005));
        for (int step = 0; step < 4; ++step)
            stepper.step(state);
        return state_hash(state);
    };
    EXPECT_EQ(run(1), run(2));
}

} // namespace
} // namespace stickslip::mpm_step_test
