// At which coefficient of friction does a block stay on a slope of 20 degrees? Bisection, beside the exact tan(20 deg).
#include <stickslip/stickslip.h>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

const char* const scene = R"(
stickslip: 1
time: {step: 0.01, end: 1}
materials: {oak: {density: 700}}
bodies:
  - {name: slope, kind: obstacle, shape: {plane: {normal: [0.34202014332566873, 0.93969262078590838, 0]}}}
  - name: block
    kind: rigid
    material: oak
    shape: {box: [0.2, 0.1, 0.2]}
    position: [0.017101007166283436, 0.046984631039295419, 0]
    rotation: {axis: [0, 0, 1], degrees: -20}
)";

} // namespace

int main()
{
    using namespace stickslip;
    Simulation simulation(scene_from_text(scene));
    const Snapshot start = simulation.snapshot();

    const auto slides = [&](double mu) {
        simulation.restore(start);
        simulation.set_friction("slope", "block", mu);
        if (simulation.run(1.0) != RunStatus::done)
            throw std::runtime_error(simulation.messages().back());
        return simulation.pose("block").v.norm() > 1e-6; // what sticks does not creep
    };

    double sliding = 0, sticking = 1;
    while (sticking - sliding > 1e-4) {
        const double mu = 0.5 * (sliding + sticking);
        (slides(mu) ? sliding : sticking) = mu;
    }
    const double exact = std::tan(20 * std::numbers::pi / 180);
    std::printf("the block slides at mu = %.5f and sticks at mu = %.5f; exact: %.5f\n", sliding, sticking, exact);
    return sliding - 1e-3 < exact && exact < sticking + 1e-3 ? 0 : 1;
}
