#pragma once

#include "laws/rigid_world.h"

namespace stickslip {

/// Balls and one deformable body that they meet by its triangles.
struct SoftWorld : RigidWorld {
    std::vector<Vec3> x, v;

    SoftWorld(double step, const TetMesh& mesh, double young, const Frame& place,
        const Vec3& gravity = Vec3(0, -9.81, 0), EdgeRule rule = EdgeRule::smooth)
        : RigidWorld(step, gravity)
        , x(mesh.nodes)
        , v(mesh.nodes.size(), Vec3::Zero())
    {
        for (Vec3& node : x)
            node = place.to_world(node);
        add_deformable(
            world.deformables, "block", mesh, make_material(ElasticModel::neo_hookean, 1000, young, 0.3, 0.02));
        show_triangles(world.deformables, 0, rule);
        finish(world.deformables);
        world.deformables.pin_frames.push_back({});
    }

    /// Holds the nodes of which `chosen`(rest position) is true.
    template <typename Chosen>
    void hold(const Chosen& chosen)
    {
        for (int node = 0; node < static_cast<int>(x.size()); ++node)
            if (chosen(world.deformables.rest[node]))
                world.deformables.pins.push_back({node, x[node], 0});
    }

    State start(double friction)
    {
        world.contact.friction = friction;
        world.contact.automatic.assign(1 + world.rigids.size() + world.obstacles.size(), 0);
        world.contact.automatic[0] = automatic_contact_stiffness(world, 0, x);
        for (std::size_t b = 0; b < world.rigids.size(); ++b)
            world.contact.automatic[1 + b] = automatic_rigid_stiffness(world, static_cast<int>(b), dt);
        return initial_state(world, x, v, rigid);
    }
};

} // namespace stickslip
