#include "mpm/mpm_worlds.h"
#include "support/numeric.h"
#include "support/threads.h"

#include "stickslip/solver/vector_ops.h"

namespace stickslip {
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

TEST(MpmStep, RefusesAStepInWhichAParticleCrossesACell)
{
    MpmWorld w(elastic_points(1e5, 0.3, 1000), 0.1, {0, 0, 0}, {0.2, 0.2, 0.2}, {4, 4, 4});
    State state = w.state(0);
    for (Vec3& v : state.mpm.v)
        v = Vec3(15, 0, 0);
    TimeStepper stepper(w.world, step_options(w.world, 0.01));
    const StepReport report = stepper.step(state);
    ASSERT_TRUE(report.done);
    ASSERT_EQ(report.failures.size(), 1u);
    EXPECT_EQ(report.failures[0].newton.status, NewtonStatus::moved_too_far);
    EXPECT_DOUBLE_EQ(report.dt, 0.005);
}

// --- friction ---

/// The cube of 11^3 particles on a slope of 0.1 rad, on a plane.
struct Slope {
    MpmWorld w;
    static constexpr double size = 0.2, angle = 0.1, g = 1.8, dt = 0.01;
    Vec3 down, normal;

    explicit Slope(int count = 11)
        : w(elastic_points(100, 0.3, 2), 2 * size / count, {0, 0, 0}, {size, size, size}, {count, count, count}, turn())
        , down(turn() * Vec3(1, 0, 0))
        , normal(turn() * Vec3(0, 1, 0))
    {
        const Vec3 shift = -0.5 * size / count * normal; // the lowest particles touch
        for (Vec3& x : w.points.x)
            x += shift;
        w.world.gravity = Vec3(0, -g, 0);
        w.add_plane(normal);
    }
    static Mat3 turn() { return Eigen::AngleAxisd(-angle, Vec3::UnitZ()).toRotationMatrix(); }
    double speed(const State& state) const { return mpm_pose(w.world, state, 0).v.dot(down); }
};

double acceleration(double mu)
{
    return Slope::g * (std::sin(Slope::angle) - mu * std::cos(Slope::angle));
}

TEST(MpmFriction, CubeOnASlopeSlidesAsCoulombSays)
{
    for (const auto& [mu, count] : {std::pair(0.125, 11), std::pair(0.1, 7)}) {
        Slope s(count);
        State state = s.w.state(mu);
        for (Vec3& v : state.mpm.v)
            v = 0.1 * s.down;
        TimeStepper stepper(s.w.world, step_options(s.w.world, Slope::dt));
        double begin = 0;
        for (int step = 0; step < 60; ++step) {
            const StepReport report = stepper.step(state);
            ASSERT_TRUE(report.done);
            EXPECT_TRUE(report.failures.empty());
            if (step == 29)
                begin = s.speed(state);
        }
        EXPECT_NEAR((s.speed(state) - begin) / (30 * Slope::dt), acceleration(mu), 1e-4) << mu;
    }
}

TEST(MpmFriction, CubeThatSticksDoesNotCreep)
{
    Slope s(5);
    State state = s.w.state(0.3);
    StepOptions options = step_options(s.w.world, 0.05, 1e-12);
    TimeStepper stepper(s.w.world, options);
    for (int step = 0; step < 300; ++step) { // its vibrations die out
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        if (step > 20) {
            EXPECT_EQ(report.sticking, report.contacts);
        }
    }
    EXPECT_LT(mpm_pose(s.w.world, state, 0).v.norm(), 1e-9);
}

TEST(MpmFriction, PointsAndABoxPushEachOther)
{
    MpmWorld w(elastic_points(1e4, 0.3, 1000), 0.1, {0, 0, 0}, {0.3, 0.2, 0.3}, {6, 4, 6});
    w.add_box({0.5, 0.1, 0.5}, {0.15, -0.05, 0.15}, 800);
    State state = w.state(0.2);
    for (Vec3& v : state.mpm.v)
        v = Vec3(0.3, -0.5, 0);
    const Vec3 p = momentum(w.world, state).linear;
    TimeStepper stepper(w.world, step_options(w.world, 0.005, 1e-10));
    double friction = 0;
    for (int step = 0; step < 30; ++step) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        friction += report.balance.friction_loss;
        EXPECT_LT(std::abs(report.balance.energy_error), 1e-7);
        EXPECT_LT(report.balance.angular_error.norm(), 1e-8);
    }
    EXPECT_CLOSE_ALL(momentum(w.world, state).linear, p, 1e-8);
    EXPECT_GT(state.rigid[0].v.x(), 0.01);
    EXPECT_LT(state.rigid[0].v.y(), -0.1);
    EXPECT_GT(friction, 0);
}

// --- materials at work ---

// Sand in a box without friction: the mean of its vertical stress is that of equilibrium, sum V sigma_yy = -M g (height
// of its centre above the floor), and beside it what elasticity gives, nu/(1 - nu) of it, within the cone. Layer by
// layer the stress is that of the weight above, but within a cell of the floor and of the surface.
TEST(MpmMaterials, ConfinedSandCarriesItsWeight)
{
    const MpmMaterial sand = sand_points(1e6, 35);
    MpmWorld w(sand, 0.1, {0, 0, 0}, {0.2, 0.4, 0.2}, {4, 8, 4});
    w.world.gravity = Vec3(0, -9.81, 0);
    w.add_plane(Vec3::UnitY(), {0, 0.025, 0}); // through the outermost particles
    for (const int axis : {0, 2})
        for (const double side : {-1.0, 1.0})
            w.add_plane(-side * Vec3::Unit(axis), Vec3(0.1, 0.1, 0.1) + 0.075 * side * Vec3::Unit(axis));
    State state = w.state(0);
    TimeStepper stepper(w.world, step_options(w.world, 0.01));
    for (int step = 0; step < 40; ++step)
        ASSERT_TRUE(stepper.step(state).done);
    EXPECT_LT(mpm_kinetic_energy(w.world.mpm, state.mpm), 1e-6);
    Vec3 mean = Vec3::Zero();
    double height = 0;
    std::vector<double> of_layer(8, 0);
    const double count = static_cast<double>(state.mpm.x.size());
    for (std::size_t p = 0; p < state.mpm.x.size(); ++p) {
        const Mat3 stress = mpm_cauchy_stress(sand, state.mpm.point[p]);
        mean += stress.diagonal() / count;
        height += (state.mpm.x[p].y() - 0.025) / count;
        of_layer[p / 4 % 8] -= stress(1, 1) / 16;
    }
    EXPECT_NEAR(mean.y() / (-1500 * 9.81 * height), 1, 0.01);
    EXPECT_NEAR(mean.x() / mean.y(), 0.3 / 0.7, 0.05 * 0.3 / 0.7);
    for (int layer = 2; layer < 6; ++layer)
        EXPECT_NEAR(of_layer[layer] / (1500 * 9.81 * (0.4 - 0.05 * (layer + 0.5))), 1, 0.12) << layer;
}

TEST(MpmMaterials, SandFlowsAndLosesEnergyOnlyAsItsLedgerSays)
{
    MpmWorld w(sand_points(1e5, 30), 0.05, {0, 0, 0}, {0.1, 0.2, 0.1}, {4, 8, 4});
    w.world.gravity = Vec3(0, -9.81, 0);
    w.add_plane(Vec3::UnitY());
    State state = w.state(0.5);
    TimeStepper stepper(w.world, step_options(w.world, 0.005));
    double plastic = 0;
    for (int step = 0; step < 40; ++step) {
        const StepReport report = stepper.step(state);
        ASSERT_TRUE(report.done);
        EXPECT_GE(report.balance.plastic_loss, -1e-12);
        EXPECT_GE(report.balance.transfer_loss, -1e-12);
        EXPECT_LT(std::abs(report.balance.energy_error), 1e-5);
        EXPECT_LT(report.balance.momentum_error.norm(), 1e-5);
        plastic += report.balance.plastic_loss;
    }
    EXPECT_GT(plastic, 0.05);
    double highest = 0, widest = 0;
    for (const Vec3& x : state.mpm.x) {
        highest = std::max(highest, x.y());
        widest = std::max(widest, x.x());
    }
    EXPECT_LT(highest, 0.17);
    EXPECT_GT(widest, 0.11);
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
} // namespace stickslip
