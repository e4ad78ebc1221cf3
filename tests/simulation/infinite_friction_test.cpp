#include <stickslip/stickslip.h>

#include "support/numeric.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>

/// Bodies that tip over their edges and lift off: what never slips is no harder than what slips late.
namespace stickslip::infinite_friction_test {
namespace {

std::string printed(const Vec3& v)
{
    std::ostringstream text;
    text.precision(17);
    text << "[" << v.x() << ", " << v.y() << ", " << v.z() << "]";
    return text.str();
}

/// `body`: of the material m, on y = 0 or above.
Simulation start(const std::string& friction, double dt, const std::string& body)
{
    return Simulation(scene_from_text("stickslip: 1\ntime: {step: " + std::to_string(dt)
        + ", end: 1}\ncontact: {friction: " + friction
        + "}\nmaterials: {m: {density: 1000, young: 1.0e6, poisson: 0.3}}\nbodies:\n"
          "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n  - {name: b, material: m, "
        + body + "}\n"));
}

void expect_no_failure(Simulation simulation, double until)
{
    int failed = 0;
    const RunStatus status =
        simulation.run(until, [&](const Simulation& after) { failed += after.report().failed_solves; });
    EXPECT_EQ(status, RunStatus::done);
    EXPECT_EQ(failed, 0);
}

std::string box(double size, double speed)
{
    return "kind: rigid, shape: {box: " + printed(size * Vec3(1, 0.5, 1))
        + "}, position: " + printed(Vec3(0, size / 4, 0)) + ", velocity: " + printed(Vec3(speed, 0, 0));
}

TEST(InfiniteFriction, IsEasyForBoxesThrownAlongAPlane)
{
    for (const double size : {0.05, 0.1, 0.2, 0.5})
        for (const double dt : {0.01, 0.005, 0.002, 0.001})
            for (const double speed : {0.5, 1.0, 2.0}) {
                SCOPED_TRACE(
                    std::to_string(size) + " m, " + std::to_string(speed) + " m/s in " + std::to_string(dt) + " s");
                expect_no_failure(start(".inf", dt, box(size, speed)), 0.2);
            }
}

TEST(InfiniteFriction, IsEasyForBoxesThatTumble)
{
    Random random(1);
    for (int i = 0; i < 24; ++i) {
        const Vec3 axis = random.unit(), speed(random.uniform(-1, 1), 0, random.uniform(-1, 1));
        SCOPED_TRACE(i);
        const std::string body = std::string(i < 12 ? "kind: rigid" : "kind: deformable, resolution: 0.05")
            + ", shape: {box: [0.2, 0.1, 0.15]}, position: [0, 0.3, 0], rotation: {axis: " + printed(axis)
            + ", degrees: " + std::to_string(random.uniform(0, 180)) + "}, velocity: " + printed(speed);
        expect_no_failure(start(".inf", i % 2 == 0 ? 0.01 : 0.002, body), 0.5);
    }
}

TEST(InfiniteFriction, IsTheLimitOfLargeCoefficients)
{
    std::array<Vec3, 2> x;
    for (const bool infinite : {false, true}) {
        Simulation simulation = start(infinite ? ".inf" : "1.0e3", 0.005, box(0.1, 2));
        EXPECT_EQ(simulation.run(0.2), RunStatus::done);
        x[infinite] = simulation.pose("b").x;
    }
    EXPECT_LT((x[1] - x[0]).norm(), 1e-3);
}

} // namespace
} // namespace stickslip::infinite_friction_test
