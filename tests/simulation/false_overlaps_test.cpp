#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

/// Contacts that are deep by their formula where bodies do not touch.
namespace stickslip::false_overlaps_test {
namespace {

/// [m] The deepest contact of all steps.
double deepest(Simulation& simulation, double until)
{
    double deepest = 0;
    EXPECT_EQ(simulation.run(until, [&](const Simulation& at) { deepest = std::max(deepest, at.report().max_depth); }),
        RunStatus::done);
    return deepest;
}

// The polygons of its rims turn through parallel with the floor's edge, a metre away: the side on which the two are
// changes.
TEST(FalseOverlaps, ARollersRimsDoNotMeetEdgesFarAway)
{
    Simulation simulation(scene_from_text(
        "stickslip: 1\ntime: {step: 0.0166666667, end: 1.5}\ncontact: {friction: 0.5}\n"
        "materials: {oak: {density: 1000}}\nbodies:\n"
        "  - {name: floor, kind: obstacle, shape: {box: [6, 0.2, 4]}, position: [0, -0.1, 0], rotation: {axis: [0, 1, "
        "0], degrees: 30}}\n"
        "  - {name: roller, kind: rigid, material: oak, shape: {cylinder: {radius: 0.1, height: 0.3}}, position: "
        "[-1.3, 0.1, 0.75], rotation: {quaternion: [0.6830127018922194, 0.6830127018922193, 0.18301270189221933, "
        "-0.1830127018922193]}, velocity: [0.8660254037844387, 0, -0.5]}\n"));
    EXPECT_LT(deepest(simulation, 1.5), 1e-3);
}

// Its lower edges lie in the cone's base, far behind the cone's side.
TEST(FalseOverlaps, ABoxOnTheBaseOfAConeDoesNotTouchItsSide)
{
    for (const std::string x : {"-0.5", "-0.3", "0.7"}) {
        SCOPED_TRACE(x);
        Simulation simulation(scene_from_text(
            "stickslip: 1\ntime: {step: 0.0166666667, end: 2}\ncontact: {friction: 0.5}\n"
            "materials: {oak: {density: 1000}}\nbodies:\n"
            "  - {name: floor, kind: obstacle, shape: {cone: {radius: 2, height: 0.5}}, position: [0, -0.25, 0], "
            "rotation: {axis: [1, 0, 0], degrees: 180}}\n"
            "  - {name: box, kind: rigid, material: oak, shape: {box: [0.2, 0.2, 0.2]}, position: ["
            + x + ", 0.1, 0]}\n"));
        EXPECT_LT(deepest(simulation, 2), 1e-3);
        EXPECT_LT(simulation.pose("box").v.norm(), 1e-9);
    }
}

} // namespace
} // namespace stickslip::false_overlaps_test
