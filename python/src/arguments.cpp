#include "arguments.h"

#include "stickslip/math/error.h"

#include <limits>

namespace stickslip::python {

namespace {

constexpr std::size_t longest_shown = 60; // characters

[[noreturn]] void refuse(const char* what, const char* expected, py::handle value)
{
    PyErr_Clear();
    throw py::type_error(std::string(what) + ": expected " + expected + ", found " + shown(value));
}

} // namespace

std::string shown(py::handle value)
{
    const std::string text = py::repr(value);
    return text.size() <= longest_shown ? text : std::string(py::repr(py::type::handle_of(value)));
}

double to_number(py::handle value, const char* what)
{
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred())
        refuse(what, "a number", value);
    return number;
}

int to_integer(py::handle value, const char* what)
{
    const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), PyExc_OverflowError);
    if (PyErr_Occurred() || number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
        refuse(what, "a whole number", value);
    return static_cast<int>(number);
}

std::string to_text(py::handle value, const char* what)
{
    py::detail::make_caster<std::string> text;
    if (!py::isinstance<py::str>(value) || !text.load(value, false))
        refuse(what, "a text", value);
    return py::detail::cast_op<std::string>(text);
}

bool to_flag(py::handle value, const char* what)
{
    py::detail::make_caster<bool> flag;
    if (!flag.load(value, false)) // takes numpy.bool_ too
        refuse(what, "True or False", value);
    return py::detail::cast_op<bool>(flag);
}

int to_threads(py::handle value)
{
    const int threads = to_integer(value, "threads");
    if (threads < 0 || threads > 1024)
        throw InputError("threads: expected 0 (all) or a number up to 1024, found " + std::to_string(threads));
    return threads;
}

} // namespace stickslip::python
