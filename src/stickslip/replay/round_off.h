#pragma once

#include "stickslip/replay/run_reading.h"

namespace stickslip {

/// Below these the numbers of a run are rounding of its arithmetic: 16 units in the last place of the largest
/// coordinate of a body, of that per shortest time step, and of the largest energy.
struct RoundOff {
    double length = 0; // [m]
    double speed = 0; // [m/s]
    double energy = 0; // [J]
};
RoundOff round_off(const RunReading& run);

/// 0 for what is below the round-off; for texts, never for data.
double without_round_off(double value, double round_off);

} // namespace stickslip
