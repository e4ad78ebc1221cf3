#pragma once

#include "stickslip/world/world.h"

#include "support/boxes.h"

namespace stickslip {

/// A cube of size 0.2 m whose lowest nodes are at height `above` over y = 0.
struct CubeWorld {
    static constexpr double size = 0.2;
    World world;
    std::vector<Vec3> x, v;

    explicit CubeWorld(int cells, double young = 1e5, double damping = 0, double above = 0,
        ElasticModel model = ElasticModel::neo_hookean)
    {
        world.gravity = Vec3(0, -9.81, 0);
        add_deformable(
            world.deformables, "cube", cube_mesh(size, cells), make_material(model, 1000, young, 0.3, damping));
        finish(world.deformables);
        x = moved(world.deformables.rest, Mat3::Identity(), Vec3(0, 0.5 * size + above, 0));
        v.assign(x.size(), Vec3::Zero());
    }

    /// Adds an obstacle and what is said of its contact with the cube.
    void touch(const Obstacle& obstacle, double friction, double stiffness, bool per_area = false)
    {
        world.obstacles.push_back(obstacle);
        world.contact.automatic.assign(1 + world.obstacles.size(), 0);
        world.contact.automatic[0] = stiffness;
        PairRule rule{.friction = friction};
        if (!per_area)
            rule.stiffness = stiffness;
        world.contact.rules[{0, static_cast<int>(world.obstacles.size())}] = rule;
    }
    State state() const { return initial_state(world, x, v); }
};

} // namespace stickslip
