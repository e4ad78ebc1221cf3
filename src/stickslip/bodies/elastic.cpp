#include "stickslip/bodies/elastic.h"

#include "stickslip/math/parallel.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>

namespace stickslip {

namespace {

// F = sum over corners of x_a g_a^T: the rows of the rest inverse are g_1, g_2, g_3, and g_0 = -(g_1 + g_2 + g_3).
using Gradients = Eigen::Matrix<double, 3, 4>;

Gradients shape_gradients(const DeformableSet& set, int t)
{
    Gradients g;
    g.rightCols<3>() = set.rest_inverse[t].transpose();
    g.col(0) = -g.rightCols<3>().rowwise().sum();
    return g;
}

const ElasticMaterial& material(const DeformableSet& set, std::size_t t)
{
    return set.materials[set.material_of_tet[t]];
}

// f_a -= stress g_a, gathered node by node so that the order of the sum never changes.
void gather(const DeformableSet& set, const std::vector<Mat3>& stress, std::span<Vec3> f)
{
    parallel_for(f.size(), [&](std::size_t node) {
        Vec3 sum = Vec3::Zero();
        for (int k = set.tet_corners_begin[node]; k < set.tet_corners_begin[node + 1]; ++k) {
            const int t = set.tet_corners[k] / 4, corner = set.tet_corners[k] % 4;
            sum -= stress[t] * shape_gradients(set, t).col(corner);
        }
        f[node] += sum;
    });
}

} // namespace

Mat3 deformation_gradient(const DeformableSet& set, int t, std::span<const Vec3> x)
{
    const Tetrahedron& tet = set.tets[t];
    Mat3 edges;
    for (int c = 0; c < 3; ++c)
        edges.col(c) = x[tet[c + 1]] - x[tet[0]];
    return edges * set.rest_inverse[t];
}

void evaluate_stress(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    e.F.resize(set.tets.size());
    e.nominal.resize(set.tets.size());
    parallel_for(set.tets.size(), [&](std::size_t t) {
        const ElasticMaterial& m = material(set, t);
        e.F[t] = deformation_gradient(set, static_cast<int>(t), x);
        Mat3 P = first_piola(m, e.F[t]);
        if (m.damping > 0)
            P += viscous_piola(m, e.F[t], deformation_gradient(set, static_cast<int>(t), x_old), dt);
        e.nominal[t] = set.volume[t] * P;
    });
}

void evaluate_stress_derivative(const DeformableSet& set, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    e.derivative.resize(set.tets.size());
    parallel_for(set.tets.size(), [&](std::size_t t) {
        const ElasticMaterial& m = material(set, t);
        Mat9 D = first_piola_derivative(m, e.F[t]);
        if (m.damping > 0)
            D += viscous_piola_derivative(m, e.F[t], deformation_gradient(set, static_cast<int>(t), x_old), dt);
        e.derivative[t] = set.volume[t] * D;
    });
}

void make_convex(ElasticEvaluation& e)
{
    parallel_for(e.derivative.size(), [&](std::size_t t) {
        Mat9& D = e.derivative[t];
        D = 0.5 * (D + D.transpose()).eval();
        if (Eigen::LLT<Mat9>(D).info() == Eigen::Success)
            return;
        const Eigen::SelfAdjointEigenSolver<Mat9> eigen(D);
        D = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
    });
}

void add_elastic_force(const DeformableSet& set, const ElasticEvaluation& e, std::span<Vec3> f)
{
    gather(set, e.nominal, f);
}

void add_elastic_force_differential(
    const DeformableSet& set, const ElasticEvaluation& e, std::span<const Vec3> dx, std::span<Vec3> df, bool transposed)
{
    std::vector<Mat3> dP(set.tets.size());
    parallel_for(set.tets.size(), [&](std::size_t t) {
        const Vec9 dF = vec(deformation_gradient(set, static_cast<int>(t), dx));
        const Mat9& D = e.derivative[t];
        dP[t] = transposed ? unvec(D.transpose() * dF) : unvec(D * dF);
    });
    gather(set, dP, df);
}

void elastic_force_blocks(
    const DeformableSet& set, const ElasticEvaluation& e, int t, int corner, std::array<Mat3, 4>& row)
{
    const Gradients g = shape_gradients(set, t);
    const Mat9& D = e.derivative[t];
    // stress g_a as a function of vec(dF): sum over columns c of g_a(c) times the rows of column c
    Eigen::Matrix<double, 3, 9> left = g(0, corner) * D.topRows<3>();
    left += g(1, corner) * D.middleRows<3>(3);
    left += g(2, corner) * D.bottomRows<3>();
    for (int b = 0; b < 4; ++b)
        row[b] = -(g(0, b) * left.leftCols<3>() + g(1, b) * left.middleCols<3>(3) + g(2, b) * left.rightCols<3>());
}

double elastic_energy(const DeformableSet& set, std::span<const Vec3> x, Range range)
{
    return ordered_sum(range.size(), 0.0, [&](std::size_t i) {
        const int t = range.begin + static_cast<int>(i);
        return set.volume[t] * energy_density(material(set, t), deformation_gradient(set, t, x));
    });
}

double geometric_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old)
{
    return ordered_sum(set.tets.size(), 0.0, [&](std::size_t t) {
        const ElasticMaterial& m = material(set, t);
        const Mat3 F = deformation_gradient(set, static_cast<int>(t), x);
        if (m.model == ElasticModel::linear || F.determinant() <= 0)
            return 0.0;
        const Mat3 dF = F - deformation_gradient(set, static_cast<int>(t), x_old);
        const Mat3 S = F.partialPivLu().solve(first_piola(m, F));
        return 0.5 * set.volume[t] * S.cwiseProduct(dF.transpose() * dF).sum();
    });
}

double viscous_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt)
{
    return ordered_sum(set.tets.size(), 0.0, [&](std::size_t t) {
        const ElasticMaterial& m = material(set, t);
        if (m.damping == 0)
            return 0.0;
        const Mat3 F = deformation_gradient(set, static_cast<int>(t), x);
        const Mat3 F_old = deformation_gradient(set, static_cast<int>(t), x_old);
        return set.volume[t] * viscous_piola(m, F, F_old, dt).cwiseProduct(F - F_old).sum();
    });
}

double smallest_volume_ratio(const DeformableSet& set, std::span<const Vec3> x, Range range)
{
    double smallest = infinity;
    for (int t = range.begin; t < range.end; ++t)
        smallest = std::min(smallest, deformation_gradient(set, t, x).determinant());
    return smallest;
}

} // namespace stickslip
