// A hundred futures of one present: from one snapshot a puck is pushed with a hundred forces for 0.2 s. Which force
// brings it to a target 0.1 m away? The answer is checked with Coulomb's law.
#include <stickslip/stickslip.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

const char* const scene = R"(
stickslip: 1
time: {step: 0.005, end: 2}
contact: {friction: 0.3}
materials: {brass: {density: 8000}}
bodies:
  - {name: table, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: puck, kind: rigid, material: brass, shape: {box: [0.1, 0.02, 0.1]}, position: [0, 0.01, 0]}
)";

} // namespace

int main()
{
    using namespace stickslip;
    Simulation simulation(scene_from_text(scene));
    if (simulation.run(0.2) != RunStatus::done) // the puck comes to rest
        return 2;
    const Snapshot present = simulation.snapshot();
    const double m = simulation.body("puck").mass, brake = 0.3 * 9.81; // [kg], [m/s2]
    const double pushed = 0.2, target = 0.1; // [s], [m]

    const auto way = [&](double force) { // [m]
        simulation.restore(present);
        const double from = simulation.pose("puck").x.x(), start = simulation.time();
        simulation.set_load("puck", Vec3(force, 0, 0));
        RunStatus status = simulation.run(start + pushed);
        simulation.set_load("puck", Vec3::Zero());
        if (status == RunStatus::done)
            status = simulation.run(start + 1.0); // it glides and stops
        if (status != RunStatus::done)
            throw std::runtime_error(simulation.messages().back());
        return simulation.pose("puck").x.x() - from;
    };

    std::vector<double> ways;
    double best = 0, nearest = target;
    for (int i = 0; i < 100; ++i) {
        const double force = 0.12 * m * 9.81 * (1 + 0.1 * i);
        ways.push_back(way(force));
        if (std::abs(ways.back() - target) < nearest) {
            nearest = std::abs(ways.back() - target);
            best = force;
        }
    }
    // While pushed a = F/m - mu g; it glides on for v^2 / (2 mu g).
    const auto exact = [&](double force) {
        const double a = std::max(force / m - brake, 0.0), v = a * pushed;
        return 0.5 * a * pushed * pushed + v * v / (2 * brake);
    };
    std::printf(
        "%.2f N bring the puck %.4f m far; exact for that force: %.4f m\n", best, target - nearest, exact(best));
    const bool sticks = std::abs(ways[0]) < 1e-9; // less than mu m g
    const bool same_bits = way(best) == way(best);
    return sticks && same_bits && nearest < 0.01 && std::abs(exact(best) - target) < 0.015 ? 0 : 1;
}
