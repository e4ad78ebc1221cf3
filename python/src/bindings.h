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

} // namespace stickslip::python
