#include "stickslip/mpm/mpm_set.h"

#include "stickslip/math/parallel.h"
#include "stickslip/math/rotation.h"
#include "stickslip/mpm/spline.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {

int add_mpm_body(
    MpmSet& set, const std::string& name, const MpmMaterial& material, std::size_t particles, double particle_volume)
{
    const int index = static_cast<int>(set.bodies.size()), begin = static_cast<int>(set.particles());
    const double mass = material.elastic.density * particle_volume;
    MpmBody body;
    body.name = name;
    body.particles = {begin, begin + static_cast<int>(particles)};
    body.material = static_cast<int>(set.materials.size());
    body.mass = mass * static_cast<double>(particles);
    body.spacing = std::cbrt(particle_volume);
    body.half_width = 0.5 * body.spacing;
    set.bodies.push_back(body);
    set.materials.push_back(material);
    set.volume.insert(set.volume.end(), particles, particle_volume);
    set.mass.insert(set.mass.end(), particles, mass);
    set.body_of_particle.insert(set.body_of_particle.end(), particles, index);
    return index;
}

void add_particles(MpmState& state, std::span<const Vec3> x, const Vec3& v, const Vec3& w, const Vec3& acceleration)
{
    const Vec3 centre = std::accumulate(x.begin(), x.end(), Vec3(Vec3::Zero()))
        / static_cast<double>(std::max<std::size_t>(x.size(), 1));
    for (const Vec3& place : x) {
        state.x.push_back(place);
        state.v.push_back(v + w.cross(place - centre));
    }
    state.C.insert(state.C.end(), x.size(), skew(w));
    state.a.insert(state.a.end(), x.size(), acceleration);
    state.point.insert(state.point.end(), x.size(), MpmPoint{});
    state.thinned.insert(state.thinned.end(), x.size(), Vec3::Zero());
}

double longest_free_way(const MpmState& state, double dt)
{
    double longest = 0;
    for (std::size_t p = 0; p < state.v.size(); ++p)
        for (int axis = 0; axis < 3; ++axis) {
            const double v = state.v[p][axis], a = state.a[p][axis];
            longest = std::max(longest, std::abs(a * v > 0 ? v + a * dt : v) * dt);
        }
    return longest;
}

double mpm_kinetic_energy(const MpmSet& set, const MpmState& s)
{
    const double moment = spline_moment(set.grid);
    return ordered_sum(set.particles(), 0.0,
        [&](std::size_t p) { return 0.5 * set.mass[p] * (s.v[p].squaredNorm() + moment * s.C[p].squaredNorm()); });
}

double mpm_elastic_energy(const MpmSet& set, const MpmState& s)
{
    return ordered_sum(set.particles(), 0.0,
        [&](std::size_t p) { return set.volume[p] * mpm_energy_density(set.material(p), s.point[p]); });
}

Vec3 mpm_linear_momentum(const MpmSet& set, const MpmState& s)
{
    return ordered_sum(set.particles(), Vec3(Vec3::Zero()), [&](std::size_t p) { return Vec3(set.mass[p] * s.v[p]); });
}

Vec3 mpm_angular_momentum(const MpmSet& set, const MpmState& s)
{
    const double moment = spline_moment(set.grid);
    return ordered_sum(set.particles(), Vec3(Vec3::Zero()), [&](std::size_t p) {
        const Mat3& C = s.C[p]; // its own: sum over axes of e_k x C e_k
        const Vec3 spin(C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1));
        return Vec3(set.mass[p] * (s.x[p].cross(s.v[p]) + moment * spin));
    });
}

} // namespace stickslip
