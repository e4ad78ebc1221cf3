#pragma once

#include "stickslip/replay/run_reading.h"

#include <cstddef>
#include <string>

namespace stickslip {

/// A body of material points in one frame as a table, a row each:
/// `x,y,z,vx,vy,vz,density_ratio,plastic_strain,pressure,von_mises_stress` [m, m/s, -, -, Pa], world axes. body: empty:
/// the only one there is.
/// Errors: InputError when the run has no such body, or the frame cannot be read. Pre: frame < run.frames.size().
std::string particle_table(const RunReading& run, std::size_t frame, const std::string& body);

} // namespace stickslip
