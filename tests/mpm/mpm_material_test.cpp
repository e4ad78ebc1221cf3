#include "stickslip/mpm/mpm_material.h"

#include "stickslip/mpm/principal_stress.h"
#include "support/numeric.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <numbers>

namespace stickslip::mpm_material_test {
namespace {

constexpr double young = 3e5, poisson = 0.3, dt = 0.01;

MpmMaterial material_of(MpmModel model, double nu = poisson)
{
    MpmMaterial m;
    m.model = model;
    const ElasticModel elastic =
        model == MpmModel::neo_hookean ? ElasticModel::neo_hookean : ElasticModel::fixed_corotated;
    m.elastic = make_material(elastic, 1000, young, nu, 0);
    return m;
}

MpmMaterial sand(double degrees = 35, double cohesion = 0)
{
    MpmMaterial m = material_of(MpmModel::drucker_prager);
    set_cone(m, degrees * std::numbers::pi / 180, cohesion);
    return m;
}

MpmMaterial clay(double hardening = 2e4)
{
    MpmMaterial m = material_of(MpmModel::von_mises);
    m.yield_stress = 5e3;
    m.hardening = hardening;
    return m;
}

MpmMaterial snow(double nu = poisson)
{
    MpmMaterial m = material_of(MpmModel::snow, nu);
    m.critical_compression = 0.025;
    m.critical_stretch = 0.0075;
    m.hardening = 10;
    return m;
}

MpmMaterial water(double viscosity = 0)
{
    MpmMaterial m = material_of(MpmModel::fluid);
    m.bulk_modulus = 2e5;
    m.viscosity = viscosity;
    return m;
}

Mat3 strained(Random& random, const Vec3& sigma)
{
    return random.rotation() * sigma.asDiagonal() * random.rotation().transpose();
}

void expect_derivative(const MpmMaterial& m, const Mat3& F, const MpmPoint& old, double step)
{
    const auto stress = [&](const Vec9& f) { return vec(mpm_stress(m, unvec(f), old, dt).P); };
    EXPECT_NEAR_ALL(mpm_stress_derivative(m, F, old, dt), difference(stress, vec(F), step), 1e-6) << static_cast<int>(
        m.model) << " at\n" << F;
}

Vec3 kirchhoff(const MpmMaterial& m, const Mat3& F, const MpmPoint& old = {})
{
    const Mat3 tau = mpm_stress(m, F, old, dt).P * F.transpose();
    return Eigen::SelfAdjointEigenSolver<Mat3>(0.5 * (tau + tau.transpose())).eigenvalues();
}

double deviator_norm(const Vec3& tau)
{
    return (tau - Vec3::Constant(tau.mean())).norm();
}

/// Small strains, each of the trial states is on one side of the yield surface by more than `step` reaches.
struct State {
    MpmMaterial material;
    Vec3 strain; // logarithmic
    double plastic;
    bool flows;
};

const State states[] = {
    {sand(), {-0.02, -0.021, -0.019}, 0, false},
    {sand(), {-0.03, 0.0, 0.02}, 0, true}, // cone
    {sand(), {0.02, 0.01, 0.005}, 0, true}, // apex
    {sand(35, 4e3), {0.001, 0.0012, 0.0008}, 0, false}, // cohesion holds
    {sand(35, 4e3), {0.02, 0.01, 0.005}, 0, true},
    {sand(35, 4e3), {-0.06, 0.0, 0.055}, 0, true},
    {sand(), {-0.03, -0.01, 0.0}, 0.02, true}, // gives back volume gained
    {sand(35, 4e3), {0.001, 0.0012, 0.0008}, 0.02, false}, // cohesion holds again
    {sand(35, 4e3), {-0.003, -0.001, -0.002}, 0.02, true}, // apart: bears nothing
    {sand(35, 4e3), {-0.02, -0.01, -0.015}, 0.02, true},
    {clay(), {-0.004, 0.0, 0.003}, 0, false},
    {clay(), {-0.04, 0.0, 0.03}, 0, true},
    {clay(), {-0.04, 0.0, 0.03}, 0.1, true},
    {clay(0), {0.2, 0.1, -0.3}, 0, true},
    {snow(), {-0.02, 0.0, 0.003}, -0.05, false},
    {snow(), {-0.06, 0.0, 0.003}, -0.05, true},
    {snow(), {-0.06, -0.05, 0.04}, 0.02, true},
    {snow(), {-0.2, -0.15, -0.1}, -0.05, true},
    {snow(), {0.02, -0.01, -0.005}, 0.02, true},
    {snow(0), {0.02, -0.04, -0.005}, 0, true},
    {snow(-0.3), {0.02, -0.04, -0.005}, 0, true},
};

TEST(MpmMaterial, DerivativeOfTheStressHoldsOnBothSidesOfEveryYieldSurface)
{
    Random random(1);
    for (const State& s : states)
        for (int trial = 0; trial < 5; ++trial) {
            const Vec3 sigma = s.strain.array().exp();
            const Mat3 F = strained(random, sigma);
            const bool flows = principal_stress(s.material, rotation_svd(F).sigma, s.plastic)
                                   .sigma.isApprox(rotation_svd(F).sigma, 1e-12)
                == false;
            EXPECT_EQ(flows, s.flows) << s.strain.transpose();
            expect_derivative(s.material, F, {Mat3::Identity(), s.plastic}, 1e-5);
        }
}

// At the tip of the cone, where undeformed sand is, the derivative is that of compression: a Newton step knows that
// what presses is borne.
TEST(MpmMaterial, UndeformedSandBearsWhatPressesIt)
{
    const Mat3 pressed = (1 - 1e-6) * Mat3::Identity();
    const Vec9 slope = mpm_stress_derivative(sand(), Mat3::Identity(), {}, dt) * vec(Mat3::Identity());
    EXPECT_NEAR_ALL(Vec9(-1e-6 * slope), vec(mpm_stress(sand(), pressed, {}, dt).P), 1e-5);
}

TEST(MpmMaterial, DerivativeHoldsWhereStretchesNearlyCoincide)
{
    Random random(2);
    for (const MpmMaterial& m : {sand(), clay(), snow()})
        for (const double gap : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-15, 0.0})
            for (const Vec3& base : {Vec3(0.9, 0.9, 0.9), Vec3(0.8, 0.8, 1.05), Vec3(0.97, 1.1, 1.1)}) {
                if (m.model == MpmModel::drucker_prager && base[0] == 0.9 && gap == 1e-2)
                    continue; // a corner between elastic and flow
                const Vec3 sigma = base + gap * Vec3(0.3, -0.7, 1);
                expect_derivative(m, strained(random, sigma), {}, 1e-5);
            }
}

TEST(MpmMaterial, DerivativeOfFluidsHolds)
{
    Random random(3);
    for (const double viscosity : {0.0, 30.0})
        for (int trial = 0; trial < 5; ++trial) {
            const Mat3 old = 1.02 * Mat3::Identity();
            expect_derivative(water(viscosity), (Mat3::Identity() + random.matrix(0.05)) * old, {old, 0}, 1e-4);
        }
}

TEST(MpmMaterial, TurnsWithTheBody)
{
    Random random(4);
    for (const State& s : states) {
        const Mat3 F = strained(random, s.strain.array().exp()), Q = random.rotation();
        const MpmStress a = mpm_stress(s.material, F, {Mat3::Identity(), s.plastic}, dt),
                        b = mpm_stress(s.material, Q * F, {Mat3::Identity(), s.plastic}, dt);
        EXPECT_NEAR_ALL(Mat3(Q * a.P), b.P, 1e-10);
        EXPECT_NEAR_ALL(Mat3(Q * a.after.F), b.after.F, 1e-10);
        const Mat3 tau = a.P * F.transpose();
        EXPECT_CLOSE_ALL(tau, tau.transpose(), 1e-9 * young);
    }
}

// Return mapping ends on the surface, and what is there does not flow again.
TEST(MpmMaterial, FlowEndsOnTheYieldSurface)
{
    Random random(5);
    for (const State& s : states) {
        if (!s.flows)
            continue;
        const Mat3 F = strained(random, s.strain.array().exp());
        const MpmStress first = mpm_stress(s.material, F, {Mat3::Identity(), s.plastic}, dt);
        const MpmStress again = mpm_stress(s.material, first.after.F, first.after, dt);
        EXPECT_CLOSE_ALL(again.after.F, first.after.F, 1e-12);
        EXPECT_NEAR(again.after.plastic, first.after.plastic, 1e-12);
        EXPECT_NEAR(again.plastic_work, 0, 1e-12 * young);
        const Vec3 tau = kirchhoff(s.material, F, {Mat3::Identity(), s.plastic});
        if (s.material.model == MpmModel::drucker_prager) {
            EXPECT_LE(deviator_norm(tau), s.material.cone_base - s.material.cone_slope * tau.sum() + 1e-7 * young);
        }
        if (s.material.model == MpmModel::von_mises) {
            EXPECT_NEAR(deviator_norm(tau),
                std::sqrt(2.0 / 3) * (s.material.yield_stress + s.material.hardening * first.after.plastic),
                1e-9 * young);
        }
    }
}

// Ways of random deformations, small beside the elastic range and large: no single one gains energy by flow.
TEST(MpmMaterial, PlasticWorkOfEveryUpdateIsALoss)
{
    Random random(8);
    for (const MpmMaterial& m : {sand(), sand(35, 4e3), clay(), clay(0), snow(), snow(0), snow(0.45), snow(-0.3)})
        for (const double size : {0.003, 0.01, 0.05}) {
            double total = 0;
            for (int way = 0; way < 100; ++way) {
                MpmPoint point;
                for (int step = 0; step < 20; ++step) {
                    const Mat3 F = (Mat3::Identity() + random.matrix(size)) * point.F;
                    const MpmStress at = mpm_stress(m, F, point, dt);
                    ASSERT_GE(at.plastic_work, -1e-14 * young) << static_cast<int>(m.model) << " at\n" << F;
                    total += at.plastic_work;
                    point = at.after;
                }
            }
            EXPECT_GT(total, 0);
        }
}

// Associated flow ends where the elastic energy of what it flows by is least.
TEST(MpmMaterial, SnowFlowsToTheNearestStrainOfItsRange)
{
    Random random(9);
    for (const double nu : {-0.3, 0.0, 0.3, 0.45}) {
        const MpmMaterial m = snow(nu);
        const Vec3 low = Vec3::Constant(std::log(1 - m.critical_compression)),
                   high = Vec3::Constant(std::log(1 + m.critical_stretch));
        const auto away = [&](const Vec3& e) {
            return m.elastic.mu * e.squaredNorm() + 0.5 * m.elastic.lambda * e.sum() * e.sum();
        };
        for (int trial = 0; trial < 200; ++trial) {
            const Vec3 e = random.vector(0.06);
            const Vec3 to = principal_stress(m, e.array().exp(), 0).sigma.array().log();
            EXPECT_TRUE((to.array() <= high.array() + 1e-15).all() && (to.array() >= low.array() - 1e-15).all());
            for (int other = 0; other < 20; ++other) {
                const Vec3 inside = (to + random.vector(0.01)).cwiseMax(low).cwiseMin(high);
                EXPECT_LE(away(e - to), away(e - inside) + 1e-14 * young) << e.transpose();
            }
        }
    }
}

// Of fresh snow under pressure what hardening stores is part of the work of compaction, 1.5 hardening log(1 -
// critical_compression) of it.
TEST(MpmMaterial, HardeningOfSnowStoresAPartOfTheWorkOfCompaction)
{
    const MpmMaterial m = snow();
    MpmPoint point;
    point.F = (1 - m.critical_compression) * Mat3::Identity();
    const MpmStress at = mpm_stress(m, (1 - 1e-6) * point.F, point, dt);
    const double stored = mpm_hardening_energy(m, point, at.after.plastic);
    EXPECT_NEAR(stored / at.plastic_work, -1.5 * m.hardening * std::log(1 - m.critical_compression), 1e-4);
    EXPECT_NEAR(
        stored, mpm_energy_density(m, {point.F, at.after.plastic}) - mpm_energy_density(m, point), 1e-12 * stored);
}

// Coulomb's law where layers slide at constant volume, to steady flow: shear stress = c + p tan(phi), p on all planes.
TEST(MpmMaterial, SandInSimpleShearHasTheAngleOfFrictionAndTheCohesion)
{
    for (const double degrees : {20.0, 30.0, 35.0, 40.0})
        for (const double cohesion : {0.0, 20.0}) {
            const MpmMaterial m = sand(degrees, cohesion);
            MpmPoint point;
            point.F = Vec3(0.9999, 0.9998, 0.9999).asDiagonal();
            Mat3 stress;
            for (int step = 0; step < 2000; ++step) {
                Mat3 shear = Mat3::Identity();
                shear(0, 1) = 1e-4;
                const Mat3 F = shear * point.F;
                const MpmStress at = mpm_stress(m, F, point, dt);
                stress = at.P * F.transpose() / F.determinant();
                point = at.after;
            }
            EXPECT_NEAR(stress(0, 1) / (cohesion - stress(1, 1) * std::tan(degrees * std::numbers::pi / 180)), 1, 2e-3);
            EXPECT_NEAR(stress(0, 0) / stress(1, 1), 1, 2e-3);
            EXPECT_NEAR(stress(2, 2) / stress(1, 1), 1, 2e-3);
            EXPECT_LT(stress(1, 1), -5);
        }
}

// Sand that was pulled apart carries nothing until it is as dense as before.
TEST(MpmMaterial, SandGivesBackTheVolumeItGained)
{
    const MpmMaterial m = sand();
    const MpmStress apart = mpm_stress(m, 1.1 * Mat3::Identity(), {}, dt);
    EXPECT_CLOSE_ALL(apart.P, Mat3::Zero(), 1e-9 * young);
    EXPECT_NEAR(apart.after.plastic, 3 * std::log(1.1), 1e-12);
    EXPECT_CLOSE_ALL(mpm_stress(m, 0.95 * Mat3::Identity(), apart.after, dt).P, Mat3::Zero(), 1e-9 * young);
    const MpmStress dense = mpm_stress(m, 0.99 / 1.1 * Mat3::Identity(), apart.after, dt);
    const double kappa = m.elastic.lambda + 2 * m.elastic.mu / 3;
    EXPECT_NEAR((dense.P * (0.99 / 1.1)).trace(), 3 * 3 * kappa * std::log(0.99), 1e-9 * young);
    EXPECT_NEAR(dense.after.F.determinant(), std::pow(0.99, 3), 1e-12);
    EXPECT_EQ(dense.after.plastic, 0);
}

// Cohesion pulls while it opens, not while it closes: each way of opening costs as much.
TEST(MpmMaterial, SandWithCohesionLosesEnergyEachTimeItIsPulledApart)
{
    const MpmMaterial m = sand(35, 4e3);
    MpmPoint point;
    const auto pull = [&](double by) {
        const MpmStress at = mpm_stress(m, std::exp(by) * point.F, point, dt);
        point = at.after;
        return at;
    };
    const MpmStress first = pull(0.1);
    EXPECT_GT(first.plastic_work, 100);
    const MpmStress back = pull(-0.05);
    EXPECT_CLOSE_ALL(back.P, Mat3::Zero(), 1e-9 * young);
    EXPECT_NEAR(back.plastic_work, 0, 1e-12 * young);
    EXPECT_LT(back.after.plastic, first.after.plastic);
    const MpmStress second = pull(0.1);
    EXPECT_NEAR(second.plastic_work / first.plastic_work, 1, 1e-9);
}

TEST(MpmMaterial, StressIsTheGradientOfTheEnergyWhereNothingFlows)
{
    Random random(6);
    for (const State& s : states) {
        if (s.flows)
            continue;
        const Mat3 F = strained(random, s.strain.array().exp());
        const auto energy = [&](const Vec9& f) { return mpm_energy_density(s.material, {unvec(f), s.plastic}); };
        EXPECT_NEAR_ALL(vec(mpm_stress(s.material, F, {Mat3::Identity(), s.plastic}, dt).P).transpose(),
            difference(energy, vec(F), 1e-5), 1e-7);
    }
    const Mat3 F = Mat3::Identity() + random.matrix(0.1);
    const auto energy = [&](const Vec9& f) {
        return mpm_energy_density(water(), {std::cbrt(unvec(f).determinant()) * Mat3::Identity(), 0});
    };
    EXPECT_NEAR_ALL(vec(mpm_stress(water(), F, {}, dt).P).transpose(), difference(energy, vec(F), 1e-4), 1e-8);
}

TEST(MpmMaterial, ViscosityIsNewtonian)
{
    Mat3 L = Mat3::Zero();
    L(0, 1) = 0.5; // [1/s] shear
    const double j = 1.05, eta = 30, tiny = 1e-7;
    const Mat3 F = (Mat3::Identity() + tiny * L) * j;
    const Mat3 tau = mpm_viscous_piola(water(eta), F, {j * Mat3::Identity(), 0}, tiny) * F.transpose();
    EXPECT_NEAR(tau(0, 1) / F.determinant(), eta * 0.5, 1e-5 * eta);
}

TEST(MpmMaterial, InvertedStatesAreNotFinite)
{
    for (const MpmMaterial& m : {sand(), clay(), snow(), water()})
        EXPECT_FALSE(mpm_stress(m, Vec3(1, 1, -0.1).asDiagonal(), {}, dt).P.allFinite());
}

} // namespace
} // namespace stickslip::mpm_material_test
