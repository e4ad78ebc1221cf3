#include "stickslip/dem/sphere_system.h"

#include "stickslip/dem/walls/walls.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {

EnergyLedger SphereSystem::ledger() const
{
    const Spheres& all = state_.spheres;
    const PairSystem system = pair_system(world_.dt);
    ElasticEnergy elastic = pair_energy(system, state_.pairs);
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        const GranularWall& wall = world_.walls[w];
        elastic += wall_energy(system, wall, world_.materials[wall.material], wall_pose_now(w), state_.walls[w]);
    }
    elastic += solid_energy();
    EnergyLedger e = {};
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (clumps_.holds(i))
            continue;
        const SphereMotion& m = all.motion[i];
        e.kinetic_translation += 0.5 / m.inverse_mass * m.v.squaredNorm();
        e.kinetic_rotation += 0.2 / m.inverse_mass * std::pow(all.place[i].radius, 2) * m.w.squaredNorm();
    }
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        e.kinetic_translation += translation_energy(world_.bodies[b].rigid, state_.bodies[b]);
        e.kinetic_rotation += rotation_energy(state_.bodies[b]);
    }
    e.elastic_normal = elastic.normal;
    e.elastic_tangential = elastic.tangential;
    e.elastic_rolling = elastic.rolling;
    e.gravity_work = state_.gravity_work;
    e.wall_work = state_.wall_work;
    e.load_work = state_.load_work;
    e.friction_loss = state_.losses.friction;
    e.rolling_loss = state_.losses.rolling;
    e.damping_loss = state_.losses.damping;
    e.adhesion_loss = state_.losses.adhesion;
    e.local_damping_loss = state_.local_damping_loss;
    e.first = state_.first_energy;
    return e;
}

double SphereSystem::potential_energy() const
{
    double sum = state_.wrapped_work;
    for (const MovingPart& part : moving_parts())
        sum -= part.mass * world_.gravity.dot(part.x);
    return sum;
}

std::size_t SphereSystem::touching() const
{
    const auto count = [](const std::vector<std::uint8_t>& flags) {
        return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), std::uint8_t(1)));
    };
    std::size_t total = count(state_.pairs.touching) + count(state_.points.history.touching);
    for (const WallContacts& contacts : state_.walls) {
        total += count(contacts.history.touching);
        total += static_cast<std::size_t>(std::accumulate(contacts.held_count.begin(), contacts.held_count.end(), 0));
    }
    return total;
}

} // namespace stickslip
