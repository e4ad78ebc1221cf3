#pragma once

#include <pybind11/pybind11.h>

namespace stickslip::python {

/// Each adds one notion to the module; those that come first are used by those that follow.
void bind_errors(pybind11::module_& module);
void bind_scene(pybind11::module_& module);
void bind_state(pybind11::module_& module);
void bind_contacts(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
void bind_equations(pybind11::module_& module);
void bind_runs(pybind11::module_& module);
void bind_pictures(pybind11::module_& module);

/// A call that fits no signature of a public method is told in plain words, not by pybind11's list of C++ types. Their
/// arguments must be py::objects: those of other types are not converted any more.
void explain_wrong_calls(const pybind11::module_& module);

} // namespace stickslip::python
