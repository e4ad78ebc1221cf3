#include "stickslip/bodies/material.h"

#include "support/numeric.h"

#include <Eigen/LU>

namespace stickslip::material_test {
namespace {

constexpr double young = 3e5, poisson = 0.3;
constexpr ElasticModel models[] = {
    ElasticModel::linear, ElasticModel::fixed_corotated, ElasticModel::neo_hookean, ElasticModel::st_venant_kirchhoff};

ElasticMaterial material_of(ElasticModel model, double nu = poisson)
{
    return make_material(model, 1000, young, nu, 0);
}

/// A stretched and turned state, not inverted.
Mat3 stretched(Random& random)
{
    const Vec3 sigma(random.uniform(0.5, 1.6), random.uniform(0.5, 1.6), random.uniform(0.5, 1.6));
    return random.rotation() * sigma.asDiagonal() * random.rotation().transpose();
}

void expect_derivatives(const ElasticMaterial& m, const Mat3& F, double step = 1e-3)
{
    const auto energy = [&](const Vec9& f) { return energy_density(m, unvec(f)); };
    const auto stress = [&](const Vec9& f) { return vec(first_piola(m, unvec(f))); };
    const Mat9 D = first_piola_derivative(m, F);
    EXPECT_NEAR_ALL(vec(first_piola(m, F)).transpose(), difference(energy, vec(F), step), 1e-8)
        << static_cast<int>(m.model);
    EXPECT_NEAR_ALL(D, difference(stress, vec(F), step), 1e-8) << static_cast<int>(m.model);
    EXPECT_NEAR_ALL(D, D.transpose(), 1e-13) << static_cast<int>(m.model);
}

TEST(Material, StressIsTheGradientOfTheEnergyAndItsDerivativeMatches)
{
    Random random(1);
    for (const ElasticModel model : models)
        for (const double nu : {-0.3, 0.0, 0.3, 0.49})
            for (int trial = 0; trial < 10; ++trial)
                expect_derivatives(material_of(model, nu), stretched(random));
}

TEST(Material, IsFreeOfEnergyAndStressAtRest)
{
    for (const ElasticModel model : models) {
        EXPECT_NEAR(energy_density(material_of(model), Mat3::Identity()), 0, 1e-15 * young);
        EXPECT_CLOSE_ALL(first_piola(material_of(model), Mat3::Identity()), Mat3::Zero(), 1e-15 * young);
    }
}

TEST(Material, RestIsAMinimum)
{
    Random random(2);
    for (const ElasticModel model : models)
        for (int trial = 0; trial < 50; ++trial) {
            const Mat3 E = random.matrix(0.1);
            EXPECT_GT(energy_density(material_of(model), Mat3::Identity() + E + E.transpose()), 0);
        }
}

TEST(Material, FollowsHookesLawAtSmallStrain)
{
    for (const ElasticModel model : models)
        for (const double nu : {0.0, 0.3, 0.45}) {
            const double strain = 1e-7;
            const ElasticMaterial m = material_of(model, nu);
            const Mat3 pulled = Mat3::Identity() + strain * Mat3(Vec3(1, -nu, -nu).asDiagonal());
            Mat3 sheared = Mat3::Identity();
            sheared(0, 1) = strain;
            Mat3 shear_stress = Mat3::Zero();
            shear_stress(0, 1) = shear_stress(1, 0) = young / (2 * (1 + nu)) * strain;
            EXPECT_CLOSE_ALL(first_piola(m, pulled) / (young * strain), Mat3(Vec3(1, 0, 0).asDiagonal()), 2e-6);
            EXPECT_CLOSE_ALL(first_piola(m, sheared) / (young * strain), shear_stress / (young * strain), 2e-6);
        }
}

TEST(Material, GivesBackItsYoungModulus)
{
    for (const double nu : {-0.5, 0.0, 0.3, 0.499})
        EXPECT_NEAR(young_modulus(material_of(ElasticModel::linear, nu)) / young, 1, 1e-12);
}

TEST(Material, TurnsWithTheBodyUnlessLinear)
{
    Random random(3);
    for (const ElasticModel model : models) {
        if (model == ElasticModel::linear)
            continue;
        const ElasticMaterial m = material_of(model);
        for (int trial = 0; trial < 20; ++trial) {
            const Mat3 F = stretched(random), R = random.rotation();
            EXPECT_NEAR(energy_density(m, R * F), energy_density(m, F), 1e-13 * young);
            EXPECT_NEAR(energy_density(m, F * R), energy_density(m, F), 1e-13 * young) << "isotropic";
            EXPECT_CLOSE_ALL(first_piola(m, R * F), R * first_piola(m, F), 1e-13 * young);
            EXPECT_CLOSE_ALL(first_piola(m, F * R), first_piola(m, F) * R, 1e-13 * young);
        }
    }
}

TEST(Material, InvertedStatesAreFiniteAndMatchDifferences)
{
    Random random(4);
    for (const ElasticModel model : {ElasticModel::fixed_corotated, ElasticModel::neo_hookean})
        for (int trial = 0; trial < 30; ++trial) {
            // far from the fold where two singular values cancel, and where the nearest rotation jumps
            const Vec3 sigma(random.uniform(1.2, 1.5), random.uniform(0.8, 1.1), random.uniform(-0.6, -0.1));
            const Mat3 F = random.rotation() * sigma.asDiagonal() * random.rotation().transpose();
            ASSERT_LT(F.determinant(), 0);
            expect_derivatives(material_of(model), F);
        }
}

TEST(Material, InvertedStatesArePushedBack)
{
    for (const ElasticModel model : {ElasticModel::fixed_corotated, ElasticModel::neo_hookean})
        for (const double s : {-0.3, -0.1, -1e-6, 0.0, 1e-6, 0.3}) {
            const Mat3 F = Vec3(1, 1, s).asDiagonal();
            EXPECT_LT(first_piola(material_of(model), F)(2, 2), 0) << s;
        }
}

TEST(Material, NearlyEqualSingularValuesDoNoHarm)
{
    Random random(5);
    for (const ElasticModel model : models)
        for (const double gap : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
            const Mat3 U = random.rotation(), V = random.rotation();
            for (const Vec3& sigma :
                {Vec3(1.1, 1.1 - gap, 0.8), Vec3(1.1, 0.8, 0.8 - gap), Vec3(1.2, 1.2 - gap, 1.2 - 2 * gap)})
                expect_derivatives(material_of(model), U * sigma.asDiagonal() * V.transpose());
        }
}

TEST(Material, StaysBoundedWhereSingularValuesCancel)
{
    Random random(6);
    for (const ElasticModel model : models)
        for (const double sum : {0.0, 1e-300, 1e-15, 1e-9, 1e-6, 1e-3})
            for (const Vec3& sigma :
                {Vec3(1, 0.5, -0.5 + sum), Vec3(1, 1, -1 + sum), Vec3(1, sum, 0), Vec3(sum, sum, sum)}) {
                const ElasticMaterial m = material_of(model);
                const Mat3 F = random.rotation() * sigma.asDiagonal() * random.rotation().transpose();
                EXPECT_TRUE(std::isfinite(energy_density(m, F)));
                EXPECT_LT(first_piola(m, F).norm(), 100 * young);
                EXPECT_LT(first_piola_derivative(m, F).norm(), 1e8 * young);
            }
}

TEST(Material, FixedCorotatedMatchesDifferencesCloseToTheFold)
{
    Random random(7);
    const Mat3 U = random.rotation(), V = random.rotation();
    for (const double sum : {1e-1, 1e-2, 1e-3})
        expect_derivatives(material_of(ElasticModel::fixed_corotated),
            U * Vec3(1, 0.5, -0.5 + sum).asDiagonal() * V.transpose(), 1e-3 * sum);
}

TEST(Viscous, TakesEnergyOutForEveryPairOfStates)
{
    Random random(8);
    for (const double nu : {-0.3, 0.0, 0.45})
        for (int trial = 0; trial < 200; ++trial) {
            const ElasticMaterial m = make_material(ElasticModel::neo_hookean, 1000, young, nu, 0.01);
            const Mat3 F = random.matrix(2), F_old = random.matrix(2);
            EXPECT_GT(viscous_piola(m, F, F_old, 0.02).cwiseProduct(F - F_old).sum(), 0);
        }
}

TEST(Viscous, DerivativeMatchesDifferences)
{
    Random random(9);
    const ElasticMaterial m = make_material(ElasticModel::neo_hookean, 1000, young, poisson, 0.01);
    for (int trial = 0; trial < 50; ++trial) {
        const Mat3 F_old = random.matrix(2), F = random.matrix(2);
        EXPECT_NEAR_ALL(viscous_piola_derivative(m, F, F_old, 0.02),
            difference([&](const Vec9& f) { return vec(viscous_piola(m, unvec(f), F_old, 0.02)); }, vec(F), 1e-3),
            1e-10);
    }
}

TEST(Viscous, IsZeroWithoutAChangeAndWithoutDamping)
{
    Random random(10);
    const Mat3 F = random.matrix(2), G = random.matrix(2);
    EXPECT_EQ(viscous_piola(make_material(ElasticModel::linear, 1, young, poisson, 0.1), F, F, 0.01), Mat3::Zero());
    EXPECT_EQ(viscous_piola(make_material(ElasticModel::linear, 1, young, poisson, 0), F, G, 0.01), Mat3::Zero());
}

TEST(Viscous, TurnsWithBothStates)
{
    Random random(11);
    const ElasticMaterial m = make_material(ElasticModel::linear, 1, young, poisson, 0.1);
    for (int trial = 0; trial < 20; ++trial) {
        const Mat3 F = stretched(random), F_old = stretched(random), R = random.rotation();
        EXPECT_NEAR_ALL(viscous_piola(m, R * F, R * F_old, 0.01), R * viscous_piola(m, F, F_old, 0.01), 1e-13);
    }
}

TEST(Viscous, FeelsARigidTurnOnlyInSecondOrder)
{
    Random random(12);
    const ElasticMaterial m = make_material(ElasticModel::linear, 1, young, poisson, 0.1);
    const Mat3 F_old = stretched(random);
    const Vec3 axis = random.unit();
    const auto size = [&](double angle) {
        return viscous_piola(m, Eigen::AngleAxisd(angle, axis) * F_old, F_old, 0.01).norm();
    };
    EXPECT_NEAR(size(1e-2) / size(1e-3), 100, 0.1);
    EXPECT_NEAR(size(1e-3) / size(1e-4), 100, 0.1);
}

TEST(Viscous, IsDampingTimesTheStiffnessAtRestForSmallRates)
{
    Random random(13);
    const double dt = 0.01, damping = 0.03;
    const ElasticMaterial m = make_material(ElasticModel::linear, 1, young, poisson, damping);
    const Mat3 rate = random.matrix(1e-6);
    const Mat3 elastic = unvec(first_piola_derivative(m, Mat3::Identity()) * vec(rate));
    EXPECT_NEAR_ALL(viscous_piola(m, Mat3::Identity() + dt * rate, Mat3::Identity(), dt), damping * elastic, 1e-6);
}

} // namespace
} // namespace stickslip::material_test
