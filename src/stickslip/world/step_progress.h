#pragma once

namespace stickslip {

/// A step while it is being solved.
struct StepProgress {
    double time = 0, dt = 0; // [s] its start; tried now
    int failures = 0; // solves that were thrown away
    int tries = 0; // of Newton's method begun since, of all bodies or of a part
    int iterations = 0, descent_steps = 0; // of the present one
    double residual = 0; // [m/s]
    double seconds = 0; // of wall time since the step began
};

} // namespace stickslip
