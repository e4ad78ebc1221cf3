#include "stickslip/solver/line_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stickslip::line_search_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

struct Outcome {
    LineSearchReport report;
    double h0, slope0;
    int calls; // of value
    double largest_t;
};

template <typename Value, typename Slope>
Outcome search(const Value& value, const Slope& slope, double longest = infinite, const LineSearchOptions& options = {})
{
    Outcome o{.h0 = value(0.0), .slope0 = slope(0.0), .calls = 0, .largest_t = 0};
    double last = 0;
    const LineFunction f{.value =
                             [&](double t) {
                                 ++o.calls;
                                 o.largest_t = std::max(o.largest_t, t);
                                 return value(last = t);
                             },
        .slope = [&] { return slope(last); }};
    o.report = line_search(f, o.h0, o.slope0, longest, options);
    return o;
}

template <typename Value, typename Slope>
void expect_wolfe(const Outcome& o, const Value& value, const Slope& slope, const LineSearchOptions& options = {})
{
    const double t = o.report.t;
    EXPECT_TRUE(o.report.wolfe);
    EXPECT_GT(t, 0);
    EXPECT_EQ(o.report.h, value(t));
    EXPECT_EQ(o.report.evaluations, o.calls);
    EXPECT_LE(value(t), o.h0 + options.sufficient_decrease * t * o.slope0);
    EXPECT_LE(std::abs(slope(t)), -options.curvature * o.slope0);
}

TEST(LineSearch, TakesTheFullStepOfAQuadraticWithItsMinimumAtOne)
{
    const auto h = [](double t) { return 0.5 * (t - 1) * (t - 1); };
    const auto d = [](double t) { return t - 1; };
    const Outcome o = search(h, d);
    EXPECT_EQ(o.report.t, 1);
    EXPECT_EQ(o.calls, 1);
    expect_wolfe(o, h, d);
}

TEST(LineSearch, MeetsBothConditionsOnQuadraticsOfEveryWidth)
{
    for (const double minimum : {1e-6, 1e-3, 0.1, 0.5, 2.0, 30.0, 1e4}) {
        const auto h = [=](double t) { return (t - minimum) * (t - minimum); };
        const auto d = [=](double t) { return 2 * (t - minimum); };
        expect_wolfe(search(h, d), h, d);
        const LineSearchOptions sharp{.sufficient_decrease = 1e-4, .curvature = 0.01, .max_evaluations = 60};
        const Outcome o = search(h, d, infinite, sharp);
        expect_wolfe(o, h, d, sharp);
        EXPECT_NEAR(o.report.t, minimum, 0.011 * minimum);
    }
}

TEST(LineSearch, StepsBackWhereTheFunctionRisesAfterOne)
{
    const auto h = [](double t) { return std::pow(t - 0.2, 4) + 3 * t * t * t - 0.5 * t; };
    const auto d = [](double t) { return 4 * std::pow(t - 0.2, 3) + 9 * t * t - 0.5; };
    const Outcome o = search(h, d);
    expect_wolfe(o, h, d);
    EXPECT_LT(o.report.t, 1);
}

TEST(LineSearch, KeepsTheMinimumBetweenItsEnds)
{
    // lopsided, so that interpolation lands on either side of the minimum before it is close
    for (const double steepness : {3.0, 8.0, 20.0})
        for (const double minimum : {0.02, 0.1, 0.3, 0.7, 1.6}) {
            const auto h = [=](double t) { return std::exp(steepness * (t - minimum)) - steepness * t; };
            const auto d = [=](double t) { return steepness * (std::exp(steepness * (t - minimum)) - 1); };
            const LineSearchOptions sharp{
                .sufficient_decrease = 1e-4, .curvature = 1e-6, .max_evaluations = 60, .kink = 0};
            const Outcome o = search(h, d, infinite, sharp);
            expect_wolfe(o, h, d, sharp);
            EXPECT_NEAR(o.report.t, minimum, 1e-5);
        }
}

TEST(LineSearch, GoesOnBeyondOneWhereTheFunctionStillFallsSteeply)
{
    const auto h = [](double t) { return -std::tanh(t - 20) + 1e-3 * t; };
    const auto d = [](double t) { return 1e-3 - 1 / std::pow(std::cosh(t - 20), 2); };
    const auto steep_h = [&](double t) { return h(t) - 1e-2 * t + 1e-3 * t * t; };
    const auto steep_d = [&](double t) { return d(t) - 1e-2 + 2e-3 * t; };
    const LineSearchOptions sharp{.sufficient_decrease = 1e-4, .curvature = 0.1, .max_evaluations = 60};
    const Outcome o = search(steep_h, steep_d, infinite, sharp);
    expect_wolfe(o, steep_h, steep_d, sharp);
    EXPECT_GT(o.report.t, 1);
}

TEST(LineSearch, NeverGoesBeyondTheLongestStep)
{
    const auto h = [](double t) { return -t; };
    const auto d = [](double) { return -1.0; };
    for (const double longest : {0.01, 0.5, 1.0, 1.7, 8.0}) {
        const Outcome o = search(h, d, longest);
        EXPECT_LE(o.largest_t, longest);
        EXPECT_EQ(o.report.t, longest);
        EXPECT_FALSE(o.report.wolfe);
    }
}

TEST(LineSearch, StopsAtItsLimitOnAFunctionWithoutAMinimum)
{
    const auto h = [](double t) { return -t; };
    const auto d = [](double) { return -1.0; };
    const Outcome o = search(h, d, infinite, {.max_evaluations = 7});
    EXPECT_EQ(o.calls, 7);
    EXPECT_FALSE(o.report.wolfe);
    EXPECT_EQ(o.report.h, h(o.report.t));
    EXPECT_LT(o.report.h, 0);
}

TEST(LineSearch, FindsALowerPointAtAKinkWithoutAFlatOne)
{
    // slopes -1 and 3: no point has |h'| <= 0.9
    const auto h = [](double t) { return t < 0.37 ? -t : -0.37 + 3 * (t - 0.37); };
    const auto d = [](double t) { return t < 0.37 ? -1.0 : 3.0; };
    const Outcome o = search(h, d);
    EXPECT_FALSE(o.report.wolfe);
    EXPECT_GT(o.report.t, 0);
    EXPECT_EQ(o.report.h, h(o.report.t));
    EXPECT_LE(o.report.h, 1e-4 * o.report.t * -1);
    EXPECT_NEAR(o.report.t, 0.37, LineSearchOptions().kink * 0.37) << "close to the lowest point";
    LineSearchOptions patient;
    patient.kink = 0;
    const Outcome closer = search(h, d, infinite, patient);
    EXPECT_NEAR(closer.report.t, 0.37, 1e-3);
    EXPECT_LT(o.report.evaluations, closer.report.evaluations) << "a kink is not worth more";
}

TEST(LineSearch, ComesBackFromWhereTheFunctionIsNotANumber)
{
    const auto h = [](double t) { return t < 0.3 ? 10 * (t - 0.2) * (t - 0.2) : nowhere; };
    const auto d = [](double t) { return t < 0.3 ? 20 * (t - 0.2) : nowhere; };
    expect_wolfe(search(h, d), h, d);
    const auto wall = [](double t) { return t < 0.3 ? 10 * (t - 0.2) * (t - 0.2) : infinite; };
    expect_wolfe(search(wall, d), wall, d);
}

TEST(LineSearch, ComesBackFromANumberlessPlaceMetWhileGoingOn)
{
    const auto h = [](double t) { return t < 1.5 ? -t + 0.35 * t * t : nowhere; };
    const auto d = [](double t) { return t < 1.5 ? -1 + 0.7 * t : nowhere; };
    const LineSearchOptions sharp{.sufficient_decrease = 1e-4, .curvature = 0.1, .max_evaluations = 40};
    expect_wolfe(search(h, d, infinite, sharp), h, d, sharp);
}

TEST(LineSearch, ReportsZeroWhenNothingIsLower)
{
    // the given slope is wrong: the function rises
    const auto h = [](double t) { return 1 + t; };
    const auto d = [](double) { return -1.0; };
    const Outcome o = search(h, d);
    EXPECT_EQ(o.report.t, 0);
    EXPECT_FALSE(o.report.wolfe);
    EXPECT_LE(o.calls, LineSearchOptions{}.max_evaluations);
}

TEST(LineSearch, HandlesTheFunctionOfMoreAndThuente)
{
    // More and Thuente (1994), first test function with beta = 2
    const auto h = [](double t) { return -t / (t * t + 2); };
    const auto d = [](double t) { return (t * t - 2) / ((t * t + 2) * (t * t + 2)); };
    const LineSearchOptions sharp{.sufficient_decrease = 1e-3, .curvature = 0.1, .max_evaluations = 40};
    const Outcome o = search(h, d, infinite, sharp);
    expect_wolfe(o, h, d, sharp);
    EXPECT_NEAR(o.report.t, std::sqrt(2), 0.3);
}

} // namespace
} // namespace stickslip::line_search_test
