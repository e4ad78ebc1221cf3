#pragma once

#include "stickslip/replay/run_reading.h"

#include <cstddef>
#include <string>

namespace stickslip {

/// A set of spheres in one frame as a table that `positions: {file: ...}` reads:
/// `x,y,z,radius,vx,vy,vz,wx,wy,wz`, world axes. body: a set of an explicit run; or a rigid ball or a family of such,
/// as the spheres of implicit runs are; empty: the only set or family there is.
/// Errors: InputError when the run has no such set, it is one of clumps, or the frame cannot be read.
/// Pre: frame < run.frames.size().
std::string sphere_table(const RunReading& run, std::size_t frame, const std::string& body);

} // namespace stickslip
