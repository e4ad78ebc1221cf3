#include "state_arrays.h"

#include "arrays.h"
#include "bindings.h"
#include "driven_simulation.h"

#include <algorithm>

namespace stickslip::python {

namespace {

struct NodeArrays : StateArrays { };
struct RigidArrays : StateArrays { };
struct ParticleArrays : StateArrays { };
struct SphereArrays : StateArrays { };

DrivenSimulation& driven(const StateArrays& arrays)
{
    return arrays.simulation.cast<DrivenSimulation&>();
}

const Simulation& simulation(const StateArrays& arrays)
{
    return driven(arrays).simulation();
}

/// The getter of one member of a view. Of an implicit simulation the memory of a state stays where it is, so that
/// arrays view it. `keys`: who is in the rows of an explicit one; null where it has none of these.
template <typename Arrays, typename Part, typename View>
auto getter(Part StateView::*part, View Part::*member, std::vector<int> (*keys)(const Simulation&) = nullptr)
{
    const auto rows = [part, member](const StateView& state) { return Rows::of(state.*part.*member); };
    const auto column = std::make_shared<const FollowedColumn>(rows, keys);
    return [column](const Arrays& arrays) {
        return column->keys && simulation(arrays).is_explicit()
            ? driven(arrays).followed(column)
            : rows_array(column->rows(simulation(arrays).state()), arrays.simulation);
    };
}
template <typename View>
auto rigid_getter(View RigidsView::*member)
{
    return getter<RigidArrays>(&StateView::rigids, member, &body_keys);
}
template <typename View>
auto sphere_getter(View SpheresView::*member)
{
    return getter<SphereArrays>(&StateView::spheres, member, &sphere_keys);
}

/// A view of 3x3 matrices, which lie in memory column by column.
py::array deformation_gradients(const ParticleArrays& arrays)
{
    const MatricesView all = simulation(arrays).state().particles.deformation_gradients;
    constexpr std::size_t number = sizeof(double);
    return read_only(py::array(py::dtype::of<double>(), {all.size(), std::size_t(3), std::size_t(3)},
        {all.stride * number, number, 3 * number}, all.data, arrays.simulation));
}

/// Numbers that a sphere never changes, in the order of ids.
auto integers(std::span<const int> SpheresView::*member)
{
    return [member](const SphereArrays& arrays) {
        const SpheresView spheres = simulation(arrays).state().spheres;
        std::vector<std::pair<int, int>> by_id;
        for (std::size_t i = 0; i < spheres.ids.size(); ++i)
            by_id.emplace_back(spheres.ids[i], (spheres.*member)[i]);
        std::sort(by_id.begin(), by_id.end());
        py::array_t<int> numbers(static_cast<py::ssize_t>(by_id.size()));
        std::transform(
            by_id.begin(), by_id.end(), numbers.mutable_data(), [](const auto& pair) { return pair.second; });
        return read_only(numbers);
    };
}

} // namespace

void bind_state(py::module_& module)
{
    py::class_<NodeArrays>(
        module, "Nodes", "Nodes of all deformable bodies, world axes; those of one body are nodes[body.rows].")
        .def_property_readonly("positions", getter<NodeArrays>(&StateView::nodes, &NodesView::positions), "(n, 3) [m]")
        .def_property_readonly(
            "velocities", getter<NodeArrays>(&StateView::nodes, &NodesView::velocities), "(n, 3) [m/s]");
    py::class_<RigidArrays>(module, "Rigids",
        "Rigid bodies by their centre of mass, world axes; a body's row is body.first. In explicit simulations clumps "
        "too, behind them; rows as those of Spheres.")
        .def_property_readonly("positions", rigid_getter(&RigidsView::positions), "(n, 3) [m]")
        .def_property_readonly("velocities", rigid_getter(&RigidsView::velocities), "(n, 3) [m/s]")
        .def_property_readonly("angular_velocities", rigid_getter(&RigidsView::angular_velocities), "(n, 3) [rad/s]")
        .def_property_readonly("rotations", rigid_getter(&RigidsView::rotations),
            "(n, 4) unit quaternions (x, y, z, w), body axes to world.");
    py::class_<ParticleArrays>(module, "Particles",
        "Particles of all bodies of material points, world axes; those of one body are particles[body.rows].")
        .def_property_readonly(
            "positions", getter<ParticleArrays>(&StateView::particles, &ParticlesView::positions), "(n, 3) [m]")
        .def_property_readonly(
            "velocities", getter<ParticleArrays>(&StateView::particles, &ParticlesView::velocities), "(n, 3) [m/s]")
        .def_property_readonly("deformation_gradients", &deformation_gradients,
            "(n, 3, 3) [-] from the start to now, but for what has flowed.")
        .def_property_readonly("plastic", getter<ParticleArrays>(&StateView::particles, &ParticlesView::plastic),
            "(n,) [-] flow: of sand the log of the volume it gained, of clay the plastic strain, of snow the log of "
            "the "
            "volume ratio of its plastic part; 0 of what is elastic.");
    py::class_<SphereArrays>(module, "Spheres",
        "Spheres of an explicit simulation, in the order of ids. An array has a row for each sphere that was there "
        "when it was asked for, which is that sphere's for good, and nan when it has left; who comes later is in "
        "arrays that are asked for then.")
        .def_property_readonly("positions", sphere_getter(&SpheresView::positions), "(n, 3) [m]")
        .def_property_readonly("velocities", sphere_getter(&SpheresView::velocities), "(n, 3) [m/s]")
        .def_property_readonly("angular_velocities", sphere_getter(&SpheresView::angular_velocities), "(n, 3) [rad/s]")
        .def_property_readonly(
            "rotations", sphere_getter(&SpheresView::rotations), "(n, 4) unit quaternions (x, y, z, w).")
        .def_property_readonly("radii", sphere_getter(&SpheresView::radii), "(n,) [m]")
        .def_property_readonly(
            "ids", integers(&SpheresView::ids), "(n,) int, rising: of each sphere for its whole life. A copy.")
        .def_property_readonly("groups", integers(&SpheresView::groups), "(n,) int: body.first of its body. A copy.");
    py::class_<StateArrays>(module, "State",
        "Where everything is. Arrays are read-only, and show the present state as it changes; `array.copy()` keeps a "
        "moment. Those of an implicit simulation are views of its memory, and keep it alive. In an explicit one "
        "spheres and bodies change places in memory: their arrays are brought up to date at the end of each call "
        "that steps, steers or restores.")
        .def_property_readonly(
            "time", [](const StateArrays& arrays) { return simulation(arrays).time(); }, "[s]")
        .def_property_readonly(
            "nodes", [](const StateArrays& arrays) { return NodeArrays{arrays}; }, "Nodes of deformable bodies.")
        .def_property_readonly(
            "rigids", [](const StateArrays& arrays) { return RigidArrays{arrays}; }, "Rigid bodies.")
        .def_property_readonly(
            "particles", [](const StateArrays& arrays) { return ParticleArrays{arrays}; },
            "Particles of bodies of material points.")
        .def_property_readonly(
            "spheres", [](const StateArrays& arrays) { return SphereArrays{arrays}; }, "Spheres.");
}

} // namespace stickslip::python
