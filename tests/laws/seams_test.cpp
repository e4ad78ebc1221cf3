#include "laws/cube_on.h"
#include "laws/rigid_world.h"

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/rotation.h"

#include "support/numeric.h"

namespace stickslip::laws::seams_test {
namespace {

std::vector<SurfaceSample> samples_of(const Box& box)
{
    return surface_samples(triangulate(box, 1), 0.1, Vec3::Zero());
}

/// A table 1 m deep whose top is y = 0 from x = begin to end.
Obstacle table(double begin, double end)
{
    const Box box{Vec3(end - begin, 0.4, 1)};
    std::vector<SurfaceSample> samples = samples_of(box);
    weigh_for_cubes(samples, 2 * (box.size.x() * 1.4 + 0.4), 0.1, 0.2);
    return {.name = "table",
        .solid = box,
        .start = {Vec3(0.5 * (begin + end), -0.2, 0), Mat3::Identity()},
        .motion = {},
        .samples = std::move(samples),
        .surface_velocity = Vec3::Zero()};
}

/// A cube of 0.2 m that slides over tables in the direction of x, turned about y.
struct Sliding {
    RigidWorld w;
    State state;
    std::unique_ptr<TimeStepper> stepper;

    Sliding(const std::vector<Obstacle>& tables, double x, double speed, double turn, double friction, double dt)
        : w(dt)
    {
        w.world.obstacles = tables;
        const Box cube{Vec3::Constant(0.2)};
        w.box(cube.size, 1000, Vec3(x, 0.1, 0), rotation_exp(Vec3(0, turn, 0)), Vec3(speed, 0, 0));
        w.world.rigids[0].samples = samples_of(cube);
        state = w.start(friction);
        stepper = std::make_unique<TimeStepper>(w.world, w.options());
    }

    void run_to(double t)
    {
        while (state.time < t - 1e-9) {
            const StepReport report = stepper->step(state);
            ASSERT_TRUE(report.done) << "the solver gave up at t = " << state.time;
            EXPECT_TRUE(report.failures.empty()) << "at t = " << state.time;
        }
    }
    const RigidState& cube() const { return state.rigid[0]; }
};

constexpr double turns[] = {0, 0.3, 0.785398}, steps[] = {1.0 / 60, 1.0 / 240};

TEST(Seams, AreNotFeltWithoutFriction)
{
    for (const double dt : steps)
        for (const double turn : turns) {
            Sliding one({table(-2, 2)}, -0.3, 0.5, turn, 0, dt);
            Sliding two({table(-2, 0), table(0, 2)}, -0.3, 0.5, turn, 0, dt);
            one.run_to(1.2);
            two.run_to(1.2);
            EXPECT_NEAR(one.cube().x.x(), 0.3, 1e-5); // it rocks a little as points come in under it
            EXPECT_NEAR_ALL(two.cube().x, one.cube().x, 1e-4) << dt << " " << turn;
            EXPECT_NEAR_ALL(two.cube().v, one.cube().v, 1e-3) << dt << " " << turn;
        }
}

TEST(Seams, RubAsOneTableDoes)
{
    constexpr double mu = 0.1, speed = 1;
    for (const double dt : steps)
        for (const double turn : turns) {
            Sliding s({table(-2, 0), table(0, 2)}, -0.3, speed, turn, mu, dt);
            // it stops 0.2 m beyond the seam; backward Euler falls short by half a step
            const double end = speed / (mu * g), way = 0.5 * speed * (end - dt);
            s.run_to(end + 0.2);
            EXPECT_NEAR(s.cube().x.x(), -0.3 + way, 2e-3) << dt << " " << turn;
            EXPECT_LT(s.cube().v.norm(), 1e-9) << dt << " " << turn;
        }
}

TEST(Seams, OfTwoRigidBodiesAreNotFelt)
{
    RigidWorld w(1.0 / 60);
    w.plane(Vec3::UnitY());
    const Box slab{Vec3(0.6, 0.3, 0.4)}, cube{Vec3::Constant(0.2)};
    for (const double side : {-1, 1})
        w.box(slab.size, 1000, Vec3(0.3 * side, 0.15, 0));
    w.box(cube.size, 1000, Vec3(-0.3, 0.4, 0), rotation_exp(Vec3(0, 0.2, 0)), Vec3(0.5, 0, 0));
    for (RigidBody& body : w.world.rigids)
        body.samples = samples_of(std::get<Box>(body.solid));
    State state = w.start(0);
    TimeStepper stepper(w.world, w.options());
    for (int i = 0; i < 60; ++i)
        ASSERT_TRUE(stepper.step(state).done);
    EXPECT_NEAR_ALL(state.rigid[2].v, Vec3(0.5, 0, 0), 2e-3); // over it at half the way
    EXPECT_NEAR_ALL(state.rigid[2].x, Vec3(0.2, 0.4, 0), 1e-3);
}

TEST(Seams, AreNotFeltByASoftCube)
{
    for (const double dt : steps) {
        CubeOn cube({table(-2, 0), table(0, 2)}, Vec3(-0.2, 0, 0), Vec3(0.5, 0, 0), 0, dt);
        cube.run_to(0.8);
        EXPECT_NEAR(cube.place().x(), 0.2, 1e-3);
        EXPECT_NEAR(cube.velocity().x(), 0.5, 2e-3);
    }
}

TEST(TableEdge, LetsWhatSlidesFall)
{
    for (const double dt : steps)
        for (const double turn : turns) {
            Sliding s({table(-2, 0)}, -0.3, 0.5, turn, 0, dt);
            s.run_to(0.58); // its middle is 1 cm before the edge
            EXPECT_NEAR(s.cube().x.y(), 0.1, 5e-4) << dt << " " << turn;
            EXPECT_NEAR(s.cube().v.x(), 0.5, 5e-3) << dt << " " << turn;
            s.run_to(1.2);
            EXPECT_GE(s.cube().v.x(), 0.5 - 5e-3) << dt << " " << turn;
            EXPECT_LT(s.cube().x.y(), -0.4) << dt << " " << turn;
            EXPECT_LT(s.cube().w.z(), -1) << "it tips over the edge";
        }
}

TEST(TableEdge, LetsASoftCubeFall)
{
    CubeOn cube({table(-2, 0)}, Vec3(-0.2, 0, 0), Vec3(0.5, 0, 0), 0, 1.0 / 60);
    cube.run_to(0.8);
    EXPECT_GE(cube.velocity().x(), 0.5 - 5e-3);
    EXPECT_LT(cube.place().y(), -0.3);
}

TEST(Seams, BetweenEqualCubesStopThem)
{
    // pushed against one of its own height, a cube meets its side; its upper edge does not slide in under the other's
    RigidWorld w(1.0 / 60);
    w.plane(Vec3::UnitY());
    const Box cube{Vec3::Constant(0.2)};
    w.box(cube.size, 1000, Vec3(-0.3, 0.1, 0), Mat3::Identity(), Vec3(1.5, 0, 0));
    w.box(cube.size, 1000, Vec3(0, 0.1 + 1e-4, 0));
    for (RigidBody& body : w.world.rigids)
        body.samples = samples_of(cube);
    State state = w.start(0);
    TimeStepper stepper(w.world, w.options());
    for (int i = 0; i < 30; ++i)
        ASSERT_TRUE(stepper.step(state).done);
    for (const RigidState& body : state.rigid) {
        EXPECT_NEAR(body.v.x(), 0.75, 0.02);
        EXPECT_NEAR(body.x.y(), 0.1, 1e-4);
    }
    EXPECT_GT(state.rigid[1].x.x() - state.rigid[0].x.x(), 0.2 - 1e-3);
}

} // namespace
} // namespace stickslip::laws::seams_test
