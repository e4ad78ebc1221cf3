// The incline of tests/laws with 4 and 8 cells an edge.
#include "laws/incline_checks.h"

#include <tuple>

namespace stickslip::laws::incline_test {
namespace {

// (cells an edge, turned by, exact cone)
class FineIncline : public testing::TestWithParam<std::tuple<int, double, bool>> {
protected:
    Incline incline() const
    {
        Incline in;
        std::tie(in.cells, in.turned, in.exact_cone) = GetParam();
        return in;
    }
};

TEST_P(FineIncline, SlidesWithTheAccelerationOfAPointMass)
{
    expect_acceleration_of_a_point_mass(incline());
}

TEST_P(FineIncline, StopsWhereAPointMassStopsAndStays)
{
    expect_to_stop_and_stay(incline());
}

INSTANTIATE_TEST_SUITE_P(TurnsAndRelaxations, FineIncline,
    testing::Combine(testing::Values(4), testing::Values(0.0, 0.2, quarter), testing::Bool()));
INSTANTIATE_TEST_SUITE_P(EightCells, FineIncline, testing::Values(std::tuple(8, 0.2, false)));

// (turned by, steps a second)
class FineSteepIncline : public testing::TestWithParam<std::tuple<double, int>> { };

TEST_P(FineSteepIncline, SticksAboveAndSlidesBelowTheCriticalFriction)
{
    const auto [turned, rate] = GetParam();
    expect_steep_cube_to_stick_and_to_slide(4, turned, 1.0 / rate);
}

INSTANTIATE_TEST_SUITE_P(
    TurnsAndSteps, FineSteepIncline, testing::Combine(testing::Values(0.0, 0.2, quarter), testing::Values(24, 60)));

class FineInclineSteps : public testing::TestWithParam<double> { };

TEST_P(FineInclineSteps, StoppingDistanceConvergesWithTheStep)
{
    Incline in;
    in.cells = 4;
    in.turned = GetParam();
    expect_convergence_of_the_stopping_distance(in);
}

INSTANTIATE_TEST_SUITE_P(Turns, FineInclineSteps, testing::Values(0.0, 0.2, quarter));

} // namespace
} // namespace stickslip::laws::incline_test
