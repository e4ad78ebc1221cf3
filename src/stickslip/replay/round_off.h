#pragma once

#include "stickslip/replay/run_reading.h"

namespace stickslip {

/// Below these the numbers of a run are rounding of its arithmetic: 16 units in the last place of the largest
/// coordinate of a body, of that per shortest time step, of a radian per that step, and of the largest energy. Forces,
/// torques and momenta are what the solver leaves of them: a billionth of the largest.
struct RoundOff {
    double length = 0; // [m]
    double speed = 0; // [m/s]
    double spin = 0; // [rad/s]
    double energy = 0; // [J]
    double force = 0; // [N]
    double torque = 0; // [N m] of that force at the largest coordinate
    double momentum = 0; // [kg m/s]
    double angular_momentum = 0; // [kg m2/s]
};
RoundOff round_off(const RunReading& run);

/// 0 for what is below the round-off; for texts, never for data.
double without_round_off(double value, double round_off);

} // namespace stickslip
