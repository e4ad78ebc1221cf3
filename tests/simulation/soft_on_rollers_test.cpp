#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <string>

/// Slabs that slide over fixed round bodies lying across.
namespace stickslip::soft_on_rollers_test {
namespace {

TEST(SoftOnRollers, SlideWithoutFailedSolves)
{
    for (const std::string shape :
        {"capsule: {radius: 0.1, height: 0.1}", "cylinder: {radius: 0.1, height: 0.3}", "sphere: 0.1"})
        for (const std::string young : {"1.0e5", "3.0e5", "1.0e6"})
            for (const std::string friction : {"0", "0.3"}) {
                SCOPED_TRACE(shape + ", E = " + young + ", mu = " + friction);
                const auto roller = [&](const std::string& name, const std::string& x) {
                    return "  - {name: " + name + ", kind: obstacle, shape: {" + shape + "}, position: [" + x
                        + ", -0.1, 0], rotation: {axis: [1, 0, 0], degrees: 90}}\n";
                };
                Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.005, end: 1}\ncontact: {friction: "
                    + friction + "}\nmaterials: {soft: {density: 1000, poisson: 0.3, young: " + young + "}}\nbodies:\n"
                    + roller("first", "-0.3") + roller("second", "0.3")
                    + "  - {name: slab, kind: deformable, material: soft, shape: {box: [1, 0.1, 0.3]}, resolution: "
                      "0.05, position: [-0.05, 0.05, 0], velocity: [0.8, 0, 0]}\n"));
                int failed = 0;
                EXPECT_EQ(simulation.run(0.2, [&](const Simulation& after) { failed += after.report().failed_solves; }),
                    RunStatus::done);
                EXPECT_EQ(failed, 0);
            }
}

} // namespace
} // namespace stickslip::soft_on_rollers_test
