#include "sample_scenes.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace stickslip::step_system_test {
namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t count, double size, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> between(-size, size);
    Numbers numbers(count);
    for (double& number : numbers)
        number = between(random);
    return numbers;
}

double dot(const Numbers& a, const Numbers& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

class StepSystemOfABlock : public ::testing::Test {
protected:
    StepSystemOfABlock()
        : simulation(scene_from_text(block_on_floor(soft_cube)))
    {
        EXPECT_EQ(simulation.run(0.3), RunStatus::done); // at rest on the floor
    }
    Simulation simulation;
};

TEST_F(StepSystemOfABlock, DerivativeMeetsCentralDifferences)
{
    StepSystem system(simulation);
    const std::size_t n = system.size();
    EXPECT_EQ(n, 3 * simulation.state().nodes.positions.size() + 6);
    const Numbers z(n, 0.0), dz = random_numbers(n, 1, 1);
    Numbers g(n), Hdz(n), plus = z, minus = z, g_plus(n), g_minus(n);
    const double h = 1e-6;
    for (std::size_t i = 0; i < n; ++i) {
        plus[i] += h * dz[i];
        minus[i] -= h * dz[i];
    }
    system.residual(plus, g_plus);
    system.residual(minus, g_minus);
    system.residual(z, g);
    system.apply(dz, Hdz);
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(Hdz[i], (g_plus[i] - g_minus[i]) / (2 * h), 1e-5 * std::sqrt(dot(Hdz, Hdz)));
}

TEST_F(StepSystemOfABlock, MatrixAndProductsAreOne)
{
    StepSystem system(simulation);
    const std::size_t n = system.size();
    const Numbers z(n, 0.0), v = random_numbers(n, 1, 2), w = random_numbers(n, 1, 3);
    Numbers g(n), Hv(n), Htw(n), product(n, 0.0);
    system.residual(z, g);
    system.apply(v, Hv);
    system.apply_transpose(w, Htw);
    const double scale = std::sqrt(dot(Hv, Hv) * dot(w, w));
    EXPECT_NEAR(dot(w, Hv), dot(Htw, v), 1e-12 * scale);
    const MatrixView H = system.matrix();
    ASSERT_EQ(H.row_begin.size(), n / 3 + 1);
    for (std::size_t row = 0; row < n / 3; ++row)
        for (int k = H.row_begin[row]; k < H.row_begin[row + 1]; ++k)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    product[3 * row + i] += H.values[9 * k + 3 * j + i] * v[3 * H.column[k] + j];
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(product[i], Hv[i], 1e-12 * std::sqrt(dot(Hv, Hv)));
}

TEST_F(StepSystemOfABlock, RefusesWhatDoesNotFit)
{
    StepSystem system(simulation);
    Numbers right(system.size()), wrong(7);
    EXPECT_NE(error_text<InputError>([&] { system.residual(wrong, right); }).find("found 7"), std::string::npos);
    EXPECT_EQ(error_text<InputError>([&] { system.apply(right, right); }),
        "step system: expected a call of residual() before its derivative is asked for");
    const Simulation spheres(scene_from_text(spheres_with_gates));
    EXPECT_EQ(
        error_text<InputError>([&] { StepSystem none(spheres); }), "step system: expected an implicit simulation");
}

} // namespace
} // namespace stickslip::step_system_test
