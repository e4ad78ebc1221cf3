#pragma once

#include <pybind11/pybind11.h>

namespace stickslip::python {

/// The state of a simulation, as arrays made when they are asked for.
struct StateArrays {
    pybind11::object simulation; // a DrivenSimulation
};

} // namespace stickslip::python
