#include "signals.h"

#include <pybind11/pybind11.h>

#include <utility>

namespace stickslip::python {

namespace py = pybind11;

namespace {

constexpr std::chrono::milliseconds between_polls(20);

} // namespace

SignalWatch::SignalWatch()
{
    main_thread_ = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
}

void SignalWatch::poll()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - polled_ < between_polls || PyThread_get_thread_ident() != main_thread_)
        return;
    polled_ = now;
    const py::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0)
        return;
    raised_ = std::make_exception_ptr(py::error_already_set());
    stop_ = true;
}

void SignalWatch::rethrow()
{
    stop_ = false;
    if (raised_)
        std::rethrow_exception(std::exchange(raised_, nullptr));
}

} // namespace stickslip::python
