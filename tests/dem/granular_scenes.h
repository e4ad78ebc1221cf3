#pragma once

#include "stickslip/dem/sphere_system.h"

#include "stickslip/dem/pairs/normal_force.h"

#include "support/numeric.h"

#include <numbers>

namespace stickslip {

inline double mass_of(double radius, double density)
{
    return 4.0 / 3 * std::numbers::pi * radius * radius * radius * density;
}

inline GranularWorld one_material(const GranularMaterial& material, NormalLaw law = NormalLaw::linear)
{
    GranularWorld world;
    world.law = law;
    world.materials = {material};
    return world;
}

inline GranularWall flat_wall(const Vec3& inward, const Vec3& at = Vec3::Zero())
{
    GranularWall wall{.name = "flat", .shape = Plane{inward.normalized()}};
    wall.start.x = at;
    return wall;
}

/// A box, open at the top, that shakes with its spheres of sizes 1 to `ratio`.
inline std::vector<Grain> random_grains(int count, double smallest, double ratio, double side, std::uint64_t seed)
{
    Random random(seed);
    std::vector<Grain> grains;
    for (int i = 0; i < count; ++i) {
        const double radius = smallest * std::pow(ratio, std::pow(random.uniform(0, 1), 3));
        grains.push_back({.x = Vec3(random.uniform(0, side), random.uniform(0, side), random.uniform(0, side)),
            .radius = radius,
            .v = random.vector(0.5),
            .w = random.vector(20)});
    }
    return grains;
}

/// Spheres of two sizes on a lattice with jitter, moving at random: a box of five walls.
inline GranularWorld tumbling_box(NormalLaw law, double side)
{
    GranularMaterial a{.density = 2000,
        .young = 1e6,
        .friction = 0.4,
        .restitution = 0.8,
        .rolling_friction = 0.05,
        .twisting_friction = 0.05};
    GranularMaterial b = a;
    b.friction = 0.2;
    b.young = 2e6;
    GranularWorld world = one_material(a, law);
    world.materials.push_back(b);
    world.gravity = Vec3(0.5, 0, -9.81);
    world.walls = {flat_wall(Vec3::UnitX()), flat_wall(-Vec3::UnitX(), Vec3(side, 0, 0)), flat_wall(Vec3::UnitY()),
        flat_wall(-Vec3::UnitY(), Vec3(0, side, 0)), flat_wall(Vec3::UnitZ())};
    world.walls[4].material = 1;
    world.ledger = true;
    return world;
}

inline std::vector<Grain> lattice_grains(int a_side, double radius, std::uint64_t seed, double speed = 0.3)
{
    Random random(seed);
    std::vector<Grain> grains;
    const double s = 2.05 * radius;
    for (int k = 0; k < a_side; ++k) {
        for (int j = 0; j < a_side; ++j) {
            for (int i = 0; i < a_side; ++i)
                grains.push_back({.x = s * (Vec3(i, j, k) + Vec3::Constant(0.6)) + random.vector(0.02 * radius),
                    .radius = radius * random.uniform(0.7, 1),
                    .material = (i + j + k) % 2,
                    .v = random.vector(speed),
                    .w = random.vector(speed / radius)});
        }
    }
    return grains;
}

inline const SphereMotion& motion_of(const SphereSystem& system, int id)
{
    return system.state().spheres.motion[system.slots()[id]];
}
inline const SpherePlace& place_of(const SphereSystem& system, int id)
{
    return system.state().spheres.place[system.slots()[id]];
}

} // namespace stickslip
