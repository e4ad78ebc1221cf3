#include <stickslip/stickslip.h>

#include <gtest/gtest.h>

#include <string>

/// Explicit runs: a face rebounds as asked for, from any number of points.
namespace stickslip::rebounding_faces_test {
namespace {

TEST(ReboundingFaces, DoNotDependOnHowManyPointsTheyHave)
{
    for (const double asked : {0.4, 0.8})
        for (const char* sample : {"0.1", "0.05", "0.02", "0.0125"}) {
            SCOPED_TRACE(testing::Message() << asked << ", sample " << sample);
            const std::string box =
                std::string("kind: rigid, material: oak, shape: {box: [0.1, 0.1, 0.1]}, sample: ") + sample;
            Simulation simulation(scene_from_text(R"(
stickslip: 1
gravity: [0, 0, 0]
time: {step: auto, end: 1, safety: 0.05}
solver: {integration: explicit}
contact: {friction: 0}
materials: {oak: {density: 1000, kn: 2.0e4, restitution: )"
                + std::to_string(asked) + R"(}}
bodies:
  - {name: wall, kind: obstacle, shape: {plane: {normal: [-1, 0, 0]}}, position: [5, 0, 0]}
  - {name: thrown, )"
                + box + R"(, position: [4.9, 0, 0], velocity: [1, 0, 0]}
  - {name: struck, )"
                + box + R"(, position: [0, 0, 0]}
  - {name: striking, )"
                + box + R"(, position: [-0.2, 0, 0], velocity: [1, 0, 0]}
)"));
            ASSERT_EQ(simulation.run(0.3), RunStatus::done);
            const auto speed = [&](const char* name) { return simulation.pose(name).v.x(); };
            // points within the face are damped as much as if they alone stopped the body: a little too much
            EXPECT_NEAR(-speed("thrown"), asked, 0.09);
            EXPECT_NEAR(speed("struck") - speed("striking"), asked, 0.09);
        }
}

} // namespace
} // namespace stickslip::rebounding_faces_test
