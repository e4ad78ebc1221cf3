#include "stickslip/replay/round_off.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {

namespace {

constexpr double share_of_arithmetic = 16 * std::numeric_limits<double>::epsilon();
constexpr double share_of_solver = 1e-9;

double largest_coordinate(const RunReading& run)
{
    double largest = 0;
    for (const BodyTrack& track : run.tracks)
        for (const Vec3& x : track.x)
            if (x.allFinite())
                largest = std::max(largest, x.cwiseAbs().maxCoeff());
    return largest;
}

double shortest_step(const RunReading& run)
{
    double step = infinity;
    for (const double dt : run.history.numbers("dt"))
        if (dt > 0)
            step = std::min(step, dt);
    return step;
}

/// Magnitude of the largest number in these columns, of those that the table has.
double largest_in(const CsvTable& table, std::initializer_list<const char*> columns)
{
    double largest = 0;
    for (const char* column : columns)
        for (const double value : table.numbers(column))
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(value));
    return largest;
}

double largest_force(const RunReading& run)
{
    double largest = 0;
    for (const NamedTable& named : load_tables)
        largest = std::max(largest,
            largest_in(run.*named.table,
                {"fx", "fy", "fz", "normal_x", "normal_y", "normal_z", "friction_x", "friction_y", "friction_z"}));
    return largest;
}

} // namespace

RoundOff round_off(const RunReading& run)
{
    const double size = largest_coordinate(run), step = shortest_step(run);
    const double energy =
        largest_in(run.history, {"kinetic_energy", "potential_energy", "elastic_energy", "contact_energy"});
    const double force = share_of_solver * largest_force(run);
    return {.length = share_of_arithmetic * size,
        .speed = share_of_arithmetic * size / step,
        .spin = share_of_arithmetic / step,
        .energy = share_of_arithmetic * energy,
        .force = force,
        .torque = force * size,
        .momentum = share_of_solver * largest_in(run.history, {"px", "py", "pz"}),
        .angular_momentum = share_of_solver * largest_in(run.history, {"lx", "ly", "lz"})};
}

double without_round_off(double value, double round_off)
{
    return std::abs(value) < round_off ? 0 : value;
}

} // namespace stickslip
