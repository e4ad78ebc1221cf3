#pragma once

#include "stickslip/math/error.h"
#include "stickslip/scene/text/fault.h"

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string>
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

/// "force=True" for "--force", and so on.
std::string with_arguments_for_options(std::string text);

/// Calls what writes a run folder. InputErrors that name options of the command line name arguments instead.
template <typename Call>
void in_words_of_python(const Call& call)
{
    try {
        call();
    } catch (const InputError& error) {
        throw InputError(with_arguments_for_options(error.what()));
    }
}

/// As stickslip.Fault.
py::object to_python(const Fault& fault);
py::list to_python(const std::vector<Fault>& faults);

} // namespace stickslip::python
