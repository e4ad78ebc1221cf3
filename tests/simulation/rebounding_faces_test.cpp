#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <string>

/// Explicit runs: a face rebounds as asked for, from any number of points.
namespace stickslip::rebounding_faces_test {
namespace {

struct Velocities {
    double thrown, struck, striking; // [m/s]
};

// A body thrown at a wall with 1 m/s, and one thrown at another of its shape; `shape` is 0.1 m long along x.
Velocities rebound(const std::string& shape, double asked, const std::string& stiffness = "kn: 2.0e4")
{
    const std::string body = "kind: rigid, material: oak, " + shape;
    Simulation simulation(scene_from_text("stickslip: 1\ngravity: [0, 0, 0]\ntime: {step: auto, end: 1, safety: 0.05}\n"
                                          "solver: {integration: explicit}\ncontact: {friction: 0}\n"
                                          "materials: {oak: {density: 1000, "
        + stiffness + ", restitution: " + std::to_string(asked)
        + "}}\nbodies:\n"
          "  - {name: wall, kind: obstacle, shape: {plane: {normal: [-1, 0, 0]}}, position: [5, 0, 0]}\n"
          "  - {name: thrown, "
        + body + ", position: [4.9, 0, 0], velocity: [1, 0, 0]}\n  - {name: struck, " + body
        + ", position: [0, 0, 0]}\n  - {name: striking, " + body + ", position: [-0.2, 0, 0], velocity: [1, 0, 0]}\n"));
    EXPECT_EQ(simulation.run(0.3), RunStatus::done);
    return {simulation.pose("thrown").v.x(), simulation.pose("struck").v.x(), simulation.pose("striking").v.x()};
}

TEST(ReboundingFaces, DoNotDependOnHowManyPointsTheyHave)
{
    for (const double asked : {0.4, 0.8})
        for (const char* sample : {"0.1", "0.05", "0.02", "0.0125"}) {
            SCOPED_TRACE(testing::Message() << asked << ", sample " << sample);
            const Velocities v = rebound(std::string("shape: {box: [0.1, 0.1, 0.1]}, sample: ") + sample, asked);
            EXPECT_NEAR(-v.thrown, asked, 0.01);
            EXPECT_NEAR(v.struck - v.striking, asked, 0.01);
        }
}

TEST(ReboundingFaces, OfAnyShapeReboundFromAPlaneAsAsked)
{
    for (const double asked : {0.4, 0.8})
        for (const char* shape :
            {"shape: {cylinder: {radius: 0.05, height: 0.1}}, rotation: {axis: [0, 0, 1], degrees: 90}",
                "shape: {cone: {radius: 0.05, height: 0.1}}, rotation: {axis: [0, 0, 1], degrees: 90}",
                "shape: {box: [0.1, 0.02, 0.3]}", "shape: {box: [0.1, 0.4, 0.02]}"})
            for (const char* stiffness : {"kn: 2.0e4", "young: 1.0e6, poisson: 0.3"}) {
                SCOPED_TRACE(testing::Message() << asked << ' ' << shape << ' ' << stiffness);
                const Velocities v = rebound(shape, asked, stiffness);
                EXPECT_NEAR(-v.thrown, asked, 0.01);
            }
}

} // namespace
} // namespace stickslip::rebounding_faces_test
