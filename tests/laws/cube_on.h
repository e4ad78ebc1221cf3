#pragma once

#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/world/time_step.h"

#include <gtest/gtest.h>

namespace stickslip::laws {

constexpr double g = 9.81;

/// A soft cube of 0.1 m, 1000 kg/m^3, E = 1e6 Pa, started touching y = 0 with its centre above `place`, on one
/// obstacle or several.
struct CubeOn {
    World world;
    State state;
    std::unique_ptr<TimeStepper> stepper;

    CubeOn(const Obstacle& obstacle, const Vec3& place, double friction, double dt)
        : CubeOn(std::vector{obstacle}, place, Vec3::Zero(), friction, dt)
    {
    }

    CubeOn(const std::vector<Obstacle>& obstacles, const Vec3& place, const Vec3& speed, double friction, double dt)
    {
        const TetMesh mesh = tetrahedralize(Box{Vec3::Constant(0.1)}, 0.05);
        add_deformable(world.deformables, "cube", mesh, make_material(ElasticModel::neo_hookean, 1000, 1e6, 0.4, 0));
        finish(world.deformables);
        world.gravity = Vec3(0, -g, 0);
        world.obstacles = obstacles;
        std::vector<Vec3> x;
        for (const Vec3& X : mesh.nodes)
            x.push_back(X + place + Vec3(0, 0.05, 0));
        world.contact.friction = friction;
        world.contact.automatic.assign(1 + obstacles.size(), 0);
        world.contact.automatic[0] = automatic_contact_stiffness(world, 0, x);
        state = initial_state(world, x, std::vector<Vec3>(x.size(), speed));
        StepOptions options;
        options.step = dt;
        options.newton.tolerance = automatic_tolerance(world, dt);
        stepper = std::make_unique<TimeStepper>(world, options);
    }

    /// Largest slip of an attachment in a step [m] on the way to time t [s].
    double run_to(double t)
    {
        double slip = 0;
        while (state.time < t - 1e-9) {
            EXPECT_TRUE(stepper->step(state).done);
            stepper->system().contacts().for_each_contact(
                [&](const Contact& c) { slip = std::max(slip, c.at.slip.norm()); });
        }
        return slip;
    }

    Vec3 place() const { return body_pose(world, state, 0).x; }
    Vec3 velocity() const { return body_pose(world, state, 0).v; }
};

} // namespace stickslip::laws
