#include "bodies.h"

#include "arrays.h"

#include "stickslip/build/drawn_surface.h"
#include "stickslip/simulation/simulation_parts.h"

namespace stickslip::python {

namespace {

const char* word(BodyKind kind)
{
    switch (kind) {
    case BodyKind::deformable:
        return "deformable";
    case BodyKind::rigid:
        return "rigid";
    case BodyKind::obstacle:
        return "obstacle";
    case BodyKind::spheres:
        return "spheres";
    case BodyKind::mpm:
        return "mpm";
    }
    return "";
}

py::object body(const BodyInfo& info)
{
    return py::module_::import("stickslip.bodies")
        .attr("Body")(info.name, word(info.kind), info.mass, info.first, info.count);
}

py::list bodies(const DrivenSimulation& driven)
{
    py::list all;
    for (const BodyInfo& info : driven.simulation().bodies())
        all.append(body(info));
    return all;
}

py::object pose(const DrivenSimulation& driven, const std::string& name)
{
    const BodyPose p = driven.simulation().pose(name);
    return py::module_::import("stickslip.bodies")
        .attr("Pose")(to_array(p.x), py::array_t<double>(4, p.R.coeffs().data()), to_array(p.v), to_array(p.w));
}

py::array corners(const std::vector<Vec3>& vertices)
{
    return copied(rows_array(vertices.empty() ? nullptr : vertices.front().data(), vertices.size(), 3, 3, py::none()));
}

/// Rows of indices, less `first`.
template <typename Cell>
py::array cells(std::span<const Cell> all, int first)
{
    const std::size_t columns = std::tuple_size_v<Cell>;
    py::array_t<int> indices({all.size(), columns});
    int* to = indices.mutable_data();
    for (const Cell& cell : all)
        for (const int corner : cell)
            *to++ = corner - first;
    return indices;
}

/// Of a rigid body or an obstacle, in the frame of its pose: a rigid body's has its origin at the centre of mass.
TriMesh mesh_of(const BuiltWorld& built, std::size_t index)
{
    constexpr double plane_extent = 1; // [m] half the side of the square that stands for a plane
    const BodyHandle& handle = built.bodies[index];
    const BuiltGranular* granular = built.granular ? &*built.granular : nullptr;
    const RigidBody* rigid = nullptr;
    if (handle.kind == BodyKind::rigid)
        rigid = granular ? &granular->world.bodies[granular->rigids[handle.index].body].rigid
                         : &built.world.rigids[handle.index];
    TriMesh mesh;
    if (built.surfaces[index])
        mesh = *built.surfaces[index];
    else if (rigid)
        mesh = drawn_surface(rigid->solid, 0);
    else
        mesh = drawn_surface(
            granular ? *granular->world.walls[handle.index].solid() : built.world.obstacles[handle.index].solid,
            plane_extent);
    if (rigid)
        for (Vec3& vertex : mesh.vertices)
            vertex -= rigid->centre;
    return mesh;
}

/// Vertices in the body's own frame, triangles, tetrahedra.
py::tuple mesh(const DrivenSimulation& driven, const std::string& name)
{
    const SimulationParts& parts = driven.simulation().parts();
    const std::size_t index = parts.body(name);
    const BodyHandle& handle = parts.built.bodies[index];
    const auto none = cells(std::span<const Tetrahedron>(), 0);
    if (handle.kind == BodyKind::deformable) {
        const DeformableSet& set = parts.built.world.deformables;
        const DeformableBody& soft = set.bodies[static_cast<std::size_t>(handle.index)];
        const auto first = set.rest.begin() + soft.nodes.begin;
        return py::make_tuple(corners({first, first + soft.nodes.size()}),
            cells(std::span(set.triangles).subspan(soft.triangles.begin, soft.triangles.size()), soft.nodes.begin),
            cells(std::span(set.tets).subspan(soft.tets.begin, soft.tets.size()), soft.nodes.begin));
    }
    if (handle.kind == BodyKind::spheres)
        throw InputError("mesh: expected a body with a surface, found the spheres \"" + name + "\"");
    if (handle.kind == BodyKind::mpm)
        throw InputError("mesh: expected a body with a surface, found the material points \"" + name + "\"");
    TriMesh surface = mesh_of(parts.built, index);
    return py::make_tuple(corners(surface.vertices), cells(std::span<const Triangle>(surface.triangles), 0), none);
}

} // namespace

void bind_bodies(py::class_<DrivenSimulation>& simulation)
{
    simulation.def_property_readonly("bodies", &bodies, "A Body for each body of the scene, in its order.")
        .def(
            "body", [](const DrivenSimulation& d, const std::string& name) { return body(d.simulation().body(name)); },
            py::arg("name"), "The Body of this name. InputError: there is none.")
        .def("pose", &pose, py::arg("body"),
            "The Pose of a body: of its centre of mass; of an obstacle its origin; of spheres all of them.")
        .def_property_readonly(
            "contacts", [](const DrivenSimulation& d) { return d.simulation().contacts(); },
            "The Contacts of the last step.")
        .def(
            "contact_force",
            [](const DrivenSimulation& d, const std::string& name) {
                return to_array(d.simulation().contact_force(name));
            },
            py::arg("body"), "(3,) [N] the sum of the contacts on a body.")
        .def("_mesh", &mesh);
}

} // namespace stickslip::python
