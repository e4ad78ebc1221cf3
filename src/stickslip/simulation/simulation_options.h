#pragma once

#include "stickslip/simulation/step_watch.h"

#include <atomic>
#include <functional>

namespace stickslip {

struct SimulationOptions {
    int threads = 0; // that steps use at most; 0: as many as the caller may
    /// Bodies may be steered to where the scene by itself would never bring them: points of all surfaces are made, and
    /// stiffnesses chosen, for whatever may meet. Without it a steering that would need them is an error.
    bool steered = false;
    const std::atomic<bool>* stop = nullptr; // polled between Newton iterations and between steps; null: nobody
    std::function<void(const StepProgress&)> progress = {}; // called between Newton iterations of implicit steps
    Say message = {}; // takes each warning when it arises; messages() has them all
};

} // namespace stickslip
