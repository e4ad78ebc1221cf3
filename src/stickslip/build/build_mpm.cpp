#include "stickslip/build/build_mpm.h"

#include "stickslip/build/build_contact.h"
#include "stickslip/build/built_world.h"
#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/math/angle.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <string_view>

namespace stickslip {

namespace {

constexpr double most_cells = 3e7;
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

// In [-1/2, 1/2), the same with every standard library.
double offset(std::mt19937_64& random)
{
    return 0x1p-53 * static_cast<double>(random() >> 11) - 0.5;
}

// A particle touches `half` around its centre: one nearer to the surface than that goes inward along the normal, away
// from the faces of a corner one after the other. Where the shape is thinner it stays.
Vec3 set_back(const LevelSet& solid, Vec3 x, double half)
{
    for (int face = 0; face < 3; ++face) {
        const LevelSetSample at = sample(solid, x);
        const Vec3 inward = x - (at.phi + half) * at.n.normalized();
        if (at.phi <= -half || signed_distance(solid, inward) >= at.phi)
            break;
        x = inward;
    }
    return x;
}

} // namespace

std::vector<Vec3> filled_places(const LevelSet& solid, double spacing, std::optional<int> seed)
{
    const Bounds box = bounds(solid);
    const Vec3 size = box.max - box.min;
    const Vec3 count = (size / spacing).array().round().cwiseMax(1);
    if (!(count.prod() <= most_cells))
        throw InputError("expected a coarser resolution: the bounding box would hold " + short_number(count.prod())
            + " particles, the most is " + short_number(most_cells));
    const Vec3 step = size.cwiseQuotient(count);
    std::mt19937_64 random(seed.value_or(0));
    std::vector<Vec3> places;
    for (int k = 0; k < count[2]; ++k)
        for (int j = 0; j < count[1]; ++j)
            for (int i = 0; i < count[0]; ++i) {
                Vec3 cell(i + 0.5, j + 0.5, k + 0.5);
                if (seed)
                    for (int axis = 0; axis < 3; ++axis)
                        cell[axis] += offset(random);
                const Vec3 x = box.min + step.cwiseProduct(cell);
                if (signed_distance(solid, x) < 0)
                    places.push_back(x);
            }
    return places;
}

void add_mpm_body(const Scene& scene, const BodySettings& body, const LevelSet& solid, double volume, MpmState& state,
    BuildResult& result)
{
    World& world = result.built.world;
    MpmSet& set = world.mpm;
    const double h = *body.resolution;
    std::vector<Vec3> x = filled_places(solid, h / std::cbrt(body.particles_per_cell), body.jitter);
    if (x.empty()) {
        result.fault(body.where, body, "resolution",
            "expected a resolution at which the shape holds particles, got " + short_number(h) + " m");
        return;
    }
    const Frame frame = placed(body);
    const double half = 0.5 * std::cbrt(volume / static_cast<double>(x.size()));
    for (Vec3& place : x)
        place = frame.to_world(set_back(solid, place, half));
    const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
        [&](const MaterialSettings& m) { return m.name == body.material; });
    set.grid = h;
    const int index =
        add_mpm_body(set, body.name, mpm_material(*material), x.size(), volume / static_cast<double>(x.size()));
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
            const PairRule* rule = world.contact.rule(p, s);
            if ((rule && !rule->enabled) || warned.contains({one, two}))
                continue;
            if (bodies.is_deformable(s))
                continue;
            const Bounds box = bounds(bodies.solid(s));
            const double thickness = (box.max - box.min).minCoeff();
            if (!(thickness < world.mpm.grid))
                continue;
            warned.insert({one, two});
            result.warn(body.name_at, "bodies." + body.name,
                in_quotes(two) + " is " + short_number(thickness) + " m thin, but particles of " + in_quotes(one)
                    + " may move by a cell of " + short_number(world.mpm.grid)
                    + " m in a step: contact that begins and ends within a step is not detected");
        }
    }
}

void warn_of_mpm_overlap(const Scene& scene, BuildResult& result)
{
    const World& world = result.built.world;
    const State& state = result.built.state;
    const ContactBodies bodies = contact_bodies(world);
    for (int p = bodies.first_mpm(); p < bodies.total(); ++p)
        for (int s = bodies.first_obstacle(); s < bodies.count(); ++s) { // rigid bodies: warn_of_overlap
            if (!bodies.is_pair(p, s))
                continue;
            const Frame frame = frame_at(bodies.obstacle(s).motion, bodies.obstacle(s).start, state.time);
            std::size_t inside = 0;
            double depth = 0;
            for (int point = 0; point < bodies.points(p); ++point) {
                const Vec3& x = state.mpm.x[bodies.mpm_body(p).particles.begin + point];
                const double phi = signed_distance(bodies.solid(s), frame.to_local(x));
                inside += phi < -1e-6 * world.mpm.grid;
                depth = std::max(depth, -phi);
            }
            if (inside == 0)
                continue;
            const std::string& name = contact_body_name(world, p);
            result.warn(settings_of(scene, name).placed_at(), "bodies." + name + ".position",
                "starts inside " + in_quotes(contact_body_name(world, s)) + ": " + counted(inside, "particle")
                    + ", the deepest " + short_number(depth) + " m; contact will push it out");
        }
}

} // namespace stickslip
