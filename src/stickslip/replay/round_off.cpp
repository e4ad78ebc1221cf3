#include "stickslip/replay/round_off.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {

RoundOff round_off(const RunReading& run)
{
    constexpr double share = 16 * std::numeric_limits<double>::epsilon();
    RoundOff least;
    for (const BodyTrack& track : run.tracks)
        for (const Vec3& x : track.x)
            if (x.allFinite())
                least.length = std::max(least.length, share * x.cwiseAbs().maxCoeff());
    double step = infinity;
    for (const double dt : run.history.numbers("dt"))
        if (dt > 0)
            step = std::min(step, dt);
    least.speed = least.length / step;
    for (const char* column : {"kinetic_energy", "potential_energy", "elastic_energy", "contact_energy"})
        for (const double energy : run.history.numbers(column))
            if (std::isfinite(energy))
                least.energy = std::max(least.energy, share * std::abs(energy));
    return least;
}

double without_round_off(double value, double round_off)
{
    return std::abs(value) < round_off ? 0 : value;
}

} // namespace stickslip
