#include "laws/rigid_world.h"

#include "stickslip/math/rotation.h"

#include "support/terrain.h"

namespace stickslip::laws::mesh_rolling_test {
namespace {

constexpr double g = 9.81, R = 0.1;

void step(TimeStepper& stepper, State& state)
{
    const StepReport report = stepper.step(state);
    ASSERT_TRUE(report.done) << "the solver gave up at t = " << state.time;
}

struct Throw {
    const char* name;
    double friction, slope;
    Vec3 velocity; // along x' z' on the floor
};
const std::vector<Throw> throws = {{"rests", 0.3, 0, Vec3::Zero()}, {"slides", 0, 0, Vec3(0.8, 0, 0.3)},
    {"slides until it rolls", 0.2, 0, Vec3(1, 0, -0.2)}, {"rolls down", 0.5, 0.1, Vec3(-0.3, 0, 0.1)},
    {"drops", 0.3, 0.05, Vec3(0.1, -1, 0.2)}};

TEST(BallOnMesh, AFlatFloorOfTrianglesIsAPlane)
{
    Random random(1);
    for (const Throw& how : throws)
        for (const int cells : {2, 9, 40}) // edges of 10, 2.2 and 0.5 R
            for (const double dt : {1.0 / 60, 1.0 / 240}) {
                SCOPED_TRACE(testing::Message() << how.name << ", " << cells << " cells, dt " << dt);
                const Mat3 Q = random.rotation();
                const Vec3 down = rotation_exp(Vec3(0, 0, how.slope)) * Vec3(0, -g, 0);
                RigidWorld on_plane(dt, Q * down), on_mesh(dt, Q * down);
                on_plane.plane(Q * Vec3::UnitY());
                on_mesh.triangles(moved(terrain(cells, random, [](double, double) { return 0.0; }), {Vec3::Zero(), Q}));
                for (RigidWorld* w : {&on_plane, &on_mesh})
                    w->ball(R, 1000, Q * Vec3(0, how.velocity.y() < 0 ? 1.3 * R : R, 0), Q * how.velocity);
                State a = on_plane.start(how.friction), b = on_mesh.start(how.friction);
                StepOptions options = on_plane.options();
                options.newton.tolerance = 1e-11; // what both leave unsolved is below what is compared
                TimeStepper first(on_plane.world, options), second(on_mesh.world, options);
                while (a.time < 0.6) {
                    step(first, a);
                    step(second, b);
                }
                EXPECT_LT((a.rigid[0].x - b.rigid[0].x).norm(), 1e-10);
                EXPECT_LT((a.rigid[0].v - b.rigid[0].v).norm(), 1e-9);
                EXPECT_LT((a.rigid[0].w - b.rigid[0].w).norm() * R, 1e-9);
            }
}

/// What a ball's energy is on a surface with gravity, without what is stored in the contact.
double energy(const World& world, const State& state)
{
    const RigidBody& ball = world.rigids[0];
    const RigidState& s = state.rigid[0];
    return 0.5 * ball.mass * s.v.squaredNorm() + 0.5 * ball.inertia(0, 0) * s.w.squaredNorm()
        - ball.mass * world.gravity.dot(s.x);
}

/// A drum about z, of radius 1 m, seen from inside.
TriMesh drum(int facets)
{
    TriMesh mesh;
    for (int i = 0; i < facets; ++i)
        for (const double z : {-0.5, 0.5})
            mesh.vertices.push_back({std::cos(2 * M_PI * i / facets), std::sin(2 * M_PI * i / facets), z});
    for (int i = 0; i < facets; ++i) {
        const int a = 2 * i, b = 2 * ((i + 1) % facets);
        mesh.triangles.push_back({a, a + 1, b});
        mesh.triangles.push_back({b, a + 1, b + 1});
    }
    return mesh;
}

TEST(BallOnMesh, RollingInADrumLosesOnlyWhatBackwardEulerTakes)
{
    std::vector<double> losses;
    for (const double dt : {1.0 / 120, 1.0 / 240, 1.0 / 480}) {
        RigidWorld w(dt);
        w.triangles(
            drum(4000)); // of coarse facets each corner is a blow: it takes the share of the fold's sine squared
        const double start = 0.7; // [rad] from the bottom
        w.ball(R, 1000, (1 - R) * Vec3(std::sin(start), -std::cos(start), 0));
        State state = w.start(0.8);
        TimeStepper stepper(w.world, w.options());
        const double bottom = -w.world.rigids[0].mass * g * (1 - R), before = energy(w.world, state) - bottom;
        while (state.time < 3)
            step(stepper, state);
        losses.push_back(1 - (energy(w.world, state) - bottom) / before);
        EXPECT_NEAR(state.rigid[0].x.z(), 0, 1e-3);
    }
    // backward Euler's are of first order in the step; without them little is left
    EXPECT_NEAR(losses[0] / losses[1], 2, 0.2);
    EXPECT_NEAR(losses[1] / losses[2], 2, 0.2);
    EXPECT_NEAR(2 * losses[2] - losses[1], 0, 0.01);
}

TEST(BallOnMesh, OverBumpsWithoutFrictionTheEnergyStays)
{
    Random random(2);
    const TriMesh bumps = terrain(60, random,
        [](double x, double z) { return 0.03 * std::sin(7 * x) * std::cos(5 * z) + 0.1 * x * x + 0.1 * z * z; });
    std::vector<double> losses;
    for (const double dt : {1.0 / 240, 1.0 / 480, 1.0 / 1920}) {
        RigidWorld w(dt);
        w.triangles(bumps);
        w.ball(R, 1000, Vec3(-0.5, 0.025 + R + 0.045, 0.1), Vec3(1, 0, 0.2));
        State state = w.start(0);
        TimeStepper stepper(w.world, w.options());
        while (state.time < 0.2) // lands
            step(stepper, state);
        const double before = energy(w.world, state);
        const double lowest = w.world.rigids[0].mass * g * (R - 0.03);
        while (state.time < 1.2)
            step(stepper, state);
        losses.push_back((before - energy(w.world, state)) / (before - lowest));
    }
    EXPECT_LT(std::abs(losses[2]), 0.05);
    EXPECT_LT(std::abs(losses[2]), 0.7 * std::abs(losses[0]));
}

TEST(BallOnMesh, RidesOnATurntableWithoutCreep)
{
    Random random(3);
    RigidWorld w(1.0 / 60);
    w.triangles(terrain(7, random, [](double, double) { return 0.0; }));
    w.world.obstacles[0].motion.angular_velocity = Vec3(0, 1, 0);
    const Vec3 at(0.3, R, 0.1);
    w.ball(R, 1000, at, Vec3(0, 1, 0).cross(at), Vec3(0, 1, 0));
    w.world.rigids[0].fixed = {};
    State state = w.start(infinity);
    TimeStepper stepper(w.world, w.options());
    step(stepper, state);
    // what rolls on a turntable circles at 2/7 of its speed, for ever; no attachment may creep meanwhile
    for (int i = 0; i < 200; ++i)
        step(stepper, state);
    for (const Attachment& a : state.attachments)
        EXPECT_LT(a.rolling_on_facet().xi.norm(), 0.02 * R);
    EXPECT_EQ(state.attachments.size(), 1u);
}

} // namespace
} // namespace stickslip::laws::mesh_rolling_test
