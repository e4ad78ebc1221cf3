#pragma once

#include "stickslip/replay/run_reading.h"

#include <cstddef>

namespace stickslip {

/// The frame nearest to the time [s] of an option `--time`. Errors: InputError when the frames end well before it or
/// begin well after it: by more than lies between two of them. Pre: the run has frames.
std::size_t frame_near(const RunReading& run, double time);

} // namespace stickslip
