#pragma once

#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/world/backward_euler.h"

#include <memory>

namespace stickslip {

/// A soft ball with its first residual; `cells` elements from the centre to the surface. On a floor it is pressed in by
/// a twentieth of its radius.
struct SoftBall {
    World world;
    State state;
    std::unique_ptr<BackwardEuler> system;
    BlockVector x, y;

    enum Place { in_air, on_floor };

    explicit SoftBall(
        int cells, ElasticModel model = ElasticModel::neo_hookean, double young = 1e5, Place place = in_air)
    {
        constexpr double radius = 0.15;
        const TetMesh mesh = tetrahedralize(Sphere{radius}, radius / cells);
        add_deformable(world.deformables, "ball", mesh, make_material(model, 1000, young, 0.4, 0));
        finish(world.deformables);
        world.gravity = Vec3(0, -9.81, 0);
        if (place == on_floor) {
            world.obstacles.push_back({.name = "floor", .solid = Plane{Vec3::UnitY(), -0.95 * radius}});
            world.contact.friction = 0.4;
            world.contact.automatic.assign(2, 10 * young * cells / radius);
        }
        state = initial_state(world, mesh.nodes, std::vector<Vec3>(mesh.nodes.size(), Vec3::Zero()));
        system = std::make_unique<BackwardEuler>(world);
        system->begin_step(state, 1.0 / 60);
        x.assign(system->size(), Vec3(1, 2, 3));
        system->residual(BlockVector(system->size(), Vec3::Zero()), y);
        system->assemble();
    }

    std::size_t tets() const { return world.deformables.tets.size(); }
    const BlockMatrix& matrix() { return system->assemble(); }
};

} // namespace stickslip
