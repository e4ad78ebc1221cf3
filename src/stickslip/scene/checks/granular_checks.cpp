#include "stickslip/scene/checks/granular_checks.h"

#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace stickslip {

namespace {

void check_sizes(const std::optional<Sizes>& sizes, const std::string& path, SceneCheck& check)
{
    if (!sizes || !check.sound({path}))
        return;
    if (const auto* uniform = std::get_if<UniformSizes>(&*sizes); uniform && uniform->max < uniform->min)
        check.fault(path + ".max", "expected a number >= min");
    if (const auto* normal = std::get_if<NormalSizes>(&*sizes); normal && 2 * normal->deviation >= normal->mean)
        check.fault(path + ".deviation", "expected less than half of the mean");
    const auto* table = std::get_if<TableSizes>(&*sizes);
    if (table && table->radii.size() != table->shares.size())
        check.fault(path + ".shares", "expected one value per radius");
    else if (table && *std::max_element(table->shares.begin(), table->shares.end()) == 0)
        check.fault(path + ".shares", "expected at least one nonzero value");
}

void check_inlet(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const std::string at = path + ".inlet";
    if (!body.inlet || !check.sound({at}))
        return;
    const InletSettings& inlet = *body.inlet;
    if (!(inlet.end > inlet.start))
        check.fault(at + ".end", "expected a time later than start");
    if (body.radius && inlet.sizes)
        check.fault(at + ".sizes", "cannot be combined with \"radius\"; give one of them");
    else if (!body.radius && !inlet.sizes && !body.clump)
        check.fault(at, "expected `sizes` here or `radius` in the body");
    check_sizes(inlet.sizes, at + ".sizes", check);
}

void check_space(const Scene& scene, SceneCheck& check)
{
    if (scene.periodic && check.sound({"periodic"})) {
        for (int axis = 0; axis < 3; ++axis) {
            const double low = scene.periodic->min[axis], high = scene.periodic->max[axis];
            const bool open = low == -infinity && high == infinity;
            if (!open && !(std::isfinite(low) && std::isfinite(high) && low < high))
                check.fault("periodic.max[" + std::to_string(axis) + "]",
                    "expected a number > min, or -.inf to .inf for an axis that is not periodic");
        }
    }
    for (std::size_t i = 0; i < scene.outlets.size(); ++i) {
        const std::string path = check.outlet_path(i);
        const OutletSettings& outlet = scene.outlets[i];
        if (check.sound({path + ".box"}) && !(outlet.box.min.array() < outlet.box.max.array()).all())
            check.fault(path + ".box.max", "expected numbers > those of min");
        const auto same = [&](const OutletSettings& other) { return other.name == outlet.name; };
        const auto first = std::find_if(scene.outlets.begin(), scene.outlets.end(), same);
        if (check.sound({path + ".name"}) && first - scene.outlets.begin() < static_cast<std::ptrdiff_t>(i))
            check.fault(path + ".name", "duplicate name " + in_quotes(outlet.name));
    }
}

constexpr double most_points = 1e7; // of a region's grid

void check_regions(const Scene& scene, SceneCheck& check)
{
    std::set<std::string> names = {all_spheres};
    for (std::size_t i = 0; i < scene.output.regions.size(); ++i) {
        const RegionSettings& region = scene.output.regions[i];
        const std::string path = "output.regions[" + std::to_string(i) + "]";
        if (!check.sound({path}))
            continue;
        if (!(region.box.min.array() < region.box.max.array()).all())
            check.fault(path + ".box.max", "expected numbers > those of min");
        else if (region.spacing
            && ((region.box.max - region.box.min) / *region.spacing).array().ceil().prod() > most_points)
            check.fault(path + ".spacing", formatted("this would give more than %.0e points", most_points));
        if (!names.insert(region.name).second)
            check.fault(path + ".name",
                region.name == all_spheres ? "\"all\" is reserved for all spheres together"
                                           : "duplicate name " + in_quotes(region.name));
    }
}

void check_fill(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const FillSettings& fill = *body.fill;
    const std::string at = path + ".fill";
    if (!check.sound({at}))
        return;
    check_sizes(fill.sizes, at + ".sizes", check);
    if (body.clump || !check.sound({path + ".radius", path + ".radii"}))
        return;
    if (!body.radii.empty())
        check.fault(path + ".radii", "for `positions` only; a filling needs `radius` or `fill.sizes`");
    else if (body.radius && fill.sizes)
        check.fault(at + ".sizes", "cannot be combined with \"radius\"; give one of them");
    else if (!body.radius && !fill.sizes)
        check.fault(path, "expected `radius` or `fill.sizes`");
}

void check_clump(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    if (!body.clump || !check.sound({path + ".clump"}))
        return;
    const ClumpSettings& clump = *body.clump;
    const std::string at = path + ".clump";
    if (!clump.radius && clump.radii.size() != clump.positions.size())
        check.fault(at + ".radii",
            "expected one radius per position (" + std::to_string(clump.positions.size()) + "), got "
                + std::to_string(clump.radii.size()));
    const auto none = [&](const std::string& key, bool given) {
        if (given && check.sound({path + "." + key}))
            check.fault(path + "." + key, "not available with `clump`, whose spheres have their own radii");
    };
    none("radius", body.radius.has_value());
    none("radii", !body.radii.empty());
    none("fill.sizes", body.fill && body.fill->sizes);
    none("inlet.sizes", body.inlet && body.inlet->sizes);
}

/// What a material of spheres, or of what they meet, must say.
void check_grain_material(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const auto same = [&](const MaterialSettings& m) { return m.name == body.material; };
    const auto found = std::find_if(scene.materials.begin(), scene.materials.end(), same);
    if (found == scene.materials.end() || !check.sound({"materials." + body.material, "contact.law"}))
        return;
    const ForceLaw law = scene.contact.law;
    const bool needs_young = law == ForceLaw::hertz || law == ForceLaw::dmt || law == ForceLaw::jkr;
    const std::string name = "the material " + in_quotes(found->name);
    if (found->kn && needs_young)
        check.fault(path + ".material", name + " has kn, which this `contact.law` does not use");
    if (!found->kn && (!found->young || !found->poisson))
        check.fault(path + ".material", name + " has neither kn nor young and poisson; spheres need one of the two");
    if (found->surface_energy > 0 && (found->kn || law == ForceLaw::linear || law == ForceLaw::hertz))
        check.fault(path + ".material", name + " has surface_energy, which is for the laws dmt and jkr");
}

/// A body that takes part in an explicit run.
void check_explicit_body(const Scene& scene, std::size_t index, SceneCheck& check)
{
    const BodySettings& body = scene.bodies[index];
    const std::string path = check.body_path(index);
    if (!check.sound({path + ".kind", path + ".motion", path + ".material"}))
        return;
    if (body.kind == BodyKind::deformable)
        check.fault(path + ".kind", "deformable bodies need `solver.integration: implicit`");
    else if (body.kind == BodyKind::mpm)
        check.fault(path + ".kind", "mpm bodies need `solver.integration: implicit`");
    else
        check_grain_material(scene, body, path, check);
}

/// Whether contacts are linear springs.
bool is_linear(const Scene& scene)
{
    const auto has_kn = [](const auto& one) { return one.kn.has_value(); };
    const ForceLaw law = scene.contact.law;
    return law == ForceLaw::linear
        || (law == ForceLaw::automatic
            && (std::any_of(scene.materials.begin(), scene.materials.end(), has_kn)
                || std::any_of(scene.contact.pairs.begin(), scene.contact.pairs.end(), has_kn)));
}

void check_granular_pairs(const Scene& scene, SceneCheck& check)
{
    for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
        const PairSettings& pair = scene.contact.pairs[i];
        const std::string path = "contact.pairs[" + std::to_string(i) + "]";
        if (!check.sound({path}))
            continue;
        if (pair.stiffness)
            check.fault(path + ".stiffness", "has no effect on spheres: use `kn`, or `young` of their materials");
        if (pair.friction && std::isinf(*pair.friction))
            check.fault(path + ".friction", "expected a finite number with `solver.integration: explicit`");
        const ForceLaw law = scene.contact.law;
        if (pair.kn && law != ForceLaw::linear && law != ForceLaw::automatic)
            check.fault(path + ".kn", "has no effect: this `contact.law` does not use it");
        if (pair.surface_energy > 0.0 && (is_linear(scene) || law == ForceLaw::hertz))
            check.fault(path + ".surface_energy", "for the laws dmt and jkr only");
    }
}

/// What explicit runs alone read.
void check_explicit_only(const Scene& scene, SceneCheck& check)
{
    for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
        const PairSettings& pair = scene.contact.pairs[i];
        for (const auto& [key, value] :
            {std::pair(".restitution", pair.restitution), std::pair(".rolling_friction", pair.rolling_friction),
                std::pair(".twisting_friction", pair.twisting_friction), std::pair(".kn", pair.kn),
                std::pair(".kt", pair.kt), std::pair(".surface_energy", pair.surface_energy)})
            if (const std::string path = "contact.pairs[" + std::to_string(i) + "]" + key; value && check.sound({path}))
                check.fault(path, "needs `solver.integration: explicit`");
    }
    const auto none = [&](const std::string& path, bool differs) {
        if (differs && check.sound({path}))
            check.fault(path, "needs `solver.integration: explicit`");
    };
    none("contact.law", scene.contact.law != ForceLaw::automatic);
    none("solver.local_damping", scene.solver.local_damping > 0);
    none("time.safety", scene.time.safety != TimeSettings().safety);
    none("output.history", scene.output.history.has_value());
    const MaterialSettings usual;
    for (const MaterialSettings& m : scene.materials) // a warning: a material may serve both integrations
        for (const auto& [key, differs] : {std::pair(".restitution", m.restitution != usual.restitution),
                 std::pair(".rolling_friction", m.rolling_friction > 0),
                 std::pair(".twisting_friction", m.twisting_friction > 0),
                 std::pair(".surface_energy", m.surface_energy > 0)})
            if (const std::string path = "materials." + m.name + key; differs && check.sound({path}))
                check.warn(path, "has no effect with `solver.integration: implicit`");
}

/// What implicit runs alone read must have its usual value, as the scene of a run folder writes it.
void check_implicit_only(const Scene& scene, SceneCheck& check)
{
    const auto none = [&](const std::string& path, bool differs, const std::string& why) {
        if (differs && check.sound({path}))
            check.fault(path, "has no effect with `solver.integration: explicit`" + why);
    };
    const SolverSettings usual;
    const GmresSettings &gmres = scene.solver.gmres, &usual_gmres = usual.gmres;
    const std::string no_equations = ": no equations are solved";
    none("time.min_step", scene.time.min_step.has_value(), ": its step is constant");
    none("time.max_step", scene.time.max_step.has_value(), ": its step is constant");
    none("contact.relaxation", scene.contact.relaxation != ContactSettings().relaxation, "");
    none("contact.self", scene.contact.self == false, "");
    none("contact.quadrature", scene.contact.quadrature != ContactSettings().quadrature, "");
    none("solver.tolerance", scene.solver.tolerance.has_value(), no_equations);
    none("solver.audit", scene.solver.audit != usual.audit, ": the overlap of spheres is that of their contacts");
    none("solver.max_newton", scene.solver.max_newton != usual.max_newton, no_equations);
    none("solver.max_seconds", scene.solver.max_seconds != usual.max_seconds, no_equations);
    none("solver.preconditioner", scene.solver.preconditioner != usual.preconditioner, no_equations);
    none("solver.gmres", gmres.restart != usual_gmres.restart || gmres.max_iterations != usual_gmres.max_iterations,
        no_equations);
    for (const MaterialSettings& m : scene.materials)
        none("materials." + m.name + ".damping", m.damping > 0, ": `restitution` determines the damping");
    const auto is_sphere = [](const BodySettings& body) {
        return body.kind == BodyKind::spheres || std::holds_alternative<Sphere>(body.shape);
    };
    if (check.sound({"bodies"}) && std::none_of(scene.bodies.begin(), scene.bodies.end(), is_sphere))
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            if (const std::string path = check.body_path(i) + ".contact_geometry";
                scene.bodies[i].contact_geometry == ContactGeometry::mesh && check.sound({path}))
                check.warn(path,
                    "has no effect without spheres: in explicit runs other bodies touch the sampled distance, and pass "
                    "through open meshes");
}

void check_expectations(const Scene& scene, SceneCheck& check)
{
    for (std::size_t i = 0; i < scene.expect.size(); ++i) {
        const std::string path = "expect[" + std::to_string(i) + "]";
        const Expectation& e = scene.expect[i];
        if (!check.sound({path + ".metric", path + ".body"}))
            continue;
        if (e.metric == Metric::slip)
            check.fault(
                path + ".metric", "not available with `solver.integration: explicit`: contacts have no attachments");
        if (e.metric == Metric::passing || e.metric == Metric::newton_per_step || e.metric == Metric::failed_solves)
            check.fault(path + ".metric", "needs `solver.integration: implicit`");
        if (e.metric == Metric::energy_rise && !scene.output.energy)
            check.fault(path + ".metric", "needs `output.energy: true`");
        const std::size_t body = check.first_of_name(e.body);
        if (is_contact_depth(e.metric) && body < scene.bodies.size())
            check.fault(
                path + ".body", "applies to the whole scene with `solver.integration: explicit`; remove the body");
        if (e.metric == Metric::contact_force && body < scene.bodies.size()
            && scene.bodies[body].kind == BodyKind::spheres)
            check.fault(path + ".body", "not available for spheres; name an obstacle or a rigid body");
    }
}

} // namespace

void check_spheres(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    if (body.kind != BodyKind::spheres
        || !check.sound({path + ".kind", path + ".positions", path + ".fill", path + ".radius", path + ".radii"}))
        return;
    check_inlet(body, path, check);
    check_clump(body, path, check);
    if (body.positions && body.fill)
        check.fault(path, "`positions` and `fill` cannot be combined; give one of them");
    const bool started = scene.start && scene.solver.is_explicit(); // they may be in the run to start from
    if (!body.positions && !body.fill && !body.inlet && !started)
        check.fault(path, "spheres need `positions`, `fill` or `inlet`");
    if (body.positions.has_value() == body.fill.has_value())
        return;
    if (body.fill) {
        check_fill(body, path, check);
        return;
    }
    if (body.clump || !check.sound({path + ".clump"}))
        return;
    const bool from_file = !body.positions->file.empty();
    if (body.radius && !body.radii.empty())
        check.fault(path + ".radii", "cannot be combined with \"radius\"; give one of them");
    else if (!body.radius && body.radii.empty() && !from_file)
        check.fault(path, "expected `radius` or `radii`");
    else if (!body.radii.empty() && !from_file && body.radii.size() != body.positions->places.size())
        check.fault(path + ".radii",
            "expected one radius per position (" + std::to_string(body.positions->places.size()) + "), got "
                + std::to_string(body.radii.size()));
}

void check_granular(const Scene& scene, SceneCheck& check)
{
    if (!check.sound({"solver.integration"}))
        return;
    for (const MaterialSettings& m : scene.materials)
        if (m.kt && !m.kn && check.sound({"materials." + m.name}))
            check.fault("materials." + m.name + ".kt", "needs `kn` as well");
    for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i)
        if (const std::string path = "contact.pairs[" + std::to_string(i) + "]";
            scene.contact.pairs[i].kt && !scene.contact.pairs[i].kn && check.sound({path}))
            check.fault(path + ".kt", "needs `kn` as well");
    check_space(scene, check);
    check_regions(scene, check);
    if (!scene.solver.is_explicit()) {
        if (scene.periodic)
            check.fault("periodic", "needs `solver.integration: explicit`");
        if (!scene.outlets.empty())
            check.fault("outlets", "needs `solver.integration: explicit`");
        if (!scene.output.regions.empty())
            check.fault("output.regions", "needs `solver.integration: explicit`");
        if (scene.time.step == 0 && check.sound({"time.step"}))
            check.fault("time.step", "auto needs `solver.integration: explicit`; expected a number > 0");
        check_explicit_only(scene, check);
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            for (const auto& [key, given] : {std::pair(".inlet", scene.bodies[i].inlet.has_value()),
                     std::pair(".clump", scene.bodies[i].clump.has_value())})
                if (given && check.sound({check.body_path(i) + key}))
                    check.fault(check.body_path(i) + key, "needs `solver.integration: explicit`");
        return;
    }
    if (scene.time.adaptive && check.sound({"time.adaptive"}))
        check.fault("time.adaptive", "not available with `solver.integration: explicit`: its step is constant");
    if (scene.output.history && check.sound({"output.history", "time.end"}) && *scene.output.history > scene.time.end)
        check.fault("output.history",
            "expected at most `time.end`, else no row is written, got " + short_number(*scene.output.history));
    if (scene.contact.stiffness && check.sound({"contact.stiffness"}))
        check.fault("contact.stiffness", "has no effect on spheres: their material determines the stiffness");
    if (scene.contact.penetration && check.sound({"contact.penetration"}))
        check.fault("contact.penetration", "has no effect on spheres: their material determines the stiffness");
    if (scene.contact.damping > 0 && check.sound({"contact.damping"}))
        check.fault("contact.damping", "has no effect on spheres: `restitution` determines the damping");
    check_implicit_only(scene, check);
    if (std::isinf(scene.contact.friction) && check.sound({"contact.friction"}))
        check.fault("contact.friction", "expected a finite number with `solver.integration: explicit`");
    for (const MaterialSettings& m : scene.materials)
        if (const std::string path = "materials." + m.name + ".friction"; m.friction == infinity && check.sound({path}))
            check.fault(path, "expected a finite number with `solver.integration: explicit`");
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        check_explicit_body(scene, i, check);
    const auto moves = [](const BodySettings& body) { return body.kind == BodyKind::spheres || body.is_free_rigid(); };
    if (check.sound({"bodies"}) && std::none_of(scene.bodies.begin(), scene.bodies.end(), moves))
        check.fault("solver.integration", "explicit needs spheres or rigid bodies that move; the scene has none");
    const auto is_rigid = [](const BodySettings& body) { return body.is_free_rigid(); };
    if (!scene.outlets.empty() && check.sound({"outlets", "bodies"})
        && std::any_of(scene.bodies.begin(), scene.bodies.end(), is_rigid))
        check.warn("outlets", "outlets remove spheres and clumps only; rigid bodies stay");
    check_granular_pairs(scene, check);
    check_expectations(scene, check);
}

} // namespace stickslip
