#include "stickslip/build/build_deformable.h"

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/build_motion.h"
#include "stickslip/build/built_world.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/geometry/mesh/tet_shapes.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

ElasticModel elastic_model(MaterialModel model)
{
    switch (model) {
    case MaterialModel::linear:
        return ElasticModel::linear;
    case MaterialModel::fixed_corotated:
        return ElasticModel::fixed_corotated;
    case MaterialModel::st_venant_kirchhoff:
        return ElasticModel::st_venant_kirchhoff;
    default: // the others are refused by the scene's checks
        return ElasticModel::neo_hookean;
    }
}

void place(const BodySettings& body, const TetMesh& mesh, const DeformableSet& set, const DeformableBody& b,
    PlacedNodes& nodes)
{
    const Frame frame = placed(body);
    Vec3 centre = Vec3::Zero();
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        nodes.x.push_back(frame.to_world(mesh.nodes[i]));
        centre += set.mass[b.nodes.begin + static_cast<int>(i)] / b.mass * nodes.x.back();
    }
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
        nodes.v.push_back(
            body.velocity + body.angular_velocity.cross(nodes.x[b.nodes.begin + static_cast<int>(i)] - centre));
}

/// Coordinates that are zero but for rounding beside `size` [m] are told as zero.
std::string place_text(const Vec3& x, double size)
{
    const auto text = [&](double value) { return short_number(std::abs(value) < 1e-12 * size ? 0 : value); };
    return "(" + text(x.x()) + ", " + text(x.y()) + ", " + text(x.z()) + ") m";
}

void pin(const BodySettings& body, std::size_t index, const DeformableBody& b, const std::vector<Vec3>& x,
    DeformableSet& set, BuildResult& result)
{
    const FixSettings& fix = body.fix[index];
    std::vector<int> nodes;
    Vec3 mean = Vec3::Zero();
    for (int i = b.nodes.begin; i < b.nodes.end; ++i)
        if (fix.box.contains(x[i])) {
            nodes.push_back(i);
            mean += x[i];
        }
    const std::string key = "fix[" + std::to_string(index) + "].box";
    if (nodes.empty()) {
        result.fault(fix.where, body, key, "expected a box that contains nodes of the body, found none");
        return;
    }
    mean /= static_cast<double>(nodes.size());
    const std::optional<Vec3> about = fix.motion ? centre_of_turns(*fix.motion) : std::nullopt;
    const Frame start{about.value_or(mean), Mat3::Identity()};
    set.pin_frames.push_back({start, fix.motion ? pin_motion(*fix.motion, start) : ScriptedMotion{}, fix.name});
    if (fix.motion && turns(*fix.motion) && !about)
        result.built.notes.push_back(body.name + ": fix[" + std::to_string(index) + "] turns about "
            + place_text(mean, (x[nodes.front()] - x[nodes.back()]).norm()) + ", the mean place of its "
            + counted(nodes.size(), "node") + "; `motion.about` sets another centre");
    for (const int i : nodes) {
        const auto taken = std::find_if(set.pins.begin(), set.pins.end(), [&](const Pin& p) { return p.node == i; });
        if (taken != set.pins.end()) {
            result.fault(
                fix.where, body, key, "expected boxes that do not share nodes, found a node that is already fixed");
            return;
        }
        set.pins.push_back({i, start.to_local(x[i]), static_cast<int>(set.pin_frames.size()) - 1});
    }
    std::sort(set.pins.begin(), set.pins.end(), [](const Pin& p, const Pin& q) { return p.node < q.node; });
}

/// What linear tetrahedra make of a slender body (docs/validation.md#bending). A note: what is pulled, or lies on
/// something, may well be so coarse. Empty where there is nothing to tell.
std::string few_elements(const BodySettings& body, const TetMesh& mesh, double element_size)
{
    constexpr double edge_of_cube = 1.17; // [-] mean edge of the tetrahedra of a cube over its side
    constexpr double compact = 0.5; // [-] of the longest extent: such bodies hardly bend
    constexpr double enough = 3; // elements
    const Bounds box = bounds(mesh.nodes);
    const double least = (box.max - box.min).minCoeff(), longest = (box.max - box.min).maxCoeff();
    const double side = body.resolution.value_or(element_size / edge_of_cube);
    const double across = std::max(1.0, std::round(least / side));
    if (least >= compact * longest || across >= enough)
        return "";
    return ", " + std::string(across < 2 ? "1 element" : "2 elements") + " across the thinnest extent of "
        + short_number(least) + " m, where a beam bends " + (across < 2 ? "a third" : "two thirds")
        + " as far as it should (4: nine tenths)";
}

// Where the mesh of a round shape, which lies within it, leaves out so much that a user should know.
std::string lighter_than_shape(const BodySettings& body, double mass, double density)
{
    constexpr double worth_saying = 0.01;
    if (std::holds_alternative<MeshShape>(body.shape))
        return "";
    const double missing = 1 - mass / (density * mass_properties(primitive_of(body.shape).value()).volume);
    return missing < worth_saying
        ? ""
        : " (" + short_number(100 * missing) + " % less than the shape's: its mesh lies within)";
}

} // namespace

TetMesh deformable_mesh(const BodySettings& body, const std::filesystem::path& folder, BuildReport& report)
{
    if (const auto* shape = std::get_if<MeshShape>(&body.shape)) {
        TetMeshFile file = read_tet_mesh((folder / shape->file).string());
        for (Vec3& X : file.mesh.nodes)
            X = X.cwiseProduct(shape->metres_per_unit());
        if (file.unused_nodes > 0)
            report.warn(shape->file_at, "bodies." + body.name + ".shape.mesh.file",
                counted(file.unused_nodes, "node")
                    + (file.unused_nodes == 1 ? " belongs to no tetrahedron and was left out"
                                              : " belong to no tetrahedron and were left out"));
        return file.mesh;
    }
    return tetrahedralize(primitive_of(body.shape).value(), *body.resolution);
}

void add_deformable_body(const Scene& scene, const BodySettings& body, const std::filesystem::path& folder,
    PlacedNodes& nodes, BuildResult& result)
{
    const TetMesh mesh = deformable_mesh(body, folder, result);
    const auto defects = find_defects(mesh);
    for (const MeshDefect& defect : defects)
        result.fault(shape_position(body), body, shape_key(body), defect.text);
    if (!defects.empty())
        return;
    const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
        [&](const MaterialSettings& m) { return m.name == body.material; });
    DeformableSet& set = result.built.world.deformables;
    const int index = add_deformable(set, body.name, mesh,
        make_material(elastic_model(material->model), material->density, *material->young, *material->poisson,
            material->damping));
    set.bodies[index].acceleration = body.acceleration;
    set.bodies[index].pressure = body.pressure;
    place(body, mesh, set, set.bodies[index], nodes);
    for (std::size_t i = 0; i < body.fix.size(); ++i)
        pin(body, i, set.bodies[index], nodes.x, set, result);
    const TetQuality q = tet_quality(mesh);
    result.built.notes.push_back(body.name + ": " + std::to_string(mesh.nodes.size()) + " nodes, "
        + std::to_string(mesh.tets.size()) + " tetrahedra, mean edge " + short_number(q.mean_edge) + " m, quality "
        + short_number(q.min_ratio) + " (worst) " + short_number(q.mean_ratio) + " (mean), dihedral angles "
        + short_number(q.min_dihedral) + " to " + short_number(q.max_dihedral) + " degrees, mass "
        + short_number(set.bodies[index].mass) + " kg"
        + lighter_than_shape(body, set.bodies[index].mass, material->density)
        + few_elements(body, mesh, set.bodies[index].element_size));
}

} // namespace stickslip
