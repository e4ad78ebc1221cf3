#include "stickslip/scene/checks/body_checks.h"

#include "stickslip/scene/checks/body_pairs.h"
#include "stickslip/scene/checks/granular_checks.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace stickslip {

namespace {

std::string in_words(double x)
{
    std::ostringstream stream;
    stream << x;
    return stream.str();
}

void check_unique(const Scene& scene, std::size_t index, const std::string& path, SceneCheck& check)
{
    const BodySettings& body = scene.bodies[index];
    if (!check.sound({path + ".name"}))
        return;
    if (!body.copies && !is_copy(body.name) && check.is_family(body.name))
        check.fault(path + ".name", "already the family name of " + in_quotes(body.name + "[0]"));
    const std::size_t first = check.first_of_name(body.name);
    if (first == index || body.name.empty())
        return;
    const SourcePosition& at = scene.bodies[first].name_at;
    const bool elsewhere = at.include != body.name_at.include;
    const std::string file = !elsewhere ? ""
        : at.include < 0                ? " of the scene"
                                        : " of " + scene.source->included[at.include].file;
    check.fault(path + ".name",
        "duplicate name " + in_quotes(body.name)
            + (at.line > 0 ? ", first given in line " + std::to_string(at.line) + file : ""));
}

/// `needs`: the kind of body.
void check_elastic(const MaterialSettings& material, const char* needs, const std::string& path, SceneCheck& check)
{
    const std::string at = "materials." + material.name;
    for (const auto& [key, set] :
        {std::pair("young", material.young.has_value()), std::pair("poisson", material.poisson.has_value())})
        if (!set && check.sound({at + "." + key}))
            check.fault(path,
                "the material " + in_quotes(material.name) + " has no " + key + ", which " + needs + " body needs");
}

/// Whether bodies of this kind follow the material's model.
void check_model(const MaterialSettings& material, BodyKind kind, const std::string& path, SceneCheck& check)
{
    if (!check.sound({"materials." + material.name + ".model"}))
        return;
    const std::string model = "the model of the material " + in_quotes(material.name);
    if (kind == BodyKind::deformable && is_mpm_only(material.model))
        check.fault(path, model + " is for mpm bodies only");
    if (kind == BodyKind::mpm
        && (material.model == MaterialModel::linear || material.model == MaterialModel::st_venant_kirchhoff))
        check.fault(path, model + " is not for mpm bodies");
}

/// [m3] of analytic shapes; 0 of others.
double volume(const Shape& shape)
{
    const double pi = std::numbers::pi;
    if (const auto* box = std::get_if<Box>(&shape))
        return box->size.prod();
    if (const auto* rounded = std::get_if<RoundedBox>(&shape)) {
        const Vec3 c = rounded->core();
        const double r = rounded->radius;
        return c.prod() + 2 * r * (c.x() * c.y() + c.y() * c.z() + c.z() * c.x()) + pi * r * r * c.sum()
            + 4 * pi / 3 * std::pow(r, 3);
    }
    if (const auto* sphere = std::get_if<Sphere>(&shape))
        return 4 * pi / 3 * std::pow(sphere->radius, 3);
    if (const auto* cylinder = std::get_if<Cylinder>(&shape))
        return pi * std::pow(cylinder->radius, 2) * cylinder->height;
    if (const auto* cone = std::get_if<Cone>(&shape))
        return pi / 3 * std::pow(cone->radius, 2) * cone->height;
    if (const auto* capsule = std::get_if<Capsule>(&shape))
        return pi * std::pow(capsule->radius, 2) * (capsule->height + 4 * capsule->radius / 3);
    if (const auto* torus = std::get_if<Torus>(&shape))
        return 2 * pi * pi * torus->major * std::pow(torus->minor, 2);
    return 0;
}

/// Few particles have no shape: one is a point that does not even turn.
void check_mpm_particles(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    constexpr double fewest = 8;
    const std::string at = path + ".resolution";
    if (!check.sound({path + ".shape", path + ".particles_per_cell"}))
        return;
    const double in_cells = volume(body.shape) * body.particles_per_cell, h = *body.resolution;
    if (in_cells > 0 && in_cells < fewest * std::pow(h, 3))
        check.warn(at,
            "expected at most " + in_words(std::cbrt(in_cells / fewest))
                + ", at which the shape holds 8 particles, found " + in_words(h) + ": fewer cannot deform as it would");
}

/// All material points share one grid.
void check_mpm_grid(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const std::string at = path + ".resolution";
    if (!check.sound({at, path + ".kind"}) || body.kind != BodyKind::mpm)
        return;
    if (!body.resolution)
        check.fault(at, "required key is missing (the grid spacing of an mpm body)");
    if (!body.resolution)
        return;
    check_mpm_particles(body, path, check);
    if (!check.sound({"bodies"}))
        return;
    for (const BodySettings& other : scene.bodies)
        if (other.kind == BodyKind::mpm && other.resolution) {
            if (*other.resolution != *body.resolution)
                check.fault(at,
                    "expected " + in_words(*other.resolution) + ", the resolution of " + in_quotes(other.name)
                        + ": all mpm bodies share one grid");
            break;
        }
    if (scene.start && check.sound({"start"}))
        check.fault(path + ".kind", "mpm bodies cannot be in a scene with `start`");
}

void check_material(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const std::string at = path + ".material";
    const bool kind_known = check.sound({path + ".kind"});
    const bool deformable = kind_known && body.kind == BodyKind::deformable;
    const bool rigid = kind_known && body.is_free_rigid() && check.sound({path + ".motion"});
    const bool spheres = kind_known && body.kind == BodyKind::spheres;
    const bool mpm = kind_known && body.kind == BodyKind::mpm;
    if (!check.sound({at}))
        return;
    if (body.material.empty()) {
        if (spheres)
            check.fault(at, "required key is missing (spheres need a material)");
        if (deformable || rigid || mpm)
            check.fault(at,
                std::string("required key is missing (")
                    + (rigid      ? "a rigid"
                            : mpm ? "an mpm"
                                  : "a deformable")
                    + " body needs a material)");
        return;
    }
    if (!check_material_exists(scene, body.material, at, check))
        return;
    if (!deformable && !mpm)
        return;
    for (const MaterialSettings& material : scene.materials)
        if (material.name == body.material) {
            if (material.model != MaterialModel::fluid)
                check_elastic(material, mpm ? "an mpm" : "a deformable", at, check);
            check_model(material, body.kind, at, check);
        }
}

void check_resolution(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const std::string at = path + ".resolution";
    if (!check.sound({at}))
        return;
    if (std::holds_alternative<MeshShape>(body.shape)) {
        if (body.resolution)
            check.fault(at, "has no effect: the mesh file contains the tetrahedra");
        return;
    }
    if (!body.resolution) {
        check.fault(at, "required key is missing (the target edge length of a deformable body's tetrahedra)");
        return;
    }
    constexpr double most_tets = 1e8;
    const double tets = 6 * volume(body.shape) / std::pow(*body.resolution, 3); // six in a cube of this edge
    if (!(tets <= most_tets)) {
        check.fault(at, "would create about " + in_words(tets) + " tetrahedra (limit 1e+08)");
    }
}

/// Lengths of an analytic shape that must not be too different, and the key they stand under.
struct Lengths {
    std::string key;
    double least = 1, most = 1; // [m]
};
Lengths lengths(const Shape& shape)
{
    const auto two = [](std::string key, double a, double b) {
        return Lengths{std::move(key), std::min(a, b), std::max(a, b)};
    };
    if (const auto* box = std::get_if<Box>(&shape))
        return two("box", box->size.minCoeff(), box->size.maxCoeff());
    if (const auto* cylinder = std::get_if<Cylinder>(&shape))
        return two("cylinder", cylinder->radius, cylinder->height);
    if (const auto* cone = std::get_if<Cone>(&shape))
        return two("cone", cone->radius, cone->height);
    if (const auto* torus = std::get_if<Torus>(&shape))
        return two("torus", torus->minor, torus->major);
    return {};
}

void check_files_differ(const MeshShape& mesh, const std::string& path, SceneCheck& check)
{
    for (std::size_t k = 0; k < mesh.files.size(); ++k)
        for (std::size_t l = 0; l < k; ++l)
            if (mesh.files[k].file == mesh.files[l].file)
                check.fault(path + ".files[" + std::to_string(k) + "]",
                    "duplicate of files[" + std::to_string(l) + "]: each triangle would occur twice");
}

void check_shape(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const std::string at = path + ".shape";
    if (body.kind == BodyKind::spheres || !check.sound({at}))
        return;
    if (const auto* mesh = std::get_if<MeshShape>(&body.shape))
        check_files_differ(*mesh, at + ".mesh", check);
    if (const auto* torus = std::get_if<Torus>(&body.shape); torus && torus->minor >= torus->major)
        check.fault(at + ".torus.minor", "expected a number < major");
    // beyond that a body is thinner than the round-off of its place, and its mass and rims lose their digits
    constexpr double largest_ratio = 1e6;
    if (const Lengths l = lengths(body.shape); l.most > largest_ratio * l.least)
        check.fault(at + "." + l.key,
            "expected lengths in a ratio of at most " + in_words(largest_ratio) + ", got " + in_words(l.least) + " and "
                + in_words(l.most) + " m");
    if (const auto* box = std::get_if<RoundedBox>(&body.shape); box && !(2 * box->radius < box->size.minCoeff()))
        check.fault(at + ".rounded_box.radius", "expected a number < half of the smallest edge length");
    if (!check.sound({path + ".kind"}) || body.kind == BodyKind::obstacle)
        return;
    if (std::holds_alternative<Plane>(body.shape))
        check.fault(at + ".plane", "a plane is for obstacles only");
    else if (std::holds_alternative<LevelSetShape>(body.shape))
        check.fault(at + ".level_set", "a level set is for obstacles only");
    else if (std::holds_alternative<Cone>(body.shape) && body.kind == BodyKind::deformable)
        check.fault(at + ".cone", "a cone is not for deformable bodies");
    else if (std::holds_alternative<RoundedBox>(body.shape) && body.kind == BodyKind::deformable)
        check.fault(at + ".rounded_box", "a rounded box is not for deformable bodies");
    else if (body.kind == BodyKind::deformable)
        check_resolution(body, path, check);
    if (const auto* mesh = std::get_if<MeshShape>(&body.shape);
        mesh && mesh->spacing && body.kind == BodyKind::deformable)
        check.fault(at + ".mesh.spacing", "for rigid bodies and obstacles only");
    if (const auto* mesh = std::get_if<MeshShape>(&body.shape); mesh && body.kind == BodyKind::deformable) {
        if (!mesh->files.empty())
            check.fault(at + ".mesh.files", "for rigid bodies and obstacles only");
        if (mesh->weld)
            check.fault(at + ".mesh.weld", "for rigid bodies and obstacles only");
        if (mesh->patch_angle != MeshShape().patch_angle)
            check.fault(at + ".mesh.patch_angle", "for rigid bodies and obstacles only");
    }
}

void check_keyframes(const Motion& motion, const std::string& path, SceneCheck& check)
{
    const auto* script = std::get_if<KeyframeMotion>(&motion);
    for (std::size_t i = 1; script && i < script->keyframes.size(); ++i) {
        const std::string at = path + ".keyframes[" + std::to_string(i) + "].time";
        const std::string before = path + ".keyframes[" + std::to_string(i - 1) + "].time";
        if (check.sound({at, before}) && !(script->keyframes[i].time > script->keyframes[i - 1].time))
            check.fault(at, "expected a time later than that of the previous keyframe");
    }
}

void check_motion(const Motion& motion, const std::string& path, SceneCheck& check)
{
    check_keyframes(motion, path, check);
    for (std::size_t i = 0; i < oscillations(motion).size(); ++i) {
        const OscillationSettings& o = oscillations(motion)[i];
        const std::string at = path + ".oscillations[" + std::to_string(i) + "]";
        if (check.sound({at}) && o.amplitude.isZero(0) && (!o.turn || o.turn->degrees == 0))
            check.fault(at, "has no effect: expected a nonzero `amplitude` or `turn`");
    }
}

/// What a free rigid body has and a scripted one has not.
void check_scripted_rigid(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    if (body.kind != BodyKind::rigid || !body.motion)
        return;
    const auto none_but = [&](const std::string& key, bool unset) {
        const std::string at = path + "." + key;
        if (!unset && check.sound({at}))
            check.fault(at, "has no effect: `motion` prescribes this body");
    };
    none_but("velocity", body.velocity.isZero(0));
    none_but("angular_velocity", body.angular_velocity.isZero(0));
    none_but("force", body.force.isZero(0));
    none_but("torque", body.torque.isZero(0));
    none_but("acceleration", body.acceleration.isZero(0));
    none_but("fixed_dofs", body.fixed_dofs == FixedDofs{});
}

/// A motion that is held at rest must not start.
void check_fixed_dofs(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    if (body.kind != BodyKind::rigid || !check.sound({path + ".fixed_dofs"}))
        return;
    constexpr const char* names[] = {"x", "y", "z", "rx", "ry", "rz"};
    for (int i = 0; i < 6; ++i) {
        const std::string at = path + (i < 3 ? ".velocity[" : ".angular_velocity[") + std::to_string(i % 3) + "]";
        const double start = i < 3 ? body.velocity[i] : body.angular_velocity[i - 3];
        if (body.fixed_dofs[i] && start != 0 && check.sound({at}))
            check.fault(
                at, std::string("expected 0, because fixed_dofs fixes ") + names[i] + ", got " + in_words(start));
    }
}

void check_groups(const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    if (!body.collides_with || !check.reached("bodies") || !check.sound({path + ".collides_with"}))
        return;
    for (std::size_t i = 0; i < body.collides_with->size(); ++i) {
        const std::string& group = (*body.collides_with)[i];
        const auto has = [&](const BodySettings& other) { return group_of(other) == group; };
        if (std::any_of(scene.bodies.begin(), scene.bodies.end(), has))
            continue;
        std::vector<std::string> groups;
        for (const BodySettings& other : scene.bodies)
            groups.push_back(group_of(other));
        check.fault(path + ".collides_with[" + std::to_string(i) + "]",
            "no body or group " + in_quotes(group) + did_you_mean(group, groups));
    }
    if (body.kind != BodyKind::mpm)
        return;
    const auto sticks = [&](const BodySettings& other) {
        return &other != &body && other.kind == BodyKind::mpm && !may_touch(body, other);
    };
    const auto other = std::find_if(scene.bodies.begin(), scene.bodies.end(), sticks);
    if (other != scene.bodies.end())
        check.warn(path + ".collides_with",
            "does not part it from " + in_quotes(other->name) + ": mpm bodies share one grid and stick to each other");
}

void check_sample(const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const std::string at = path + ".sample";
    if (!body.sample || !check.sound({at, path + ".shape", path + ".kind"}))
        return;
    const bool round = std::holds_alternative<Sphere>(body.shape) || std::holds_alternative<Capsule>(body.shape)
        || std::holds_alternative<Torus>(body.shape);
    const bool conveys = body.motion && !surface_velocity(*body.motion).isZero(0);
    if (round && !conveys)
        check.fault(at, "has no effect: spheres, capsules and tori are exactly round and have no sample points");
    else if (std::holds_alternative<Plane>(body.shape) || std::holds_alternative<LevelSetShape>(body.shape))
        check.fault(at, "has no effect: this shape has no sample points");
}

/// What only a mesh has, and what only one of the integrators can do with it.
void check_contact_with_triangles(
    const Scene& scene, const BodySettings& body, const std::string& path, SceneCheck& check)
{
    const auto fault = [&](const std::string& key, bool wrong, const std::string& message) {
        if (wrong && check.sound({path + key}))
            check.fault(path + key, message);
    };
    const bool kind_known = check.sound({path + ".kind", path + ".shape"});
    const bool deformable = body.kind == BodyKind::deformable;
    const bool smooth_only = kind_known && !deformable && !std::holds_alternative<MeshShape>(body.shape);
    fault(".edges", body.edges && smooth_only,
        "has no effect: only meshes and deformable bodies have edges between triangles");
    fault(".contact_geometry", body.contact_geometry && smooth_only, "has no effect: only meshes have triangles");
    if (smooth_only || !check.sound({"solver.integration"}))
        return;
    const bool by_level_set = body.contact_geometry == ContactGeometry::level_set;
    fault(".edges", body.edges && by_level_set, "has no effect: a level set has no edges between triangles");
    if (scene.solver.is_explicit())
        fault(".contact_geometry", by_level_set,
            "not available with `solver.integration: explicit`: spheres touch the triangles of a mesh");
}

void check_region_name(const BodySettings& body, std::size_t index, const std::string& path, SceneCheck& check)
{
    const std::string& name = body.fix[index].name;
    const auto first = std::ranges::find(body.fix, name, &FixSettings::name);
    if (name.empty() || !check.sound({path + ".name"})
        || first == body.fix.begin() + static_cast<std::ptrdiff_t>(index))
        return;
    const int line = first->name_at.line;
    check.fault(path + ".name",
        "duplicate name " + in_quotes(name) + (line > 0 ? ", first given in line " + std::to_string(line) : ""));
}

void check_fix(const FixSettings& fix, const std::string& path, SceneCheck& check)
{
    if (check.sound({path + ".box"}) && (fix.box.min.array() > fix.box.max.array()).any())
        check.fault(path + ".box.max", "expected numbers >= those of min");
    if (!fix.motion)
        return;
    if (!surface_velocity(*fix.motion).isZero(0))
        check.fault(path + ".motion.surface_velocity", "for obstacles only");
    check_motion(*fix.motion, path + ".motion", check);
    const std::string about = path + ".motion.about";
    if (centre_of_turns(*fix.motion) && !turns(*fix.motion) && check.sound({path + ".motion", about}))
        check.fault(about, "has no effect: expected a nonzero `angular_velocity`, or a `rotation` or `turn`");
}

} // namespace

bool check_material_exists(const Scene& scene, const std::string& name, const std::string& path, SceneCheck& check)
{
    const auto same = [&](const MaterialSettings& material) { return material.name == name; };
    if (std::any_of(scene.materials.begin(), scene.materials.end(), same))
        return true;
    if (!check.reached("materials"))
        return false;
    std::vector<std::string> names;
    for (const MaterialSettings& known : scene.materials)
        names.push_back(known.name);
    check.fault(path, "no material " + in_quotes(name) + meant_name(name, names, "the scene"));
    return false;
}

void check_body(const Scene& scene, std::size_t index, SceneCheck& check)
{
    const BodySettings& body = scene.bodies[index];
    const std::string path = check.body_path(index);
    check_unique(scene, index, path, check);
    check_material(scene, body, path, check);
    check_shape(body, path, check);
    check_mpm_grid(scene, body, path, check);
    check_spheres(scene, body, path, check);
    check_sample(body, path, check);
    check_contact_with_triangles(scene, body, path, check);
    check_groups(scene, body, path, check);
    check_scripted_rigid(body, path, check);
    check_fixed_dofs(body, path, check);
    if (body.motion)
        check_motion(*body.motion, path + ".motion", check);
    if (body.motion && centre_of_turns(*body.motion))
        check.fault(path + ".motion.about", "for fixed nodes only");
    for (std::size_t i = 0; i < body.fix.size(); ++i) {
        const std::string at = path + ".fix[" + std::to_string(i) + "]";
        check_region_name(body, i, at, check);
        check_fix(body.fix[i], at, check);
    }
}

} // namespace stickslip
