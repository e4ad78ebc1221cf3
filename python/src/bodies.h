#pragma once

#include "driven_simulation.h"

namespace stickslip::python {

/// Bodies of a simulation: names, poses, forces, meshes.
void bind_bodies(py::class_<DrivenSimulation>& simulation);

} // namespace stickslip::python
