#include "stickslip/world/backward_euler.h"

#include "stickslip/solver/vector_ops.h"
#include "support/block_matrices.h"
#include "support/threads.h"
#include "support/worlds.h"

namespace stickslip::backward_euler_test {
namespace {

constexpr double dt = 0.01, size = CubeWorld::size;

enum class Extra { none, pins, pressure, damping, conveyor, all };
constexpr Extra extras[] = {Extra::none, Extra::pins, Extra::pressure, Extra::damping, Extra::conveyor, Extra::all};

bool has(Extra extra, Extra wanted)
{
    return extra == wanted || extra == Extra::all;
}

/// A plane, a ball and a box that a cube has just entered, with all that may act on it.
CubeWorld scene(const LevelSet& solid, const Frame& at, Extra extra)
{
    CubeWorld w(2, 1e4, has(extra, Extra::damping) ? 0.02 : 0);
    Obstacle o{.name = "o", .solid = solid, .start = at};
    o.motion.velocity = Vec3(0.1, 0.05, -0.1);
    o.motion.angular_velocity = Vec3(0.2, -0.3, 0.1);
    if (has(extra, Extra::conveyor))
        o.surface_velocity = Vec3(0.3, 0, 0.2);
    w.touch(o, 0.4, 2e3);
    DeformableSet& set = w.world.deformables;
    if (has(extra, Extra::pressure))
        set.bodies[0].pressure = 500;
    if (has(extra, Extra::pins)) {
        set.pin_frames = {{{}, {.velocity = Vec3(0.2, 0, 0), .angular_velocity = Vec3(0, 1, 0)}}};
        set.pins = {{0, w.x[0], 0}, {5, w.x[5], 0}};
    }
    return w;
}

std::vector<CubeWorld> scenes(Extra extra)
{
    const Mat3 turned = Eigen::AngleAxisd(0.2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    return {scene(Plane{Vec3::UnitY()}, {Vec3(0, 0.001, 0), turned}, extra),
        scene(Sphere{0.5}, {Vec3(0.02, -0.49, 0.01), turned}, extra),
        scene(Box{{0.15, 0.1, 0.5}}, {Vec3(0, -0.04, 0), turned}, extra)};
}

/// A scene in the midst of a step, with attachments from a step before.
struct Situation {
    CubeWorld w;
    BackwardEuler system;
    State state;
    BlockVector z;

    Situation(const CubeWorld& cube, Random& random)
        : w(cube)
        , system(w.world)
        , state(w.state())
    {
        const std::vector<double>& mass = w.world.deformables.mass;
        for (int step = 0; step < 2;
             ++step) { // the first step leaves attachments, in the second some are kept and some are new
            z.clear();
            for (std::size_t i = 0; i < mass.size(); ++i) {
                const Vec3 v = Vec3(0.4, -0.6 - step, 0.1) + random.vector(0.15);
                z.push_back(std::sqrt(mass[i]) * (v - state.v[i]));
            }
            BlockVector g;
            system.begin_step(state, dt);
            system.residual(z, g);
            if (step == 0) {
                state.x = system.positions();
                state.v = system.velocities();
                state.attachments = system.contacts().update_attachments();
                state.time += dt;
            }
        }
    }
    BlockVector g(const BlockVector& at)
    {
        BlockVector value;
        system.residual(at, value);
        return value;
    }
    std::vector<std::array<int, 3>> branches(const BlockVector& at)
    {
        g(at);
        std::vector<std::array<int, 3>> all;
        system.contacts().for_each_contact([&](const Contact& c) {
            all.push_back({c.point, numbers(c.at.to).piece, c.at.sticks});
        });
        return all;
    }
};

TEST(BackwardEuler, ConvexNeighbourIsSymmetricPositiveDefinite)
{
    Random random(21);
    for (const Extra extra : extras)
        for (const CubeWorld& w : scenes(extra)) {
            Situation s(w, random);
            BlockVector g;
            s.system.residual(s.z, g);
            const BlockVector a = random.vectors(s.z.size(), 1), b = random.vectors(s.z.size(), 1);
            const BlockMatrix& C = *s.system.assemble_convex();
            BlockVector Ca, Cb;
            C.multiply(a, Ca);
            C.multiply(b, Cb);
            EXPECT_NEAR(dot(b, Ca), dot(a, Cb), 1e-11 * norm(a) * norm(Cb));
            EXPECT_GT(dot(a, Ca), 0.999 * dot(a, a)) << "mass alone gives 1";
            // it leaves H alone
            const BlockMatrix& H = s.system.assemble();
            BlockVector Ha, product;
            H.multiply(a, Ha);
            s.system.apply(a, product);
            for (std::size_t i = 0; i < a.size(); ++i)
                EXPECT_NEAR_ALL(Ha[i], product[i], 1e-9 * norm(product));
        }
}

TEST(BackwardEuler, DerivativeMatchesDifferencesMatrixAndTranspose)
{
    Random random(1);
    int compared = 0;
    for (const Extra extra : extras)
        for (const CubeWorld& w : scenes(extra))
            for (int trial = 0; trial < 3; ++trial) {
                Situation s(w, random);
                const std::size_t n = s.system.size();
                const BlockVector a = random.vectors(n), b = random.vectors(n);
                const auto here = s.branches(s.z);
                ASSERT_FALSE(here.empty());
                const double step = 1e-4;
                bool one_branch = true;
                for (const double h : {-2 * step, -step, step, 2 * step}) {
                    BlockVector moved = s.z;
                    for (std::size_t i = 0; i < n; ++i)
                        moved[i] += h * a[i];
                    one_branch = one_branch && s.branches(moved) == here;
                }
                const auto g = [&](const BlockVector& z) { return s.g(z); };
                const BlockVector expected = difference_along(g, s.z, a, step);
                s.g(s.z);
                BlockVector Ha, Htb, product, product_t;
                s.system.apply(a, Ha);
                s.system.apply_transpose(b, Htb);
                const BlockMatrix& H = s.system.assemble();
                H.multiply(a, product);
                H.multiply_transpose(b, product_t);
                EXPECT_NEAR_ALL(product, Ha, 1e-12) << static_cast<int>(extra);
                EXPECT_NEAR_ALL(product_t, Htb, 1e-12) << static_cast<int>(extra);
                EXPECT_NEAR(dot_all(b, Ha), dot_all(Htb, a), 1e-12 * norm_all(b) * norm_all(Ha));
                if (one_branch) {
                    ++compared;
                    EXPECT_NEAR_ALL(Ha, expected, 1e-6) << static_cast<int>(extra);
                }
            }
    EXPECT_GT(compared, 20);
}

TEST(BackwardEuler, HasFreshAndKeptContactsThatStickAndSlideInItsTests)
{
    Random random(2);
    int sticking = 0, sliding = 0, kept = 0, fresh = 0;
    for (const CubeWorld& w : scenes(Extra::none)) {
        Situation s(w, random);
        s.system.contacts().for_each_contact([&](const Contact& c) {
            ++(c.at.sticks ? sticking : sliding);
            const bool old = std::any_of(s.state.attachments.begin(), s.state.attachments.end(),
                [&](const Attachment& a) { return a.point == c.point; });
            ++(old ? kept : fresh);
        });
    }
    EXPECT_GT(sticking + sliding, 10);
    EXPECT_GT(sliding, 0);
    EXPECT_GT(kept, 0);
    EXPECT_GT(fresh, 0);
}

TEST(BackwardEuler, ResidualIsTheMassScaledEquationOfMotion)
{
    CubeWorld w(2);
    BackwardEuler system(w.world);
    const State state = w.state();
    system.begin_step(state, dt);
    // free fall: the cube at rest, no contact; the exact step has z = m^1/2 dt g
    BlockVector z, g;
    for (const double m : w.world.deformables.mass)
        z.push_back(std::sqrt(m) * dt * w.world.gravity);
    system.residual(z, g);
    EXPECT_LT(system.measure(g), 1e-13);
    system.residual(BlockVector(z.size(), Vec3::Zero()), g);
    EXPECT_NEAR(system.measure(g), 9.81 * dt, 1e-12) << "the error in velocity of doing nothing";
    for (std::size_t i = 0; i < z.size(); ++i)
        EXPECT_CLOSE_ALL(g[i], -z[i], 1e-12);
}

TEST(BackwardEuler, DoesNotDependOnEarlierEvaluations)
{
    Random random(3);
    Situation s(scenes(Extra::all)[0], random);
    const BlockVector other = random.vectors(s.system.size(), 0.1);
    const BlockVector a = s.g(s.z), b = s.g(other);
    EXPECT_FALSE(same_bits(a, b));
    EXPECT_TRUE(same_bits(a, s.g(s.z)));
}

TEST(BackwardEuler, PinnedNodesFollowTheirScriptWhateverTheUnknownsSay)
{
    Random random(4);
    Situation s(scenes(Extra::pins)[0], random);
    const DeformableSet& set = s.w.world.deformables;
    const Frame frame = frame_at(set.pin_frames[0].motion, set.pin_frames[0].start, s.state.time + dt);
    for (int trial = 0; trial < 3; ++trial) {
        const BlockVector z = random.vectors(s.system.size()), g = s.g(z);
        for (const Pin& pin : set.pins) {
            EXPECT_TRUE(s.system.is_pinned(pin.node));
            EXPECT_CLOSE_ALL(s.system.positions()[pin.node], frame.to_world(pin.local), 1e-15);
            EXPECT_EQ(g[pin.node], z[pin.node]);
            EXPECT_CLOSE_ALL(
                s.system.velocities()[pin.node], (frame.to_world(pin.local) - s.state.x[pin.node]) / dt, 1e-12);
        }
    }
    EXPECT_FALSE(s.system.is_pinned(1));
}

TEST(BackwardEuler, MeasureIsAVelocityOfTheWorstBody)
{
    World world;
    const ElasticMaterial light = make_material(ElasticModel::linear, 1, 1e5, 0.3, 0),
                          heavy = make_material(ElasticModel::linear, 1e6, 1e5, 0.3, 0);
    add_deformable(world.deformables, "light", cube_mesh(size, 3), light);
    add_deformable(world.deformables, "heavy", cube_mesh(size, 1), heavy);
    finish(world.deformables);
    const BackwardEuler system(world);
    const auto measure = [&](double v_light, double v_heavy) {
        BlockVector g;
        for (std::size_t i = 0; i < world.deformables.rest.size(); ++i)
            g.push_back(Vec3(0,
                std::sqrt(world.deformables.mass[i]) * (world.deformables.body_of_node[i] == 0 ? v_light : v_heavy),
                0));
        return system.measure(g);
    };
    EXPECT_NEAR(measure(0.3, 0), 0.3, 1e-12);
    EXPECT_NEAR(measure(0, 0.3), 0.3, 1e-12);
    EXPECT_NEAR(measure(0.1, 0.3), 0.3, 1e-12);
    EXPECT_NEAR(measure(0.4, 0.3), 0.4, 1e-12);
    EXPECT_TRUE(std::isnan(measure(nan, 1)));
    EXPECT_TRUE(std::isnan(measure(1, nan)));
}

TEST(BackwardEuler, RoundOffFloorIsSmallButAboveTheErrorOfRepeatedSums)
{
    Random random(5);
    Situation s(scenes(Extra::none)[0], random);
    s.system.assemble();
    const double floor = s.system.round_off();
    EXPECT_GT(floor, 0);
    EXPECT_LT(floor, 1e-9);
    // the same state a kilometre away has coarser positions, and the floor knows
    CubeWorld far = scenes(Extra::none)[0];
    const Vec3 shift(1000, 0, 0);
    for (Vec3& p : far.x)
        p += shift;
    far.world.obstacles[0].start.x += shift;
    Situation t(far, random);
    t.system.assemble();
    EXPECT_GT(t.system.round_off(), 100 * floor);
}

TEST(BackwardEuler, GivesTheSameBitsForAnyNumberOfThreads)
{
    CubeWorld w(7, 1e4, 0.01);
    w.touch({.name = "floor", .solid = Plane{Vec3::UnitY()}, .start = {Vec3(0, 0.01, 0), Mat3::Identity()}}, 0.4, 1e3);
    std::vector<BlockVector> g, Hz;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        Random random(6);
        Situation s(w, random);
        g.push_back(s.g(s.z));
        Hz.emplace_back();
        s.system.assemble().multiply(s.z, Hz.back());
    }
    EXPECT_TRUE(same_bits(g[0], g[1]));
    EXPECT_TRUE(same_bits(Hz[0], Hz[1]));
}

} // namespace
} // namespace stickslip::backward_euler_test
