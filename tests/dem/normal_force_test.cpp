#include "stickslip/dem/normal_force.h"

#include "stickslip/math/error.h"

#include "support/numeric.h"

namespace stickslip {
namespace {

constexpr double pi = std::numbers::pi;

PairLaw sticky(double surface_energy)
{
    GranularMaterial m;
    m.young = 2e6;
    m.surface_energy = surface_energy;
    return pair_law(m, m);
}

TEST(DampingRatio, IsTheInverseOfRestitution)
{
    for (const double e : {1e-3, 0.05, 0.13, 0.14, 0.3, 0.5, 0.7, 0.9, 0.999})
        EXPECT_NEAR(restitution(damping_ratio(e)), e, 1e-12);
    EXPECT_EQ(damping_ratio(1), 0);
    EXPECT_THROW(damping_ratio(0), InputError);
    EXPECT_THROW(damping_ratio(1.1), InputError);
}

TEST(DampingRatio, OfCriticalDampingGivesExpMinusTwo)
{
    EXPECT_NEAR(restitution(1), std::exp(-2), 1e-15);
    EXPECT_NEAR(restitution(1 - 1e-9), std::exp(-2), 1e-8); // both branches meet
    EXPECT_NEAR(restitution(1 + 1e-9), std::exp(-2), 1e-8);
}

TEST(PairLaw, OfEqualMaterialsHasHertzAndMindlinModuli)
{
    GranularMaterial m;
    m.young = 3e6;
    m.poisson = 0.25;
    const PairLaw pair = pair_law(m, m);
    EXPECT_NEAR(pair.young, 3e6 / (2 * (1 - 0.0625)), 1e-6);
    EXPECT_NEAR(pair.shear, 3e6 / (4 * 1.25 * (2 - 0.25)), 1e-6);
}

TEST(GranularMaterial, NamesWhatIsOutOfRange)
{
    GranularMaterial m;
    m.restitution = 0;
    try {
        check(m);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("restitution"), std::string::npos);
    }
}

template <NormalLaw law>
void force_is_derivative_of_energy(const PairLaw& pair, double R, std::initializer_list<double> overlaps)
{
    for (const double d : overlaps) {
        const double h = 1e-5 * R * 1e-2;
        const double slope =
            (normal_energy<law>(pair, d + h, R, 400) - normal_energy<law>(pair, d - h, R, 400)) / (2 * h);
        const double force = normal_force<law>(pair, d, R, 400).force;
        EXPECT_NEAR(slope, force, 1e-5 * std::abs(force) + 1e-9)
            << "law " << static_cast<int>(law) << ", overlap " << d;
    }
}

TEST(NormalForce, IsTheDerivativeOfItsEnergy)
{
    const double R = 0.004;
    const PairLaw pair = sticky(0.5);
    force_is_derivative_of_energy<NormalLaw::linear>(pair, R, {1e-5, 1e-4});
    force_is_derivative_of_energy<NormalLaw::hertz>(pair, R, {1e-5, 1e-4});
    force_is_derivative_of_energy<NormalLaw::dmt>(pair, R, {-3e-5, -1e-5, 1e-5, 1e-4});
    force_is_derivative_of_energy<NormalLaw::jkr>(pair, R, {0.9 * jkr_release(pair, R), -1e-6, 1e-6, 1e-4});
}

TEST(NormalForce, IsContinuousWhereADmtContactBeginsAndTouches)
{
    const double R = 0.004;
    const PairLaw pair = sticky(0.5);
    const auto force = [&](double d) { return normal_force<NormalLaw::dmt>(pair, d, R, 0).force; };
    EXPECT_NEAR(force(-dmt_range(pair, R)), 0, 1e-12);
    EXPECT_NEAR(force(1e-12), force(-1e-12), 1e-6 * std::abs(force(0)));
}

TEST(PullOff, OfDmtIsTwoPiWR)
{
    const double R = 0.004;
    const PairLaw pair = sticky(0.5);
    EXPECT_EQ(pair.adhesion, 1.0); // w = 2 gamma
    double lowest = 0;
    for (double d = -5e-5; d < 5e-5; d += 1e-8)
        lowest = std::min(lowest, normal_force<NormalLaw::dmt>(pair, d, R, 0).force);
    EXPECT_NEAR(lowest, -2 * pi * pair.adhesion * R, 1e-4 * std::abs(lowest));
}

TEST(PullOff, OfJkrIsOneAndAHalfPiWR)
{
    const double R = 0.004;
    const PairLaw pair = sticky(0.5);
    double lowest = 0;
    for (double d = jkr_release(pair, R); d < 5e-5; d += 1e-8)
        lowest = std::min(lowest, normal_force<NormalLaw::jkr>(pair, d, R, 0).force);
    EXPECT_NEAR(lowest, -1.5 * pi * pair.adhesion * R, 1e-5 * std::abs(lowest));
    // at no overlap: 8/9 of it
    EXPECT_NEAR(normal_force<NormalLaw::jkr>(pair, 0, R, 0).force, -4.0 / 3 * pi * pair.adhesion * R, 1e-10);
}

TEST(JkrContactRadius, SolvesItsEquationOnTheStableBranch)
{
    const double R = 0.004;
    const PairLaw pair = sticky(0.5);
    double last = 0;
    for (double d = jkr_release(pair, R); d < 1e-3; d += 7e-6) {
        const double a = jkr_contact_radius(pair, d, R);
        EXPECT_NEAR(a * a / R - std::sqrt(2 * pi * pair.adhesion * a / pair.young), d, 1e-12);
        EXPECT_GT(a, last);
        last = a;
    }
}

TEST(JkrContactRadius, WithoutAdhesionIsThatOfHertz)
{
    const PairLaw pair = sticky(0);
    for (const double d : {0.0, 1e-9, 1e-5, 1e-3}) {
        EXPECT_NEAR(jkr_contact_radius(pair, d, 0.004), std::sqrt(0.004 * d), 1e-15);
        EXPECT_NEAR(normal_force<NormalLaw::jkr>(pair, d, 0.004, 0).force,
            normal_force<NormalLaw::hertz>(pair, d, 0.004, 0).force, 1e-9);
    }
}

} // namespace
} // namespace stickslip
