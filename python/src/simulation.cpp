#include "arguments.h"
#include "arrays.h"
#include "bindings.h"
#include "bodies.h"
#include "driven_simulation.h"
#include "errors.h"
#include "read_scene.h"
#include "state_arrays.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

namespace stickslip::python {

namespace {

void step(DrivenSimulation& driven)
{
    driven.advance(driven.simulation().time());
}

/// `self` is the simulation as Python has it, for the callback.
void run(const py::object& self, const py::object& end, const py::object& callback, const py::object& pause)
{
    const double until = to_number(end, "until"), every = to_number(pause, "every");
    auto& driven = self.cast<DrivenSimulation&>();
    const double begun = driven.simulation().time();
    if (!std::isfinite(until) || until < begun - driven.simulation().time_step()) // the last step may have gone beyond
        throw InputError(
            "until: expected a time from " + std::to_string(begun) + " s on, found " + std::to_string(until));
    if (!(every >= 0) || !std::isfinite(every))
        throw InputError("every: expected a finite time >= 0 s, found " + std::to_string(every));
    if (!callback.is_none() && !PyCallable_Check(callback.ptr()))
        throw InputError("callback: expected a function of the simulation, found " + shown(callback));
    double next = begun + every;
    while (!driven.reached(until)) {
        driven.advance(callback.is_none() ? until : every > 0 ? std::min(until, next) : driven.simulation().time());
        if (callback.is_none() || !driven.reached(next))
            continue;
        while (every > 0 && driven.reached(next))
            next += every;
        callback(self);
    }
}

/// What the last step did, and the energies now.
struct Report {
    StepSummary step;
    Energies energies;
    double friction_loss;
};

Report report(const DrivenSimulation& driven)
{
    const Simulation& simulation = driven.simulation();
    return {simulation.report(), simulation.energies(), simulation.friction_loss()};
}

void bind_report(py::module_& module)
{
    py::class_<Energies>(module, "Energies", "Energies of a state [J].")
        .def_readonly("kinetic", &Energies::kinetic, "[J]")
        .def_readonly("potential", &Energies::potential, "[J] of weight, constant accelerations and pressure.")
        .def_readonly("elastic", &Energies::elastic, "[J]; 0 of an explicit simulation.")
        .def_readonly("contact", &Energies::contact, "[J] stored by contacts.")
        .def_property_readonly("total", &Energies::total, "[J] the sum.");
    py::class_<Report>(module, "Report",
        "What the last step did (of an explicit simulation the last steps of one call), and the energies now.")
        .def_property_readonly(
            "status", [](const Report& r) { return to_string(r.step.status); },
            "\"done\", \"failed\" or \"interrupted\".")
        .def_property_readonly(
            "dt", [](const Report& r) { return r.step.dt; }, "[s] of the last step taken.")
        .def_property_readonly(
            "newton_iterations", [](const Report& r) { return r.step.newton_iterations; },
            "Of all its solves; 0 of explicit steps.")
        .def_property_readonly(
            "krylov_iterations", [](const Report& r) { return r.step.krylov_iterations; },
            "Of GMRES, in all solves; 0 of explicit steps.")
        .def_property_readonly(
            "failed_solves", [](const Report& r) { return r.step.failed_solves; },
            "Solves thrown away and tried again with half the step.")
        .def_property_readonly(
            "residual", [](const Report& r) { return r.step.residual; }, "[m/s] of the accepted solve.")
        .def_property_readonly(
            "contacts", [](const Report& r) { return r.step.contacts; }, "Contacts at its end.")
        .def_property_readonly(
            "sticking", [](const Report& r) { return r.step.sticking; }, "How many of them stick.")
        .def_property_readonly(
            "sliding", [](const Report& r) { return r.step.sliding; }, "How many of them slide.")
        .def_property_readonly(
            "max_depth", [](const Report& r) { return r.step.max_depth; }, "[m] of the deepest contact.")
        .def_readonly("energies", &Report::energies, "Energies now.")
        .def_readonly("friction_loss", &Report::friction_loss,
            "[J] since the start; nan of an explicit simulation without `output.energy`.");
}

void bind_snapshot(py::module_& module)
{
    py::class_<Snapshot>(module, "Snapshot",
        "All that goes from step to step of one simulation, and what it was steered to. Never changes; can be pickled.")
        .def_property_readonly("time", &Snapshot::time, "[s]")
        .def_property_readonly(
            "state_hash", &Snapshot::state_hash, "32 digits, equal where states are equal bit by bit.")
        .def(
            "to_bytes", [](const Snapshot& snapshot) { return py::bytes(snapshot.bytes()); },
            "For files and other processes.")
        .def_static(
            "from_bytes",
            [](const py::object& bytes) {
                if (!py::isinstance<py::bytes>(bytes))
                    throw py::type_error("bytes: expected those of to_bytes(), found " + shown(bytes));
                return Snapshot::from_bytes(bytes.cast<std::string>());
            },
            py::arg("bytes"), "The snapshot of to_bytes(). InputError: bytes that are cut off or altered.")
        .def(py::pickle([](const Snapshot& snapshot) { return py::bytes(snapshot.bytes()); },
            [](const py::bytes& bytes) { return Snapshot::from_bytes(std::string(bytes)); }));
}

using Class = py::class_<DrivenSimulation>;

void bind_steps(Class& simulation)
{
    simulation
        .def("step", &step,
            "Takes one step; of an implicit simulation half of one, or less, where the whole did not converge.\n\n"
            "StepError: the solver gave up. An implicit simulation is then as it was before the step; an explicit one "
            "is "
            "of no use but to be restored. KeyboardInterrupt (Ctrl-C) and Interrupted come between two Newton "
            "iterations: the simulation is as it was before the step.")
        .def("run", &run, py::arg("until"), py::arg("callback") = py::none(), py::arg("every") = 0.0,
            "Steps until the time `until` [s], to a millionth of a step; not at all where the last step went beyond "
            "it. "
            "Calls callback(simulation) after each step, "
            "or "
            "every `every` seconds of simulated time, where it may look, steer and restore.\n\n"
            "Errors as of step(); what the callback raises ends the run after a whole step.")
        .def("interrupt", &DrivenSimulation::interrupt,
            "Ends a step that another thread is in, which raises Interrupted there; or else the next one. The one "
            "method that any thread may call at any time.")
        .def_property_readonly(
            "time", [](const DrivenSimulation& d) { return d.simulation().time(); }, "[s]")
        .def_property_readonly(
            "time_step", [](const DrivenSimulation& d) { return d.simulation().time_step(); }, "[s] the nominal step.")
        .def_property_readonly(
            "is_explicit", [](const DrivenSimulation& d) { return d.simulation().is_explicit(); },
            "Whether it steps explicitly.")
        .def_property_readonly("report", &report, "What the last step did, and the energies now: a Report.")
        .def_property_readonly(
            "messages", [](const DrivenSimulation& d) { return d.simulation().messages(); },
            "All warnings so far, a list of str.")
        .def_property_readonly(
            "state_hash", [](const DrivenSimulation& d) { return d.simulation().state_hash(); },
            "32 digits, equal where states are equal bit by bit, whatever the number of threads.")
        .def_property_readonly(
            "state", [](const py::object& self) { return StateArrays{self}; },
            "Where everything is, as arrays: a State.");
}

void bind_steering(Class& simulation)
{
    simulation
        .def(
            "set_velocity",
            [](DrivenSimulation& d, const py::object& body, const py::object& velocity, const py::object& angular) {
                const Vec3 v = to_vec3(velocity, "velocity"), w = to_vec3(angular, "angular_velocity");
                d.steer([&, name = to_text(body, "body")](Simulation& s) { s.set_velocity(name, v, w); });
            },
            py::arg("body"), py::arg("velocity"), py::arg("angular_velocity") = py::make_tuple(0.0, 0.0, 0.0),
            "Gives a rigid or deformable body, or spheres, the velocities of one solid: `velocity` (3,) [m/s] of its "
            "centre of mass, `angular_velocity` (3,) [rad/s].")
        .def(
            "set_load",
            [](DrivenSimulation& d, const py::object& body, const py::object& force, const py::object& torque) {
                const Vec3 f = to_vec3(force, "force"), t = to_vec3(torque, "torque");
                d.steer([&, name = to_text(body, "body")](Simulation& s) { s.set_load(name, f, t); });
            },
            py::arg("body"), py::arg("force"), py::arg("torque") = py::make_tuple(0.0, 0.0, 0.0),
            "Force (3,) [N] at the centre of mass and torque (3,) [N m] of a rigid body from now on, instead of what "
            "the scene says. On a deformable body the force is spread like its mass, beside what the scene says, and "
            "there is no torque.")
        .def(
            "set_motion",
            [](DrivenSimulation& d, const py::object& body, const py::object& velocity, const py::object& angular) {
                const Vec3 v = to_vec3(velocity, "velocity"), w = to_vec3(angular, "angular_velocity");
                d.steer([&, name = to_text(body, "body")](Simulation& s) { s.set_motion(name, v, w); });
            },
            py::arg("body"), py::arg("velocity"), py::arg("angular_velocity") = py::make_tuple(0.0, 0.0, 0.0),
            "From where it is, an obstacle, or a rigid body with a motion, goes on with this velocity (3,) [m/s] of "
            "its "
            "origin and angular velocity (3,) [rad/s], instead of its script.")
        .def(
            "set_friction",
            [](DrivenSimulation& d, const py::object& first, const py::object& second, const py::object& mu) {
                const std::string a = to_text(first, "first"), b = to_text(second, "second");
                d.steer([&, value = to_number(mu, "mu")](Simulation& s) { s.set_friction(a, b, value); });
            },
            py::arg("first"), py::arg("second"), py::arg("mu"),
            "Coulomb's coefficient of two bodies from now on [-] >= 0; inf: never slips while it is pressed (counts as "
            "1e4). In explicit simulations friction goes by materials: each of the two needs one of its own.")
        .def(
            "set_friction",
            [](DrivenSimulation& d, const py::object& mu) {
                d.steer([value = to_number(mu, "mu")](Simulation& s) { s.set_friction(value); });
            },
            py::arg("mu"), "The same of all pairs of which the scene says nothing else. Implicit simulations.")
        .def(
            "snapshot", [](const DrivenSimulation& d) { return d.simulation().snapshot(); },
            "A Snapshot of this moment.")
        .def("_restore", [](DrivenSimulation& d, const Snapshot& snapshot) { d.restore(snapshot); })
        .def("_record",
            [](DrivenSimulation& d, const std::string& folder, const std::string& scene_file, const py::object& force) {
                d.record(folder, scene_file, to_flag(force, "force"));
            })
        .def("_finish_recording", &DrivenSimulation::finish_recording)
        .def_property_readonly("_is_recorded", &DrivenSimulation::is_recorded);
}

} // namespace

void bind_simulation(py::module_& module)
{
    bind_report(module);
    bind_snapshot(module);
    Class simulation(module, "Simulation", py::dynamic_attr());
    simulation
        .def(py::init([](const ReadScene& scene, const py::object& threads, const py::object& steered) {
            return std::make_unique<DrivenSimulation>(
                scene.scene(), to_threads(threads), to_flag(steered, "steered"), scene.result.warnings);
        }))
        .def(py::init([](const DrivenSimulation& other) { return std::make_unique<DrivenSimulation>(other); }));
    bind_steps(simulation);
    bind_bodies(simulation);
    bind_steering(simulation);
}

} // namespace stickslip::python
