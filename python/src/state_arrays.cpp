#include "state_arrays.h"

#include "arrays.h"
#include "bindings.h"
#include "driven_simulation.h"

namespace stickslip::python {

namespace {

struct NodeArrays : StateArrays { };
struct RigidArrays : StateArrays { };
struct ParticleArrays : StateArrays { };
struct SphereArrays : StateArrays { };

const Simulation& simulation(const StateArrays& arrays)
{
    return arrays.simulation.cast<const DrivenSimulation&>().simulation();
}

/// Of an implicit simulation the memory of a state stays where it is, so that arrays view it and stay up to date. The
/// spheres and bodies of an explicit one move in memory from step to step: what is handed out is a copy.
template <typename Row>
py::array array(const StateArrays& arrays, const RowsView<Row>& rows)
{
    const py::array view = rows_array(rows, arrays.simulation);
    return simulation(arrays).is_explicit() ? read_only(copied(view)) : view;
}

/// The getter of one member of a view.
template <typename Arrays, typename Part, typename View>
auto getter(Part StateView::*part, View Part::*member)
{
    return [part, member](const Arrays& arrays) { return array(arrays, simulation(arrays).state().*part.*member); };
}

auto integers(std::span<const int> SpheresView::*member)
{
    return [member](const SphereArrays& arrays) {
        const std::span<const int> all = simulation(arrays).state().spheres.*member;
        return read_only(py::array_t<int>(static_cast<py::ssize_t>(all.size()), all.data()));
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
        "too, behind them.")
        .def_property_readonly(
            "positions", getter<RigidArrays>(&StateView::rigids, &RigidsView::positions), "(n, 3) [m]")
        .def_property_readonly(
            "velocities", getter<RigidArrays>(&StateView::rigids, &RigidsView::velocities), "(n, 3) [m/s]")
        .def_property_readonly("angular_velocities",
            getter<RigidArrays>(&StateView::rigids, &RigidsView::angular_velocities), "(n, 3) [rad/s]")
        .def_property_readonly("rotations", getter<RigidArrays>(&StateView::rigids, &RigidsView::rotations),
            "(n, 4) unit quaternions (x, y, z, w), body axes to world.");
    py::class_<ParticleArrays>(module, "Particles",
        "Particles of all bodies of material points, world axes; those of one body are particles[body.rows].")
        .def_property_readonly(
            "positions", getter<ParticleArrays>(&StateView::particles, &ParticlesView::positions), "(n, 3) [m]")
        .def_property_readonly(
            "velocities", getter<ParticleArrays>(&StateView::particles, &ParticlesView::velocities), "(n, 3) [m/s]");
    py::class_<SphereArrays>(
        module, "Spheres", "Spheres of an explicit simulation, by slot: slots change from step to step, ids do not.")
        .def_property_readonly(
            "positions", getter<SphereArrays>(&StateView::spheres, &SpheresView::positions), "(n, 3) [m]")
        .def_property_readonly(
            "velocities", getter<SphereArrays>(&StateView::spheres, &SpheresView::velocities), "(n, 3) [m/s]")
        .def_property_readonly("angular_velocities",
            getter<SphereArrays>(&StateView::spheres, &SpheresView::angular_velocities), "(n, 3) [rad/s]")
        .def_property_readonly("rotations", getter<SphereArrays>(&StateView::spheres, &SpheresView::rotations),
            "(n, 4) unit quaternions (x, y, z, w).")
        .def_property_readonly("radii", getter<SphereArrays>(&StateView::spheres, &SpheresView::radii), "(n,) [m]")
        .def_property_readonly("ids", integers(&SpheresView::ids), "(n,) int, of each sphere for its whole life.")
        .def_property_readonly("groups", integers(&SpheresView::groups), "(n,) int: body.first of its body.");
    py::class_<StateArrays>(module, "State",
        "Where everything is. Arrays are read-only. Those of an implicit simulation are views of its memory: they show "
        "the present state as it changes, and keep the simulation alive. Those of an explicit one are copies of the "
        "moment in which they are asked for, because there spheres change places in memory.")
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
