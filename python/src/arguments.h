#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace stickslip::python {

namespace py = pybind11;

/// What Python hands over, as plain values. `what` is named in errors. TypeError: it is of another type.
double to_number(py::handle value, const char* what);
int to_integer(py::handle value, const char* what);
std::string to_text(py::handle value, const char* what);
bool to_flag(py::handle value, const char* what); // of Python or numpy

/// 0 (all) to 1024. InputError: another number.
int to_threads(py::handle value);

/// What was found instead, short enough for a message.
std::string shown(py::handle value);

} // namespace stickslip::python
