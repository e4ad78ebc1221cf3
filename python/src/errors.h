#pragma once

#include "stickslip/math/error.h"
#include "stickslip/scene/text/fault.h"

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <vector>

namespace stickslip::python {

namespace py = pybind11;

/// A step gave up: stickslip.StepError.
struct StepFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// interrupt() ended a step or a run: stickslip.Interrupted.
struct StepInterrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Another thread is in a step of the same simulation: stickslip.BusyError.
struct SimulationBusy : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// As stickslip.Fault.
py::object to_python(const Fault& fault);
py::list to_python(const std::vector<Fault>& faults);

} // namespace stickslip::python
