#include "stickslip/contact/meshes/facet_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stickslip::facet_sample_test {
namespace {

TEST(FacetRule, IntegratesPolynomialsUpToItsDegree)
{
    const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
    for (const auto& [count, degree] : {std::pair(3, 2), {6, 4}, {12, 6}}) {
        const FacetRule rule = FacetRule::of(count);
        ASSERT_EQ(rule.count, count);
        double beyond = 0; // error of the degree after
        for (int p = 0; p <= degree + 1; ++p)
            for (int q = 0; p + q <= degree + 1; ++q) {
                double mean = 0;
                for (int i = 0; i < count; ++i)
                    mean += std::pow(rule.points[i].w[0], p) * std::pow(rule.points[i].w[1], q) * rule.points[i].share
                        / count;
                // of w0^p w1^q over a triangle, by its area
                const double exact = 2 * factorial(p) * factorial(q) / factorial(p + q + 2);
                if (p + q <= degree)
                    EXPECT_NEAR(mean, exact, 1e-14) << count << ": " << p << ", " << q;
                else
                    beyond = std::max(beyond, std::abs(mean - exact));
            }
        EXPECT_GT(beyond, 1e-6) << count;
    }
}

TEST(FacetRule, PointsLieInsideWithPositiveShares)
{
    for (const int count : {3, 6, 12}) {
        const FacetRule rule = FacetRule::of(count);
        for (int number = 0; number < 2 * count; ++number) {
            const FacetSample sample(number, rule);
            EXPECT_EQ(sample.facet, number / count);
            EXPECT_GT(sample.point.w.minCoeff(), 0.05);
            EXPECT_NEAR(sample.point.w.sum(), 1, 1e-14);
            EXPECT_GT(sample.point.share, 0.5);
            const std::vector<Vec3> x = {Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
            EXPECT_EQ(sample.at(Triangle{2, 0, 1}, x), sample.point.w);
        }
    }
}

TEST(FacetRule, RefusesOtherCounts)
{
    for (const int count : {0, 1, 4, 13})
        EXPECT_THROW(FacetRule::of(count), std::invalid_argument);
}

} // namespace
} // namespace stickslip::facet_sample_test
