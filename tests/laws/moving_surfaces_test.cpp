#include "stickslip/geometry/tet_shapes.h"
#include "stickslip/world/time_step.h"

#include <gtest/gtest.h>

#include <numbers>

namespace stickslip::laws {
namespace {

constexpr double g = 9.81;

// A cube of 0.1 m, 1000 kg/m^3, E = 1e6 Pa, started touching y = 0 with its centre above `place`.
struct CubeOn {
    World world;
    State state;
    std::unique_ptr<TimeStepper> stepper;

    CubeOn(const Obstacle& obstacle, const Vec3& place, double friction, double dt)
    {
        const TetMesh mesh = tetrahedralize(Box{Vec3::Constant(0.1)}, 0.05);
        add_deformable(world.deformables, "cube", mesh, make_material(ElasticModel::neo_hookean, 1000, 1e6, 0.4, 0));
        finish(world.deformables);
        world.gravity = Vec3(0, -g, 0);
        world.obstacles.push_back(obstacle);
        std::vector<Vec3> x;
        for (const Vec3& X : mesh.nodes)
            x.push_back(X + place + Vec3(0, 0.05, 0));
        world.contact.friction = friction;
        world.contact.automatic = {automatic_contact_stiffness(world, 0, x), 0};
        state = initial_state(world, x, std::vector<Vec3>(x.size(), Vec3::Zero()));
        StepOptions options;
        options.step = dt;
        options.newton.tolerance = automatic_tolerance(world, dt);
        stepper = std::make_unique<TimeStepper>(world, options);
    }

    // Largest slip of an attachment on the way to time t.
    double run_to(double t)
    {
        double slip = 0;
        while (state.time < t - 1e-9) {
            EXPECT_TRUE(stepper->step(state).done);
            stepper->system().contacts().for_each_contact(
                [&](const ContactInfo& c) { slip = std::max(slip, c.at.slip.norm()); });
        }
        return slip;
    }
    Vec3 place() const { return body_pose(world, state, 0).x; }
    Vec3 velocity() const { return body_pose(world, state, 0).v; }
};

Obstacle plane()
{
    return {.name = "floor", .solid = Plane{}, .start = {}, .motion = {}};
}

TEST(Belt, CarriesABlockAtItsOwnSpeedOnceItSticks)
{
    // at rest for 0.5 s, then at 0.5 m/s at once: the block slips with mu g until it has the belt's speed, after v/(mu
    // g) = 0.17 s
    Obstacle belt = plane();
    belt.motion.keyframes = {{0.5, Vec3::Zero(), Quat::Identity()}, {10.5, Vec3(5, 0, 0), Quat::Identity()}};
    CubeOn run(belt, Vec3::Zero(), 0.3, 1.0 / 60);
    run.run_to(0.5);
    run.run_to(0.6);
    EXPECT_NEAR(run.velocity().x(), 0.3 * g * 0.1, 0.1 * 0.3 * g * 0.1); // still slipping
    run.run_to(2.5);
    EXPECT_NEAR(run.velocity().x(), 0.5, 1e-9);
    EXPECT_NEAR(run.velocity().z(), 0, 1e-9);
    const Vec3 place = run.place();
    EXPECT_EQ(run.run_to(3.5), 0); // no attachment slides any more
    EXPECT_NEAR(run.place().x() - place.x(), 0.5, 1e-9);
}

TEST(Belt, ThatOnlyMovesItsSurfaceDoesTheSame)
{
    Obstacle conveyor{.name = "conveyor",
        .solid = Box{Vec3(10, 0.2, 1)},
        .start = {Vec3(0, -0.1, 0), Mat3::Identity()},
        .motion = {},
        .surface_velocity = Vec3(0.5, 0, 0)};
    CubeOn run(conveyor, Vec3::Zero(), 0.3, 1.0 / 60);
    run.run_to(2);
    EXPECT_NEAR(run.velocity().x(), 0.5, 1e-9);
    EXPECT_EQ(run.run_to(3), 0);
}

class Turntable : public testing::TestWithParam<double> { };

TEST_P(Turntable, LetsABlockSlipExactlyWhenFrictionIsTooSmall)
{
    // it holds while mu g > omega^2 r; r = 0.5 m at the centre of mass
    const double ratio = GetParam(), mu = 0.4, r = 0.5;
    const double omega = std::sqrt(ratio * mu * g / r);
    Obstacle table = plane();
    table.motion.angular_velocity = Vec3(0, omega, 0);
    CubeOn run(table, Vec3(r, 0, 0), mu, 1.0 / 240);
    for (std::size_t i = 0; i < run.state.v.size(); ++i) // started turning with the table
        run.state.v[i] = Vec3(0, omega, 0).cross(run.state.x[i]);
    const double slip = run.run_to(3.0);
    const double radius = std::hypot(run.place().x(), run.place().z());
    if (ratio < 1) {
        EXPECT_NEAR(radius, r, 2e-3);
        EXPECT_EQ(run.run_to(6.0), 0) << slip; // once settled nothing slides, round after round
    } else {
        EXPECT_GT(radius, 1.5 * r);
    }
}

INSTANTIATE_TEST_SUITE_P(BelowAndAbove, Turntable, testing::Values(0.5, 0.9, 0.97, 1.03, 1.1));

} // namespace
} // namespace stickslip::laws
