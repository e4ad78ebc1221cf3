#include "stickslip/build/build_mpm.h"

#include "stickslip/build/build_contact.h"
#include "stickslip/build/built_world.h"
#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/geometry/queries/tet_search.h"
#include "stickslip/math/angle.h"
#include "stickslip/math/error.h"
#include "stickslip/mpm/sparse_grid.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/world/soft_watch.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

namespace stickslip {

namespace {

constexpr int enough_particles_per_cell = 27; // docs/validation.md, "Liquids rest with 27 particles a cell"

// What fewer particles a cell do to it; empty: nothing that shows.
std::string_view fault_of_few_particles(MpmModel model)
{
    switch (model) {
    case MpmModel::fluid:
        return "sinks where it should rest, by some percent a second";
    case MpmModel::drucker_prager:
    case MpmModel::snow:
        return "loses volume while it flows, up to half of it";
    default:
        return {};
    }
}

MpmModel mpm_model(MaterialModel model)
{
    switch (model) {
    case MaterialModel::fixed_corotated:
        return MpmModel::fixed_corotated;
    case MaterialModel::drucker_prager:
        return MpmModel::drucker_prager;
    case MaterialModel::von_mises:
        return MpmModel::von_mises;
    case MaterialModel::snow:
        return MpmModel::snow;
    case MaterialModel::fluid:
        return MpmModel::fluid;
    default: // the others are refused by the scene's checks
        return MpmModel::neo_hookean;
    }
}

// Pre: what the model needs is set.
MpmMaterial mpm_material(const MaterialSettings& m)
{
    MpmMaterial material;
    material.model = mpm_model(m.model);
    material.elastic.density = m.density;
    if (material.model == MpmModel::fluid) {
        material.bulk_modulus = *m.bulk_modulus;
        material.viscosity = m.viscosity;
        return material;
    }
    const ElasticModel elastic =
        material.model == MpmModel::neo_hookean ? ElasticModel::neo_hookean : ElasticModel::fixed_corotated;
    material.elastic = make_material(elastic, m.density, *m.young, *m.poisson, m.damping);
    if (material.model == MpmModel::drucker_prager)
        set_cone(material, *m.friction_angle * degree, m.cohesion);
    if (material.model == MpmModel::von_mises) {
        material.yield_stress = *m.yield_stress;
        material.hardening = m.hardening_modulus;
    }
    if (material.model == MpmModel::snow) {
        material.critical_compression = m.critical_compression;
        material.critical_stretch = m.critical_stretch;
        material.hardening = m.hardening;
    }
    return material;
}

// Particles as wide as their spacing have no room in what is thinner.
void warn_of_thin_shape(const BodySettings& body, const FilledShape& filled, double spacing, BuildResult& result)
{
    const std::string advice = "; expected a finer resolution or more particles_per_cell";
    if (2 * filled.half_width < 0.98 * spacing)
        result.warn(body.where, "bodies." + body.name,
            "the shape is " + short_number(2 * filled.half_width) + " m thin, less than its particles are apart ("
                + short_number(spacing) + " m): they are as wide as it is thin" + advice);
    if (filled.moved > 0)
        result.warn(body.where, "bodies." + body.name,
            counted(filled.moved, "particle") + " of " + std::to_string(filled.places.size())
                + " would lie where the shape is thinner than a particle (" + short_number(2 * filled.half_width)
                + " m), and go to the nearest place where it is not" + advice);
}

/// Particles of a body that are within another.
struct Within {
    std::size_t count = 0;
    double depth = 0; // [m] of the deepest
};

/// `depth`: of a place [m] under the surface of the other; 0 or less: outside.
template <typename Depth>
Within particles_within(const World& world, const State& state, int body, const Depth& depth)
{
    Within within;
    const Range particles = world.mpm.bodies[body].particles;
    for (int i = particles.begin; i < particles.end; ++i) {
        const double deep = depth(state.mpm.x[i]);
        within.count += deep > 1e-6 * world.mpm.grid;
        within.depth = std::max(within.depth, deep);
    }
    return within;
}

void warn_of(
    const Within& within, int body, int other, const std::string& what_follows, const Scene& scene, BuildResult& result)
{
    if (within.count == 0)
        return;
    const std::string& name = contact_body_name(result.built.world, body);
    result.warn(settings_of(scene, name).placed_at(), "bodies." + name + ".position",
        "starts inside " + in_quotes(contact_body_name(result.built.world, other)) + ": "
            + counted(within.count, "particle") + ", the deepest " + short_number(within.depth) + " m; "
            + what_follows);
}

} // namespace

void add_mpm_body(const Scene& scene, const BodySettings& body, const ShapeDistance& distance, const Bounds& box,
    double volume, MpmState& state, BuildResult& result)
{
    World& world = result.built.world;
    MpmSet& set = world.mpm;
    const double h = *body.resolution;
    const FilledShape filled = filled_shape(distance, box, volume, h / std::cbrt(body.particles_per_cell), body.jitter);
    if (filled.places.empty()) {
        result.fault(body.where, body, "resolution",
            "expected a resolution at which the shape holds particles, got " + short_number(h) + " m");
        return;
    }
    const Frame frame = placed(body);
    std::vector<Vec3> x;
    for (const Vec3& place : filled.places)
        x.push_back(frame.to_world(place));
    if (const auto lost = first_off_grid(x, h)) {
        result.fault(body.placed_at(), body, "position",
            "expected all particles within 2^20 grid spacings (" + short_number(0x1p20 * h)
                + " m) of the origin along each axis, found one at (" + short_number(x[*lost].x()) + ", "
                + short_number(x[*lost].y()) + ", " + short_number(x[*lost].z()) + ") m");
        return;
    }
    const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
        [&](const MaterialSettings& m) { return m.name == body.material; });
    set.grid = h;
    const int index =
        add_mpm_body(set, body.name, mpm_material(*material), x.size(), volume / static_cast<double>(x.size()));
    set.bodies[index].half_width = filled.half_width;
    warn_of_thin_shape(body, filled, set.bodies[index].spacing, result);
    set.bodies[index].acceleration = body.acceleration;
    add_particles(state, x, body.velocity, body.angular_velocity, world.gravity + body.acceleration);
    result.built.notes.push_back(body.name + ": " + counted(x.size(), "particle") + ", "
        + short_number(set.bodies[index].spacing) + " m apart, on a grid of " + short_number(h) + " m, mass "
        + short_number(set.bodies[index].mass) + " kg");
    const std::string_view fault = fault_of_few_particles(set.materials[index].model);
    if (!fault.empty() && body.particles_per_cell < enough_particles_per_cell)
        result.built.notes.push_back(body.name + ": with fewer than " + std::to_string(enough_particles_per_cell)
            + " particles a cell it " + std::string(fault));
}

void warn_of_thin_mpm_partners(const Scene& scene, BuildResult& result)
{
    const World& world = result.built.world;
    const ContactBodies bodies = contact_bodies(world);
    std::set<std::pair<std::string, std::string>> warned;
    for (int p = bodies.first_mpm(); p < bodies.total(); ++p) {
        const std::string one = family_of(contact_body_name(world, p));
        const BodySettings& body = settings_of(scene, contact_body_name(world, p));
        for (int s = 0; s < bodies.count(); ++s) {
            const std::string two = family_of(contact_body_name(world, s));
            if (!bodies.is_pair(p, s) || warned.contains({one, two}))
                continue;
            const Bounds box = bounds(bodies.solid(s));
            const double thickness = (box.max - box.min).minCoeff();
            if (!(thickness < world.mpm.grid))
                continue;
            warned.insert({one, two});
            result.warn(body.name_at, "bodies." + body.name,
                in_quotes(two) + " is " + short_number(thickness) + " m thin, but particles of " + in_quotes(one)
                    + " may move by a cell of " + short_number(world.mpm.grid)
                    + " m in a step: steps in which they go through it are taken again, with half the length");
        }
    }
}

void warn_of_mpm_overlap(const Scene& scene, const std::vector<ShapeDistance>& shapes, BuildResult& result)
{
    const World& world = result.built.world;
    const State& state = result.built.state;
    const ContactBodies bodies = contact_bodies(world);
    for (int s = bodies.first_obstacle(); s < bodies.count(); ++s) { // rigid bodies: warn_of_overlap
        const Frame frame = frame_at(bodies.obstacle(s).motion, bodies.obstacle(s).start, state.time);
        for (int p = bodies.first_mpm(); p < bodies.total(); ++p)
            if (bodies.is_pair(p, s)) {
                const Within within = particles_within(world, state, p - bodies.first_mpm(),
                    [&](const Vec3& x) { return -signed_distance(bodies.solid(s), frame.to_local(x)); });
                warn_of(within, p, s, "contact will push it out", scene, result);
            }
    }
    for (int s = 0; s < bodies.first_rigid(); ++s) {
        const DeformableBody& soft = world.deformables.bodies[s];
        TetSearch tets(std::span(world.deformables.tets).subspan(soft.tets.begin, soft.tets.size()));
        tets.place(state.x);
        for (int p = bodies.first_mpm(); p < bodies.total(); ++p)
            if (bodies.meets_patches(p, s)) {
                const Within within = particles_within(world, state, p - bodies.first_mpm(), [&](const Vec3& x) {
                    return tets.contains(x) ? distance_to_surface(world.deformables, soft, state.x, x) : 0;
                });
                warn_of(within, p, s, "its surface holds back what comes from outside only", scene, result);
            }
    }
    std::vector<Bounds> boxes(shapes.size());
    for (std::size_t i = 0; i < state.mpm.x.size(); ++i)
        boxes[world.mpm.body_of_particle[i]].add(state.mpm.x[i]);
    for (int m = 0; m < static_cast<int>(shapes.size()); ++m) {
        const Frame frame = placed(settings_of(scene, world.mpm.bodies[m].name));
        for (int other = m + 1; other < static_cast<int>(shapes.size()); ++other) {
            if (!boxes[m].overlaps(boxes[other]))
                continue;
            const Within within =
                particles_within(world, state, other, [&](const Vec3& x) { return -shapes[m](frame.to_local(x)).phi; });
            warn_of(within, bodies.first_mpm() + other, bodies.first_mpm() + m,
                "material points stick to each other, nothing will push it out", scene, result);
        }
    }
}

} // namespace stickslip
