// Two jaws hold a block by friction. Their force is lowered between steps until the block slips; Coulomb's law says
// that this happens at F = m g / (2 mu).
#include <stickslip/stickslip.h>

#include <cstdio>

namespace {

const char* const scene = R"(
stickslip: 1
time: {step: 0.005, end: 10}
contact: {friction: 0.4}
materials: {wood: {density: 600}, steel: {density: 7800}}
bodies:
  - {name: block, kind: rigid, material: wood, shape: {box: [0.1, 0.1, 0.1]}, position: [0, 0.05, 0]}
  - {name: table, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: left, kind: rigid, material: steel, shape: {box: [0.02, 0.06, 0.06]}, position: [-0.06, 0.05, 0],
     fixed_dofs: [y, z, rx, ry, rz]}
  - {name: right, kind: rigid, material: steel, shape: {box: [0.02, 0.06, 0.06]}, position: [0.06, 0.05, 0],
     fixed_dofs: [y, z, rx, ry, rz]}
)";

} // namespace

int main()
{
    using namespace stickslip;
    Simulation simulation(scene_from_text(scene), {.steered = true}); // the table goes where no script takes it
    const double weight = 9.81 * simulation.body("block").mass, mu = 0.4;
    const double limit = weight / (2 * mu); // [N]
    const auto grip = [](Simulation& now, double force) {
        now.set_load("left", Vec3(force, 0, 0));
        now.set_load("right", Vec3(-force, 0, 0));
    };

    // Close the jaws with twice the force that is needed, then take the table away.
    double force = 2 * limit;
    grip(simulation, force);
    if (simulation.run(0.2) != RunStatus::done)
        return 2;
    simulation.set_motion("table", Vec3(0, -0.5, 0));
    if (simulation.run(0.6) != RunStatus::done)
        return 2;
    const double held = simulation.pose("block").v.norm();
    std::printf("%.1f N hold the block of %.2f N: it moves with %.1e m/s\n", force, weight, held);

    // Between every two steps a little less, until it slips.
    double slipped_at = 0;
    const RunStatus status = simulation.run(3.0, [&](Simulation& now) {
        if (slipped_at == 0 && now.pose("block").v.y() < -1e-4)
            slipped_at = force;
        if (slipped_at == 0)
            grip(now, force *= 0.998);
    });
    std::printf("it slips at %.2f N; m g / (2 mu) = %.2f N\n", slipped_at, limit);
    const bool right = held < 1e-6 && slipped_at > 0.99 * limit && slipped_at < 1.001 * limit;
    return status == RunStatus::done && right ? 0 : 1;
}
