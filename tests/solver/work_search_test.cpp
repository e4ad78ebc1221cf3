#include "stickslip/solver/work_search.h"

#include "support/numeric.h"

#include <vector>

namespace stickslip::work_search_test {
namespace {

struct Searched {
    double t, last;
    int evaluations;
};

Searched search(const std::function<double(double)>& w, double longest = infinity, const WorkSearchOptions& o = {})
{
    Searched s{0, 0, 0};
    s.t = work_search(
        [&](double t) {
            ++s.evaluations;
            s.last = t;
            return w(t);
        },
        w(0), longest, o);
    return s;
}

TEST(WorkSearch, TakesTheWholeStepWhereTheWorkVanishesThere)
{
    const Searched s = search([](double t) { return t - 1; });
    EXPECT_EQ(s.t, 1);
    EXPECT_EQ(s.evaluations, 1);
}

TEST(WorkSearch, EndsWhereTheWorkIsSmallWhateverItsScale)
{
    for (const double root : {1e-4, 0.01, 0.3, 0.99, 3.0, 50.0, 1e4}) {
        const auto w = [&](double t) { return std::tanh(t / root - 1) * (1 + t); };
        const Searched s = search(w);
        EXPECT_GT(s.t, 0) << root;
        EXPECT_LE(std::abs(w(s.t)), 0.5 * std::abs(w(0))) << root;
        EXPECT_EQ(s.last, s.t) << root;
    }
}

TEST(WorkSearch, EndsBeforeAJump)
{
    for (const double jump : {0.003, 0.2, 0.7, 1.9}) {
        const auto w = [&](double t) { return t < jump ? -10.0 : 1e6; };
        const Searched s = search(w);
        EXPECT_LT(s.t, jump);
        EXPECT_GT(s.t, 0.9 * jump);
        EXPECT_EQ(s.last, s.t);
    }
}

TEST(WorkSearch, NeverPassesTheLongestStep)
{
    const Searched s = search([](double t) { return t - 10; }, 0.4);
    EXPECT_EQ(s.t, 0.4);
}

TEST(WorkSearch, TakesWhatIsNotFiniteForTooFar)
{
    const auto w = [](double t) { return t > 0.3 ? std::nan("") : 2 * t - 0.5; };
    const Searched s = search(w);
    EXPECT_GT(s.t, 0);
    EXPECT_LE(std::abs(w(s.t)), 0.25);
}

TEST(WorkSearch, SaysWhenThereIsNoStep)
{
    EXPECT_EQ(search([](double t) { return t > 0 ? 1.0 : -1.0; }).t, 0);
}

} // namespace
} // namespace stickslip::work_search_test
