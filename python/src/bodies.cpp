#include "bodies.h"

#include "arguments.h"
#include "arrays.h"

#include "stickslip/geometry/solids/solid_surface.h"
#include "stickslip/simulation/simulation_parts.h"

#include <memory>
#include <span>

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

py::object pose(const DrivenSimulation& driven, const py::object& name)
{
    const BodyPose p = driven.simulation().pose(to_text(name, "body"));
    return py::module_::import("stickslip.bodies")
        .attr("Pose")(to_array(p.x), py::array_t<double>(4, p.R.coeffs().data()), to_array(p.v), to_array(p.w));
}

/// Places in memory that `owner` keeps alive.
py::array places(std::span<const Vec3> vertices, py::handle owner)
{
    return rows_array({vertices.empty() ? nullptr : vertices.front().data(), vertices.size(), 3, 3}, owner);
}

/// Rows of indices, less `first`: a view where that changes nothing.
template <typename Cell>
py::array cells(std::span<const Cell> all, int first, py::handle owner)
{
    const std::size_t columns = std::tuple_size_v<Cell>;
    const std::vector<std::size_t> shape = {all.size(), columns}, strides = {sizeof(Cell), sizeof(int)};
    if (first == 0 && !all.empty())
        return read_only(py::array(py::dtype::of<int>(), shape, strides, all.front().data(), owner));
    py::array_t<int> indices(shape);
    int* to = indices.mutable_data();
    for (const Cell& cell : all)
        for (const int corner : cell)
            *to++ = corner - first;
    return read_only(indices);
}

/// The rigid body that a body of the scene is, or null.
const RigidBody* rigid_of(const BuiltWorld& built, const BodyHandle& handle)
{
    if (handle.kind != BodyKind::rigid)
        return nullptr;
    return built.granular ? &built.granular->world.bodies[built.granular->rigids[handle.index].body].rigid
                          : &built.world.rigids[handle.index];
}

/// Of a shape that no mesh gives.
TriMesh drawn(const BuiltWorld& built, const BodyHandle& handle, const RigidBody* rigid)
{
    constexpr double plane_extent = 1; // [m] half the side of the square that stands for a plane
    if (rigid)
        return solid_surface(rigid->solid, 0);
    return solid_surface(
        built.granular ? *built.granular->world.walls[handle.index].solid() : built.world.obstacles[handle.index].solid,
        plane_extent);
}

/// Of a rigid body or an obstacle, in the frame of its pose: a rigid body's has its origin at the centre of mass.
py::tuple solid_mesh(const py::object& self, const BuiltWorld& built, std::size_t index)
{
    const BodyHandle& handle = built.bodies[index];
    const RigidBody* rigid = rigid_of(built, handle);
    const Vec3 origin = rigid ? rigid->centre : Vec3(Vec3::Zero());
    const auto none = cells(std::span<const Tetrahedron>(), 0, self);
    if (const auto& surface = built.surfaces[index]; surface && origin.isZero(0))
        return py::make_tuple(
            places(surface->vertices, self), cells(std::span<const Triangle>(surface->triangles), 0, self), none);
    auto mesh = std::make_unique<TriMesh>(built.surfaces[index] ? *built.surfaces[index] : drawn(built, handle, rigid));
    for (Vec3& vertex : mesh->vertices)
        vertex -= origin;
    const TriMesh& made = *mesh;
    const py::capsule owner(mesh.release(), [](void* memory) { delete static_cast<TriMesh*>(memory); });
    return py::make_tuple(
        places(made.vertices, owner), cells(std::span<const Triangle>(made.triangles), 0, owner), none);
}

/// Vertices in the body's own frame, triangles, tetrahedra: views of the memory of `self` where it lies there so.
py::tuple mesh(const py::object& self, const py::object& body)
{
    const std::string name = to_text(body, "body");
    const SimulationParts& parts = self.cast<const DrivenSimulation&>().simulation().parts();
    const std::size_t index = parts.body(name);
    const BodyHandle& handle = parts.built.bodies[index];
    if (handle.kind == BodyKind::spheres)
        throw InputError("mesh: expected a body with a surface, found the spheres \"" + name + "\"");
    if (handle.kind == BodyKind::mpm)
        throw InputError("mesh: expected a body with a surface, found the material points \"" + name + "\"");
    if (handle.kind != BodyKind::deformable)
        return solid_mesh(self, parts.built, index);
    const DeformableSet& set = parts.built.world.deformables;
    const DeformableBody& soft = set.bodies[static_cast<std::size_t>(handle.index)];
    const auto own = [](const auto& all, const Range& range) {
        return std::span(all).subspan(range.begin, range.size());
    };
    return py::make_tuple(places(own(set.rest, soft.nodes), self),
        cells(own(set.triangles, soft.triangles), soft.nodes.begin, self),
        cells(own(set.tets, soft.tets), soft.nodes.begin, self));
}

} // namespace

void bind_bodies(py::class_<DrivenSimulation>& simulation)
{
    simulation.def_property_readonly("bodies", &bodies, "A Body for each body of the scene, in its order.")
        .def(
            "body",
            [](const DrivenSimulation& d, const py::object& name) {
                return body(d.simulation().body(to_text(name, "name")));
            },
            py::arg("name"), "The Body of this name. InputError: there is none.")
        .def("pose", &pose, py::arg("body"),
            "The Pose of a body: of its centre of mass; of an obstacle its origin; of spheres all of them.")
        .def_property_readonly(
            "contacts", [](const DrivenSimulation& d) { return d.simulation().contacts(); },
            "The Contacts of the last step.")
        .def(
            "contact_force",
            [](const DrivenSimulation& d, const py::object& name) {
                return to_array(d.simulation().contact_force(to_text(name, "body")));
            },
            py::arg("body"),
            "(3,) [N] the sum of the contacts on a body in the last step. Of an implicit simulation that was restored, "
            "copied or unpickled an InputError until it steps: a snapshot has no forces.")
        .def("_mesh", &mesh);
}

} // namespace stickslip::python
