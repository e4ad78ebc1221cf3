#pragma once

#include "granular_scenes.h"

#include "stickslip/geometry/mesh/mass_properties.h"

namespace stickslip {

/// Adds a free box; its index.
inline int add_box(GranularWorld& world, const Vec3& size, double density, const RigidState& start, int material = 0)
{
    const MassProperties unit = mass_properties(Primitive(Box{size}));
    GranularBody body;
    body.rigid.name = "box" + std::to_string(world.bodies.size());
    body.rigid.mass = density * unit.volume;
    body.rigid.inertia = density * unit.inertia;
    body.start = start;
    GranularWall wall{.name = body.rigid.name, .shape = Box{size}, .material = material};
    wall.body = static_cast<int>(world.bodies.size());
    wall.size = std::cbrt(3 * unit.volume / (4 * std::numbers::pi));
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        wall.points.push_back({.z = 0.5 * sign.cwiseProduct(size)});
    }
    world.walls.push_back(wall);
    world.bodies.push_back(body);
    return wall.body;
}

/// Adds two equal balls that hold each other, centres `apart` along the body's x; its index. The mass is that of both.
inline int add_dumbbell(GranularWorld& world, double radius, double apart, double density, const RigidState& start)
{
    GranularBody body;
    body.rigid.name = "clump" + std::to_string(world.bodies.size());
    const double m = mass_of(radius, density), own = 0.4 * m * radius * radius;
    body.rigid.mass = 2 * m;
    body.rigid.inertia = Vec3(2 * own, 2 * own + m * apart * apart / 2, 2 * own + m * apart * apart / 2).asDiagonal();
    body.rigid.rounds = {{Vec3(-apart / 2, 0, 0), radius}, {Vec3(apart / 2, 0, 0), radius}};
    body.start = start;
    body.is_clump = true;
    world.bodies.push_back(body);
    return static_cast<int>(world.bodies.size()) - 1;
}

/// Sum of all momenta, and of all angular momenta about the origin.
struct Momenta {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(); // [kg m/s], [kg m^2/s]
};
inline Momenta momenta(const SphereSystem& system)
{
    Momenta sum;
    for (const MovingPart& part : system.moving_parts()) {
        sum.linear += part.mass * part.v;
        sum.angular += part.mass * part.x.cross(part.v) + part.spin;
    }
    return sum;
}

} // namespace stickslip
