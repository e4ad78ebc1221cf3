#include "stickslip/world/central_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace stickslip::central_difference_test {
namespace {

/// f(x) = (sin, exp, cube) of (x0 + h)/width, as seen with round-off `noise`.
struct Function {
    double width, noise;
    std::mt19937 random{3};

    Vec3 operator()(double h)
    {
        std::uniform_real_distribution<double> uniform(-noise, noise);
        const double x = 0.3 + h / width;
        return Vec3(std::sin(x), std::exp(x), x * x * x) + Vec3(uniform(random), uniform(random), uniform(random));
    }
    Vec3 derivative() const { return Vec3(std::cos(0.3), std::exp(0.3), 3 * 0.3 * 0.3) / width; }
    std::vector<ValuePair> pairs(double h, int count)
    {
        std::vector<ValuePair> found;
        for (int i = 0; i < count; ++i, h *= 4)
            found.push_back({h, (*this)(h), (*this)(-h)});
        return found;
    }
};

TEST(CentralDifference, TheBoundHoldsTheErrorOnEveryScaleAndIsSmall)
{
    for (const double width : {1.0, 1e-3, 1e-5})
        for (const double noise : {0.0, 1e-15, 1e-13}) {
            Function f{width, noise};
            const Vec3 here = f(0);
            const auto pairs = f.pairs(1e-11, 10);
            const auto found = central_difference(here, pairs);
            ASSERT_TRUE(found);
            const double error = (found->value - f.derivative()).cwiseAbs().maxCoeff() * width;
            EXPECT_LE(error, found->bound * width) << "width " << width << ", noise " << noise;
            if (width * noise <= 1e-16) { // the longest step is 2.6e-6
                EXPECT_LT(found->bound * width, 1e-3) << "width " << width << ", noise " << noise;
            }
        }
}

TEST(CentralDifference, AnErrorOfTheDerivativeStandsOutFromTheBound)
{
    Function f{1e-3, 1e-15};
    const Vec3 here = f(0);
    const auto pairs = f.pairs(1e-11, 10);
    const auto found = central_difference(here, pairs);
    ASSERT_TRUE(found);
    const Vec3 wrong = (1 + 1e-4) * f.derivative();
    EXPECT_GT((found->value - wrong).cwiseAbs().maxCoeff(), 2 * found->bound);
}

TEST(CentralDifference, NeedsTwoSteps)
{
    Function f{1, 0};
    const Vec3 here = f(0);
    EXPECT_FALSE(central_difference(here, f.pairs(1e-6, 1)));
    EXPECT_FALSE(central_difference(here, {}));
    EXPECT_TRUE(central_difference(here, f.pairs(1e-6, 2)));
}

} // namespace
} // namespace stickslip::central_difference_test
