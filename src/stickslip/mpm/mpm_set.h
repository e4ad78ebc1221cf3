#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/mpm/mpm_material.h"

#include <string>
#include <vector>

namespace stickslip {

/// One body of material points: a range of the arrays of its MpmSet, and what it is loaded with.
struct MpmBody {
    std::string name;
    Range particles;
    int material = 0;
    double mass = 0; // [kg]
    double spacing = 0; // [m] between particles: cube root of the volume of each
    double half_width = 0; // [m] how far from its centre a particle touches: half the spacing, less in a thinner shape
    Vec3 acceleration = Vec3::Zero(); // [m/s^2] added to gravity

    double contact_area() const { return spacing * spacing * spacing / (2 * half_width); } // [m^2] of a particle
};

/// All bodies of material points of a world; never changes during a run. They share one grid, and so stick to each
/// other where they meet.
struct MpmSet {
    double grid = 0; // [m] spacing; > 0 where there are bodies
    std::vector<MpmBody> bodies;
    std::vector<MpmMaterial> materials;
    std::vector<int> body_of_particle;
    std::vector<double> volume; // [m^3] particles, undeformed
    std::vector<double> mass; // [kg] particles

    std::size_t particles() const { return volume.size(); }
    const MpmMaterial& material(std::size_t particle) const
    {
        return materials[bodies[body_of_particle[particle]].material];
    }
};

/// State of the material points, by particle.
struct MpmState {
    std::vector<Vec3> x, v; // [m], [m/s]
    std::vector<Mat3> C; // [1/s] affine part of the velocity (APIC)
    std::vector<Vec3> a; // [m/s^2] of the last step: the first guess of the next
    std::vector<MpmPoint> point;
    std::vector<Vec3>
        thinned; // [m] of liquids: contacts meet it at x + thinned: its sides have come nearer to its centre than
                 // half the spacing, along the normals of what it touches; 0 where it touches nothing
};

/// A side of a particle that touches a surface in a step. It is `half_width` away from the centre, against the normal
/// n, and stretches with the particle: the place that contacts meet moves by that of the centre less half_width (n.G n)
/// dual, with G the gradient of the displacement.
struct TouchingSide {
    int particle;
    Vec3 normal; // unit, from the surface to the particle
    Vec3 dual; // [-] dual.normal = 1, and 0 with the normals of its other sides
    double half_width; // [m]
};

/// Appends a body whose particles have equal volumes [m^3]. Returns its index.
int add_mpm_body(
    MpmSet& set, const std::string& name, const MpmMaterial& material, std::size_t particles, double particle_volume);

/// Particles at rest in shape at x, moving as a rigid body with velocity v [m/s] of their centre of mass and spin w
/// [rad/s].
void add_particles(MpmState& state, std::span<const Vec3> x, const Vec3& v, const Vec3& w, const Vec3& acceleration);

/// [m] The longest way of a particle in dt [s], along any axis, if none is slowed down: at v + a dt, or at v along axes
/// where a is against it.
double longest_free_way(const MpmState& state, double dt);

/// Energy of motion [J], the affine part of the velocities included; stored in strain; linear and angular momentum.
double mpm_kinetic_energy(const MpmSet& set, const MpmState& state);
double mpm_elastic_energy(const MpmSet& set, const MpmState& state);
Vec3 mpm_linear_momentum(const MpmSet& set, const MpmState& state); // [kg m/s]
Vec3 mpm_angular_momentum(const MpmSet& set, const MpmState& state); // [kg m^2/s] about the origin

} // namespace stickslip
