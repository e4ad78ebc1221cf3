#include "stickslip/dem/pairs/normal_force.h"

#include "stickslip/math/error.h"

#include "support/numeric.h"

namespace stickslip::normal_force_test {
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

TEST(CubeRoot, IsRightToRoundOff)
{
    Random random(3);
    for (int i = 0; i < 10000; ++i) {
        const double x = std::pow(10, random.uniform(-100, 50));
        EXPECT_NEAR(static_cast<double>(cube_root(x) / std::cbrt(static_cast<long double>(x))), 1, 1e-15) << x;
    }
}

/// s of d = s^4/R - B s on the stable branch, by halving.
long double precise_jkr_root(long double B, long double R, long double d)
{
    long double low = std::cbrt(B * R / 4), high = low;
    const auto overlap = [&](long double s) { return s * s * s * s / R - B * s; };
    while (overlap(high) < d)
        high *= 2;
    for (int i = 0; i < 200; ++i) {
        const long double middle = (low + high) / 2;
        (overlap(middle) < d ? low : high) = middle;
    }
    return (low + high) / 2;
}

TEST(JkrRoot, IsThatOfAPreciseSolveFromReleaseToDeepContact)
{
    constexpr double eps = std::numeric_limits<double>::epsilon();
    Random random(5);
    for (int i = 0; i < 3000; ++i) {
        const double R = std::pow(10, random.uniform(-6, 0));
        PairLaw pair = sticky(1);
        pair.adhesion = std::pow(10, random.uniform(-6, 1));
        pair.young = std::pow(10, random.uniform(4, 11));
        const JkrScale<double> jkr = jkr_scale(pair, R);
        const double release = jkr_release(pair, R);
        const double beyond = i % 10 == 0 ? 0 : std::pow(10, random.uniform(-15, 8)) * jkr.unit;
        const double d = release + beyond, s = jkr_root(jkr, d);
        const double slope = 4 * s * s * s / R - jkr.B; // of d by s
        const auto precise = static_cast<double>(precise_jkr_root(jkr.B, R, d));
        // of d and of what it is measured from, halved digits at release; and of s
        const double of_d = 8 * eps * (std::abs(d) + jkr.unit);
        const double bound = 8 * eps * s + std::min(of_d / std::max(slope, 1e-300), std::sqrt(of_d * R) / s);
        EXPECT_NEAR(s, precise, bound) << "R " << R << ", d " << d / jkr.unit << " units";
        EXPECT_GE(s, (1 - 1e-12) * JkrScale<double>::t_least * jkr.scale);
    }
}

template <NormalLaw law>
void lanes_are_doubles()
{
    Random random(7);
    for (int i = 0; i < 500; ++i) {
        PairLaw pair[lanes];
        NormalForce<double> one[lanes];
        PairCoefficients<Lanes> four{};
        Lanes d, R, stiffness;
        for (int l = 0; l < lanes; ++l) {
            pair[l] = sticky(random.uniform(0, 1));
            four.young[l] = pair[l].young;
            four.shear[l] = pair[l].shear;
            four.adhesion[l] = pair[l].adhesion;
            four.shear_ratio[l] = pair[l].shear_ratio;
            R[l] = random.uniform(1e-3, 1e-2);
            d[l] = std::max(random.uniform(-1e-5, 1e-4), ends_at<law>(pair[l], R[l]));
            stiffness[l] = random.uniform(1, 1000);
            one[l] = normal_force<law>(pair[l], d[l], R[l], stiffness[l]);
        }
        const NormalForce<Lanes> all = normal_force<law>(four, d, R, stiffness);
        const Lanes ends = ends_at<law>(four, R);
        for (int l = 0; l < lanes; ++l) {
            EXPECT_EQ(all.force[l], one[l].force);
            EXPECT_EQ(all.stiffness[l], one[l].stiffness);
            EXPECT_EQ(all.shear_stiffness[l], one[l].shear_stiffness);
            EXPECT_EQ(all.pull_off[l], one[l].pull_off);
            EXPECT_EQ(ends[l], ends_at<law>(pair[l], R[l]));
        }
    }
}

TEST(NormalForce, OfFourContactsHasTheBitsOfEach)
{
    lanes_are_doubles<NormalLaw::linear>();
    lanes_are_doubles<NormalLaw::hertz>();
    lanes_are_doubles<NormalLaw::dmt>();
    lanes_are_doubles<NormalLaw::jkr>();
}

} // namespace
} // namespace stickslip::normal_force_test
