#include "stickslip/bodies/elastic.h"

#include "support/boxes.h"
#include "support/threads.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace stickslip::elastic_test {
namespace {

constexpr double dt = 0.01, young = 1e4, size = 0.2;
constexpr ElasticModel models[] = {
    ElasticModel::linear, ElasticModel::fixed_corotated, ElasticModel::neo_hookean, ElasticModel::st_venant_kirchhoff};

DeformableSet cube(ElasticModel model, double damping = 0, int cells = 2)
{
    return one_body(cube_mesh(size, cells), make_material(model, 1000, young, 0.3, damping));
}

std::vector<Vec3> elastic_force(const DeformableSet& set, const std::vector<Vec3>& x, const std::vector<Vec3>& x_old)
{
    ElasticEvaluation e;
    evaluate_stress(set, x, x_old, dt, e);
    std::vector<Vec3> f(x.size(), Vec3::Zero());
    add_elastic_force(set, e, f);
    return f;
}

/// Of the force on nodes at x that were at x_old.
struct Differential {
    DeformableSet set;
    std::vector<Vec3> x, x_old;
    ElasticEvaluation e;

    Differential(const DeformableSet& s, const std::vector<Vec3>& places, const std::vector<Vec3>& old_places)
        : set(s)
        , x(places)
        , x_old(old_places)
    {
        evaluate_stress_derivative(set, x, x_old, dt, e);
    }
    std::vector<Vec3> operator()(const std::vector<Vec3>& dx, bool transposed) const
    {
        std::vector<Vec3> df(dx.size(), Vec3::Zero());
        ElasticEvaluation scratch;
        add_elastic_force_differential(set, x, x_old, dt, dx, df, transposed, scratch);
        return df;
    }
};

/// Of a cube whose nodes are up to `by` of its size from where they are at rest.
Differential of_shaken_cube(ElasticModel model, double damping, double by, Random& random)
{
    const DeformableSet set = cube(model, damping);
    const std::vector<Vec3> x = shaken(set.rest, by * size, random);
    return {set, x, shaken(x, 0.05 * size, random)};
}

// Of block (a, b) = -g_a^T D g_b: D = volume x d vec(P) / d vec(F).
Mat9 by_gradient(const DeformableSet& set, std::size_t t, const Mat9& K)
{
    const Mat3 edges = set.rest_inverse[t].inverse();
    Mat9 E = Mat9::Zero();
    for (int c = 0; c < 3; ++c)
        for (int a = 0; a < 3; ++a)
            E.block<3, 3>(3 * c, 3 * a) = edges(c, a) * Mat3::Identity();
    return -E * K * E.transpose();
}

TEST(ElasticDerivative, IsThatOfTheStressBetweenTheGradientsOfTheCorners)
{
    Random random(12);
    for (const ElasticModel model : models)
        for (const double damping : {0.0, 0.05}) {
            const Differential d = of_shaken_cube(model, damping, 0.25, random);
            const auto& [set, x, x_old, e] = d;
            for (std::size_t t = 0; t < set.tets.size(); ++t) {
                const Mat3 F = deformation_gradient(set, t, x), F_old = deformation_gradient(set, t, x_old);
                const Mat9 D = set.volume[t]
                    * (first_piola_derivative(set.materials[0], F)
                        + viscous_piola_derivative(set.materials[0], F, F_old, dt));
                EXPECT_NEAR_ALL(by_gradient(set, t, e.derivative[t]), D, 1e-12 * D.norm());
            }
        }
}

TEST(ConvexDerivative, TakesOutWhatIsNegativeAndKeepsTheRest)
{
    Random random(11);
    bool some_kept = false, some_changed = false;
    for (const ElasticModel model : models) {
        const DeformableSet set = cube(model);
        const std::vector<Vec3> x = shaken(set.rest, 0.25 * size, random);
        Differential d(set, x, x);
        const auto before = d.e.derivative;
        evaluate_convex_derivative(set, x, dt, d.e);
        for (std::size_t t = 0; t < before.size(); ++t) {
            const Mat9 D_before = by_gradient(set, t, before[t]), D = by_gradient(set, t, d.e.derivative[t]);
            const Eigen::SelfAdjointEigenSolver<Mat9> was(D_before), is(D);
            const double scale = was.eigenvalues().cwiseAbs().maxCoeff();
            EXPECT_NEAR_ALL(is.eigenvalues(), was.eigenvalues().cwiseMax(0), 1e-12 * scale);
            EXPECT_NEAR_ALL(D, D.transpose(), 1e-12 * scale);
            const bool convex = was.eigenvalues().minCoeff() > 1e-9 * scale;
            (convex ? some_kept : some_changed) = true;
            if (convex) {
                EXPECT_NEAR_ALL(D, D_before, 1e-12 * scale);
            }
        }
    }
    EXPECT_TRUE(some_kept && some_changed);
}

TEST(ConvexDerivative, IsSymmetricAndConvexWithDampingToo)
{
    Random random(13);
    for (const ElasticModel model : models) {
        const DeformableSet set = cube(model, 0.05);
        ElasticEvaluation e;
        evaluate_convex_derivative(set, shaken(set.rest, 0.25 * size, random), dt, e);
        for (const ElementStiffness& K : e.derivative) {
            const Eigen::SelfAdjointEigenSolver<Mat9> eigen(K);
            EXPECT_NEAR_ALL(K, K.transpose(), 1e-12 * K.norm());
            EXPECT_LT(eigen.eigenvalues().maxCoeff(), 1e-12 * K.norm());
        }
    }
}

TEST(ElasticForce, IsMinusTheGradientOfTheEnergy)
{
    Random random(1);
    for (const ElasticModel model : models) {
        const DeformableSet set = cube(model);
        const std::vector<Vec3> x = shaken(set.rest, 0.1 * size, random);
        const std::vector<Vec3> f = elastic_force(set, x, x);
        std::vector<Vec3> expected;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto energy = [&](const Vec3& p) {
                std::vector<Vec3> y = x;
                y[i] = p;
                return elastic_energy(set, y, set.bodies[0].tets);
            };
            expected.push_back(-difference(energy, x[i], 1e-3 * size).transpose());
        }
        EXPECT_NEAR_ALL(f, expected, 1e-8);
    }
}

TEST(ElasticForce, DifferentialMatchesDifferencesWithAndWithoutDamping)
{
    Random random(2);
    for (const ElasticModel model : models)
        for (const double damping : {0.0, 0.05}) {
            const Differential H = of_shaken_cube(model, damping, 0.1, random);
            const std::vector<Vec3> dx = random.vectors(H.x.size(), size);
            const auto f = [&](const std::vector<Vec3>& y) { return elastic_force(H.set, y, H.x_old); };
            EXPECT_NEAR_ALL(H(dx, false), difference_along(f, H.x, dx, 1e-3), 1e-8);
        }
}

TEST(ElasticForce, TransposeMeetsTheDotProductTest)
{
    Random random(3);
    for (const ElasticModel model : models)
        for (const double damping : {0.0, 0.05}) {
            const Differential H = of_shaken_cube(model, damping, 0.1, random);
            const auto a = random.vectors(H.x.size()), b = random.vectors(H.x.size());
            EXPECT_NEAR(dot_all(b, H(a, false)), dot_all(H(b, true), a), 1e-12 * norm_all(H(a, false)) * norm_all(b));
        }
}

TEST(ElasticForce, IsSymmetricWithoutDampingOnly)
{
    Random random(4);
    const auto asymmetry = [&](double damping) {
        const Differential H = of_shaken_cube(ElasticModel::neo_hookean, damping, 0.1, random);
        const auto a = random.vectors(H.x.size()), b = random.vectors(H.x.size());
        return std::abs(dot_all(b, H(a, false)) - dot_all(a, H(b, false))) / (norm_all(b) * norm_all(H(a, false)));
    };
    EXPECT_LT(asymmetry(0), 1e-13);
    EXPECT_GT(asymmetry(0.05), 1e-4);
}

TEST(ElasticForce, BlocksAgreeWithTheProduct)
{
    Random random(5);
    for (const ElasticModel model : models) {
        const Differential H = of_shaken_cube(model, 0.05, 0.1, random);
        const std::vector<Vec3> dx = random.vectors(H.x.size());
        std::vector<Vec3> df(dx.size(), Vec3::Zero());
        for (std::size_t t = 0; t < H.set.tets.size(); ++t)
            for (int a = 0; a < 4; ++a) {
                std::array<Mat3, 4> row;
                elastic_force_blocks(H.e, static_cast<int>(t), a, row);
                for (int b = 0; b < 4; ++b)
                    df[H.set.tets[t][a]] += row[b] * dx[H.set.tets[t][b]];
            }
        EXPECT_NEAR_ALL(df, H(dx, false), 1e-13);
    }
}

TEST(ElasticForce, HasNoNetForceNorTorque)
{
    Random random(6);
    for (const ElasticModel model : models)
        for (const double damping : {0.0, 0.05}) {
            const Differential H = of_shaken_cube(model, damping, 0.1, random);
            const std::vector<Vec3> f = elastic_force(H.set, H.x, H.x_old);
            EXPECT_LT(sum_of(f).norm(), 1e-13 * norm_all(f) * 10);
            // the linear law knows no rotation: its torque vanishes about the rest state only
            if (model != ElasticModel::linear) {
                EXPECT_LT(torque_of(H.x, f).norm(), 1e-13 * norm_all(f) * size * 10);
            }
        }
}

TEST(ElasticForce, IsZeroForARigidlyMovedBodyUnlessLinear)
{
    Random random(7);
    for (const ElasticModel model : models) {
        const DeformableSet set = cube(model);
        const Mat3 R = model == ElasticModel::linear ? Mat3(Mat3::Identity()) : random.rotation();
        const std::vector<Vec3> x = moved(set.rest, R, random.vector());
        EXPECT_LT(norm_all(elastic_force(set, x, x)), 1e-13 * young * size * size * 100);
        EXPECT_NEAR(elastic_energy(set, x, set.bodies[0].tets), 0, 1e-12 * young * size * size * size);
    }
}

TEST(ElasticForce, GivesTheSameBitsForAnyNumberOfThreads)
{
    Random random(8);
    const DeformableSet set = cube(ElasticModel::neo_hookean, 0.05, 6); // more nodes and tets than one grain
    const std::vector<Vec3> x = shaken(set.rest, 0.02 * size, random), dx = random.vectors(x.size());
    std::vector<std::vector<Vec3>> forces, differentials;
    for (const std::size_t threads : {1, 2}) {
        const ThreadLimit limit(threads);
        forces.push_back(elastic_force(set, x, set.rest));
        differentials.push_back(Differential(set, x, set.rest)(dx, false));
    }
    EXPECT_TRUE(same_bits(forces[0], forces[1]));
    EXPECT_TRUE(same_bits(differentials[0], differentials[1]));
}

TEST(ElasticEnergy, OfAUniformStretchIsDensityTimesVolume)
{
    Random random(9);
    const Mat3 F = Mat3::Identity() + random.matrix(0.2);
    for (const ElasticModel model : models) {
        const DeformableSet set = cube(model);
        const std::vector<Vec3> x = moved(set.rest, F, Vec3(1, 2, 3));
        const double expected = energy_density(set.materials[0], F) * size * size * size;
        EXPECT_NEAR(elastic_energy(set, x, set.bodies[0].tets) / expected, 1, 1e-11);
        EXPECT_NEAR(smallest_volume_ratio(set, x, set.bodies[0].tets), F.determinant(), 1e-12);
    }
}

TEST(ViscousLoss, IsNeverNegativeAndMatchesTheWorkOfTheViscousForce)
{
    Random random(10);
    const DeformableSet damped = cube(ElasticModel::neo_hookean, 0.05), plain = cube(ElasticModel::neo_hookean);
    for (int trial = 0; trial < 20; ++trial) {
        const std::vector<Vec3> x = shaken(damped.rest, 0.1 * size, random), x_old = shaken(x, 0.1 * size, random);
        const double loss = viscous_loss(damped, x, x_old, dt);
        EXPECT_GT(loss, 0);
        const auto with = elastic_force(damped, x, x_old), without = elastic_force(plain, x, x_old);
        double work = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            work += (with[i] - without[i]).dot(x[i] - x_old[i]);
        EXPECT_NEAR(work, -loss, 1e-10 * loss);
    }
    EXPECT_EQ(viscous_loss(damped, damped.rest, damped.rest, dt), 0);
    EXPECT_EQ(viscous_loss(plain, plain.rest, shaken(plain.rest, 0.1, random), dt), 0);
}

TEST(GeometricLoss, OfATurnIsTwicePressureTimesVolumeTimesOneLessTheCosine)
{
    const double theta = 0.3;
    const Mat3 turn = Eigen::AngleAxisd(theta, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    for (const ElasticModel model : models) {
        const DeformableSet set = cube(model);
        for (const double stretch : {0.9, 1.0, 1.1}) {
            const Mat3 F = stretch * Mat3::Identity();
            const std::vector<Vec3> x_old = moved(set.rest, F, Vec3(1, 2, 3)),
                                    x = moved(set.rest, turn * F, Vec3::Zero());
            const double pressure = -first_piola(set.materials[0], F)(0, 0) / (stretch * stretch);
            const double volume = std::pow(size * stretch, 3);
            const double loss = geometric_loss(set, x, x_old);
            if (model == ElasticModel::linear) {
                EXPECT_EQ(loss, 0);
                continue;
            }
            EXPECT_NEAR(loss, -2 * pressure * volume * (1 - std::cos(theta)), 1e-13 * young * volume);
            const std::vector<Vec3> f = elastic_force(set, x, x_old);
            double work = 0; // and nothing else is lost: the energy is the same before and after
            for (std::size_t i = 0; i < x.size(); ++i)
                work += f[i].dot(x[i] - x_old[i]);
            EXPECT_NEAR(work, -loss, 1e-12 * young * volume);
        }
    }
}

TEST(SmallestVolumeRatio, IsNegativeWithAnInvertedElement)
{
    const DeformableSet set = cube(ElasticModel::neo_hookean, 0, 1);
    std::vector<Vec3> x = set.rest;
    EXPECT_NEAR(smallest_volume_ratio(set, x, set.bodies[0].tets), 1, 1e-12);
    x[0] = -3 * x[0];
    EXPECT_LT(smallest_volume_ratio(set, x, set.bodies[0].tets), 0);
}

} // namespace
} // namespace stickslip::elastic_test
