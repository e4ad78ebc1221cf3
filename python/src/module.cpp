#include "bindings.h"

#include "stickslip/run/summary.h"

namespace stickslip::python {

namespace {

namespace py = pybind11;

[[noreturn]] void* refuse_unmade(std::size_t)
{
    throw py::type_error("expected an object that its constructor made, found one of __new__() alone");
}

/// To an object that no constructor has made pybind11 gives memory that nobody filled, as soon as it is used.
void refuse_unmade_objects(const py::module_& module)
{
    for (const auto& [name, value] : py::dict(module.attr("__dict__")))
        if (PyType_Check(value.ptr()))
            if (auto* type = py::detail::get_type_info(reinterpret_cast<PyTypeObject*>(value.ptr())))
                type->operator_new = &refuse_unmade;
}

} // namespace

PYBIND11_MODULE(_stickslip, module)
{
    module.doc() = "The compiled part of stickslip; its users import stickslip.";
    module.attr("version") = version();
    bind_errors(module);
    bind_scene(module);
    bind_state(module);
    bind_contacts(module);
    bind_simulation(module);
    bind_equations(module);
    bind_runs(module);
    bind_pictures(module);
    refuse_unmade_objects(module);
    explain_wrong_calls(module);
}

} // namespace stickslip::python
