#include "bindings.h"

#include "stickslip/run/summary.h"

namespace stickslip::python {

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
}

} // namespace stickslip::python
