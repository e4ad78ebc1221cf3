#include "laws/incline_checks.h"

#include <tuple>

namespace stickslip::laws::incline_test {
namespace {

// The source's own incline: a = 0.1 rad, v0 = 0.1 m/s, g = 1.8 m/s^2, cube of 0.2 m; finer ones in tests/long.
struct SourceCase {
    int cells;
    double turned;
    bool exact_cone;
};
class SourceIncline : public testing::TestWithParam<SourceCase> {
protected:
    Incline incline() const
    {
        Incline in;
        in.cells = GetParam().cells;
        in.turned = GetParam().turned;
        in.exact_cone = GetParam().exact_cone;
        return in;
    }
};

TEST_P(SourceIncline, SlidesWithTheAccelerationOfAPointMass)
{
    expect_acceleration_of_a_point_mass(incline());
}

TEST_P(SourceIncline, StopsWhereAPointMassStopsAndStays)
{
    expect_to_stop_and_stay(incline());
}

TEST_P(SourceIncline, SlidesOnBelowTheCriticalFriction)
{
    Incline in = incline();
    in.friction = 0.10;
    InclineRun run(in);
    run.run_to(4.0);
    EXPECT_NEAR(run.distance(), 0.4048, 0.01 * 0.4048);
}

INSTANTIATE_TEST_SUITE_P(CellsTurnsAndRelaxations, SourceIncline,
    testing::Values(SourceCase{1, 0, false}, SourceCase{1, 0.2, false}, SourceCase{1, quarter, false},
        SourceCase{2, 0, false}, SourceCase{2, 0.2, false}, SourceCase{2, quarter, false}, SourceCase{3, 0.2, false},
        SourceCase{1, 0.2, true}, SourceCase{2, 0.2, true}, SourceCase{2, quarter, true}));

TEST(Incline, StoppingDistanceConvergesWithTheStep)
{
    for (const double turned : {0.0, 0.2, quarter}) {
        Incline in;
        in.turned = turned;
        expect_convergence_of_the_stopping_distance(in);
    }
}

// (cells an edge, turned by, steps a second); finer ones in tests/long.
class SteepIncline : public testing::TestWithParam<std::tuple<int, double, int>> { };

TEST_P(SteepIncline, SticksAboveAndSlidesBelowTheCriticalFriction)
{
    const auto [cells, turned, rate] = GetParam();
    expect_steep_cube_to_stick_and_to_slide(cells, turned, 1.0 / rate);
}

INSTANTIATE_TEST_SUITE_P(CellsTurnsAndSteps, SteepIncline,
    testing::Combine(testing::Values(1, 2), testing::Values(0.0, 0.2, quarter), testing::Values(24, 60)));

TEST(Incline, WithoutFrictionFallsFreelyAlongTheSlope)
{
    Incline in;
    in.friction = 0;
    InclineRun run(in);
    run.run_to(1.0);
    const double v = run.speed();
    run.run_to(2.0);
    EXPECT_NEAR(run.speed() - v, in.gravity * std::sin(in.angle), 1e-6);
}

// What comes down grazing slips while next to nothing presses it.
TEST(Incline, WithInfiniteFrictionNeverSlipsOncePressed)
{
    Incline in;
    in.angle = 0.7;
    in.friction = infinity;
    in.speed = 0.05;
    InclineRun run(in);
    double grazing = 0, pressed = 0; // [m]
    for (int i = 0; i < 300; ++i) {
        run.step();
        run.stepper().system().contacts().for_each_contact([&](const Contact& c) {
            double& slip = c.at.depth < 1e-6 ? grazing : pressed;
            slip = std::max(slip, c.at.slip.norm());
        });
    }
    EXPECT_EQ(pressed, 0);
    EXPECT_LT(grazing, 1e-7);
}

} // namespace
} // namespace stickslip::laws::incline_test
