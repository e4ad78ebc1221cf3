// Spheres run out of a silo with a slot in its floor. A callback counts who is below the slot; the flow is steady
// although the silo empties, and near Beverloo's law for a slot: W = 1.03 rho_bulk sqrt(g) (D - 1.4 d)^1.5 per width.
#include <stickslip/stickslip.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// 0.1 m wide, 0.04 m deep and periodic there; the slot is 0.04 m wide, a plug closes it.
const char* const scene = R"(
stickslip: 1
time: {step: auto, end: 3}
solver: {integration: explicit}
contact: {friction: 0.4}
periodic: {min: [-.inf, -.inf, -0.02], max: [.inf, .inf, 0.02]}
materials: {glass: {density: 2500, kn: 1000, restitution: 0.5, rolling_friction: 0.1}}
bodies:
  - {name: west wall, kind: obstacle, shape: {plane: {normal: [1, 0, 0]}}, position: [-0.05, 0, 0]}
  - {name: east wall, kind: obstacle, shape: {plane: {normal: [-1, 0, 0]}}, position: [0.05, 0, 0]}
  - {name: west floor, kind: obstacle, shape: {box: [0.08, 0.01, 0.2]}, position: [-0.06, -0.005, 0]}
  - {name: east floor, kind: obstacle, shape: {box: [0.08, 0.01, 0.2]}, position: [0.06, -0.005, 0]}
  - {name: plug, kind: obstacle, shape: {box: [0.04, 0.01, 0.2]}, position: [0, -0.005, 0]}
  - {name: grains, kind: spheres, material: glass, position: [0, 0.16, 0],
     fill: {box: [0.1, 0.3, 0.04], count: 1000, seed: 1, sizes: {min: 0.0036, max: 0.0044}}}
)";

} // namespace

int main()
{
    using namespace stickslip;
    Simulation simulation(scene_from_text(scene));
    const double d = 0.008, D = 0.04, depth = 0.04, g = 9.81;
    const double grain = 2500 * 3.14159 / 6 * d * d * d; // [kg]
    if (simulation.run(0.4) != RunStatus::done) // they settle
        return 2;

    const auto count = [&](auto&& is_there) {
        int there = 0;
        const SpheresView spheres = simulation.state().spheres;
        for (std::size_t i = 0; i < spheres.positions.size(); ++i)
            there += is_there(spheres.positions[i]);
        return there;
    };
    const double bulk =
        grain * count([](const Vec3& x) { return x.y() > 0.02 && x.y() < 0.10; }) / (0.1 * 0.08 * depth);

    simulation.set_motion("plug", Vec3(0, -5, 0)); // out of the way, faster than they fall
    std::vector<int> out; // below the slot, every 0.1 s
    const RunStatus status = simulation.run(
        1.0, [&](Simulation&) { out.push_back(count([](const Vec3& x) { return x.y() < -0.02; })); }, 0.1);
    if (status != RunStatus::done) {
        std::printf("%s\n", simulation.messages().back().c_str());
        return 2;
    }
    for (std::size_t i = 1; i < out.size(); ++i)
        std::printf("%.1f s: %4d are out, %.3f kg/s\n", 0.4 + 0.1 * static_cast<double>(i + 1), out[i],
            grain * (out[i] - out[i - 1]) / 0.1);
    const double early = grain * (out[2] - out[0]) / 0.2, late = grain * (out[4] - out[2]) / 0.2; // [kg/s]
    const double beverloo = 1.03 * bulk * std::sqrt(g) * std::pow(D - 1.4 * d, 1.5) * depth;
    std::printf(
        "bulk density %.0f kg/m3; flow %.3f, then %.3f kg/s; Beverloo: %.3f kg/s\n", bulk, early, late, beverloo);
    const bool steady = std::abs(late / early - 1) < 0.2, lawful = std::abs(early / beverloo - 1) < 0.35;
    return steady && lawful ? 0 : 1;
}
