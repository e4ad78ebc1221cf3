#include "stickslip/contact/relax/step_spring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace stickslip::step_spring_test {
namespace {

// Half of the share at the start, of 2 mm of which 1.5 mm press.
constexpr SpringStart start{0.5, 2e-3, 1.5e-3};

TEST(StepSpring, BeginsAStepWithTheEnergyThatItHolds)
{
    constexpr double k = 1e6, share = 0.3, depth = 2e-3, lean = 1.09;
    const double whole = 0.5 * k * share * depth * depth * lean;
    EXPECT_EQ(spring_start(share, depth, whole, k, lean).felt, depth) << "to round-off, or contacts at rest creep";
    EXPECT_EQ(spring_start(share, depth, 2 * whole, k, lean).felt, depth) << "no more than it is deep";
    const SpringStart half = spring_start(share, depth, 0.5 * whole, k, lean);
    EXPECT_NEAR(0.5 * k * share * half.felt * half.felt * lean, 0.5 * whole, 1e-12 * whole);
    const PressedSpring at_start = press(half, {share, depth, 0}, 0);
    EXPECT_NEAR(0.5 * k * lean * at_start.stored, 0.5 * whole, 1e-12 * whole);
    EXPECT_NEAR(0.5 * k * lean * at_start.lacking, 0.5 * whole, 1e-12 * whole);
}

TEST(StepSpring, PressesWithItsWholeDepthWhereItsShareDoesNotGrow)
{
    for (const double share : {1.0, 0.4}) {
        const PressedSpring p = press(SpringStart::whole(1e-3), {share, 3e-3, -1}, 0);
        EXPECT_DOUBLE_EQ(p.pressed, share * 3e-3);
        EXPECT_DOUBLE_EQ(p.elastic, share * 3e-3);
        EXPECT_DOUBLE_EQ(p.share(), share);
        EXPECT_EQ(p.lacking, 0);
    }
}

TEST(StepSpring, PressesWithTheGainOfTheStepAloneWhatIsDeepWhenItIsFirstFelt)
{
    EXPECT_EQ(press(SpringStart::empty(3e-3), {1, 3e-3, 1}, 0).elastic, 0);
    EXPECT_EQ(press(SpringStart::empty(3e-3), {1, 2e-3, 1}, 0).elastic, 0) << "it does not push out";
    EXPECT_NEAR(press(SpringStart::empty(3e-3), {0.7, 3.5e-3, 1}, 0).elastic, 0.7 * 5e-4, 1e-15);
    EXPECT_NEAR(press(SpringStart::empty(3e-3), {0.7, 3.5e-3, 2e-4}, 0).elastic, 0.7 * 2e-4, 1e-15)
        << "a depth that grows as the normal turns is no work";
    EXPECT_EQ(press(SpringStart::empty(3e-3), {1, 3.5e-3, -1e-4}, 0).elastic, 0) << "the two went apart";
}

// So that what slides onto a surface which is a little higher gets onto it.
TEST(StepSpring, PressesWithWhatIsFlushAsItComesIn)
{
    const SpringStart flush = SpringStart::empty(3e-3, 1e-5);
    EXPECT_NEAR(press(flush, {0.7, 3e-3, 0}, 0).elastic, 0.7 * 1e-5, 1e-15);
    EXPECT_NEAR(press(flush, {0.7, 3.5e-3, 2e-4}, 0).elastic, 0.7 * 2.1e-4, 1e-15);
    EXPECT_EQ(press(flush, {0.7, 2.98e-3, -2e-5}, 0).elastic, 0);
    EXPECT_EQ(SpringStart::empty(4e-6, 1e-5).flush, 4e-6);
}

// Where the depth grows by the approach, as it does but for the normal that turns.
TEST(StepSpring, StoresNoMoreThanTheWorkThatIsDoneAgainstIt)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < 1000; ++i) {
        const double depth = 1e-3 * uniform(random);
        const SpringStart from{uniform(random), depth, depth * uniform(random)};
        const double approach = 2e-3 * (uniform(random) - 0.5);
        const SpringPlace to{uniform(random), depth + approach, approach};
        if (!(to.depth > 0))
            continue;
        const PressedSpring p = press(from, to, 0);
        const double before = from.share * from.felt * from.felt; // 2/k of energies
        EXPECT_LE(p.stored, before + 2 * p.elastic * approach + 1e-18);
        EXPECT_NEAR(p.stored + p.lacking, std::max(p.stored, to.share * to.depth * to.depth), 1e-18);
        if (p.stored > 0) {
            EXPECT_LE(p.share(), to.share * (1 + 1e-12));
        }
    }
}

TEST(StepSpring, HasTheDerivativesOfCentralDifferencesOnBothSidesOfEveryBranch)
{
    constexpr double damping = 0.3, h = 1e-9;
    int branches[2][2][2] = {};
    for (const double share : {0.2, 0.499999, 0.500001, 0.9})
        for (const double depth : {4e-4, 4.99e-4, 5.01e-4, 1.9e-3, 2.01e-3, 3e-3})
            for (const double approach : {-1e-4, 1e-6, 9e-4, 1.1e-3}) {
                const SpringPlace at{share, depth, approach};
                const PressedSpring p = press(start, at, damping);
                const auto by = [&](double SpringPlace::*of, double step) {
                    SpringPlace more = at, less = at;
                    more.*of += step;
                    less.*of -= step;
                    return (press(start, more, damping).pressed - press(start, less, damping).pressed) / (2 * step);
                };
                EXPECT_NEAR(p.by_share, by(&SpringPlace::share, 1e-7), 1e-9);
                EXPECT_NEAR(p.by_depth, by(&SpringPlace::depth, h), 1e-6);
                EXPECT_NEAR(p.by_approach, by(&SpringPlace::approach, h), 1e-6);
                ++branches[share > start.share][depth > start.depth][approach < depth - start.depth];
            }
    EXPECT_GT(branches[0][0][0], 0);
    EXPECT_GT(branches[1][0][0], 0);
    EXPECT_GT(branches[0][1][0], 0);
    EXPECT_GT(branches[1][1][0], 0);
    EXPECT_GT(branches[0][1][1], 0);
    EXPECT_GT(branches[1][1][1], 0);
}

TEST(StepSpring, IsContinuous)
{
    for (const double from : {start.share, 0.8})
        for (const double eps : {1e-12, 1e-9}) {
            const auto jump = [&](SpringPlace at, double SpringPlace::*of) {
                SpringPlace beyond = at;
                at.*of -= eps;
                beyond.*of += eps;
                return std::abs(press(start, beyond, 0.3).pressed - press(start, at, 0.3).pressed);
            };
            EXPECT_LT(jump({from, 2.5e-3, 1}, &SpringPlace::share), 10 * eps);
            EXPECT_LT(jump({from, start.depth, 1}, &SpringPlace::depth), 10 * eps);
            EXPECT_LT(jump({from, start.depth - start.felt, 1}, &SpringPlace::depth), 10 * eps);
            EXPECT_LT(jump({from, 2.5e-3, 5e-4}, &SpringPlace::approach), 10 * eps);
            EXPECT_LT(jump({from, 2.5e-3, 0}, &SpringPlace::approach), 10 * eps);
        }
}

} // namespace
} // namespace stickslip::step_spring_test
