#include "stickslip/bodies/elastic.h"

#include "stickslip/bodies/element_batch.h"
#include "stickslip/math/parallel.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>

namespace stickslip {

namespace {

constexpr std::size_t batches_at_once = 16;

// Force on corner c: -volume P g_c.
STICKSLIP_WIDE void set_corner_forces(const DeformableSet& set, std::span<const Range> batches, std::span<const Vec3> x,
    std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    for (const Range& tets : batches) {
        const ElementBatch batch(set, tets);
        const Matrix3<Lanes> F = batch.deformation_gradient(x);
        Matrix3<Lanes> P = with_elastic_law(batch, F, [](const auto& law) { return law.stress(); });
        with_viscous_law(batch, F, x_old, dt, [&](const auto& law) { P += law.stress(); });
        const Three<Lanes> f = times((-batch.volume) * P, batch.g);
        const Triple<Lanes> f0 = -1.0 * (f[0] + f[1] + f[2]);
        for (int l = 0; l < tets.size(); ++l) {
            Vec3* const corner = &e.corner_force[4 * (tets.begin + l)];
            corner[0] = lane(f0, l);
            for (int c = 0; c < 3; ++c)
                corner[c + 1] = lane(f[c], l);
        }
    }
}

using Stiffness = std::array<std::array<Matrix3<Lanes>, 3>, 3>;

// Stresses of the elastic models have a symmetric derivative.
template <typename Law>
void set_stiffness(Law law, const Three<Lanes>& g, Stiffness& D)
{
    law.set_vectors(g);
    for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b) {
            D[a][b] = law.derivative(a, b);
            if (a != b)
                D[b][a] = transposed(D[a][b]);
        }
}

template <typename Law>
void add_stiffness(Law law, const Three<Lanes>& g, Stiffness& D)
{
    law.set_vectors(g);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            D[a][b] += law.derivative(a, b);
}

// Block (a, b): -volume D_ab.
STICKSLIP_WIDE void set_derivatives(const DeformableSet& set, std::span<const Range> batches, std::span<const Vec3> x,
    std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    for (const Range& tets : batches) {
        const ElementBatch batch(set, tets);
        const Matrix3<Lanes> F = batch.deformation_gradient(x);
        Stiffness D;
        with_elastic_law(batch, F, [&](const auto& law) { set_stiffness(law, batch.g, D); });
        with_viscous_law(batch, F, x_old, dt, [&](const auto& law) { add_stiffness(law, batch.g, D); });
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                const Matrix3<Lanes> K = (-batch.volume) * D[a][b];
                for (int l = 0; l < tets.size(); ++l)
                    e.derivative[tets.begin + l].block<3, 3>(3 * a, 3 * b) = lane(K, l);
            }
    }
}

template <typename Body>
void for_batches(const DeformableSet& set, const Body& body)
{
    const std::span<const Range> all = set.tet_batches;
    parallel_for((all.size() + batches_at_once - 1) / batches_at_once,
        [&](std::size_t i) {
            const std::size_t begin = i * batches_at_once;
            body(all.subspan(begin, std::min(batches_at_once, all.size() - begin)));
        },
        1);
}

// Node by node, so that the order of the sum never changes.
void gather(const DeformableSet& set, std::span<const Vec3> corner_force, std::span<Vec3> f)
{
    parallel_for(f.size(), [&](std::size_t node) {
        Vec3 sum = Vec3::Zero();
        for (int k = set.tet_corners_begin[node]; k < set.tet_corners_begin[node + 1]; ++k)
            sum += corner_force[set.tet_corners[k]];
        f[node] += sum;
    });
}

// A (x) I: entries A(a, c) I.
Mat9 kronecker(const Mat3& A)
{
    Mat9 product = Mat9::Zero();
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
            product.block<3, 3>(3 * a, 3 * c).diagonal().setConstant(A(a, c));
    return product;
}

// The least pivot of L D L^T of the symmetric parts of four -K: positive where that is positive definite.
STICKSLIP_WIDE void find_least_pivots(const std::array<const Mat9*, lanes>& K, std::array<double, lanes>& of_each)
{
    std::array<std::array<Lanes, 9>, 9> A;
    for (int j = 0; j < 9; ++j)
        for (int i = j; i < 9; ++i)
            for (int l = 0; l < lanes; ++l)
                A[i][j][l] = -0.5 * ((*K[l])(i, j) + (*K[l])(j, i));
    Lanes least = A[0][0];
    for (int j = 0; j < 9; ++j) {
        least = smaller(least, A[j][j]);
        const Lanes inverse = 1.0 / A[j][j];
        for (int k = j + 1; k < 9; ++k) {
            const Lanes l_kj = A[k][j] * inverse;
            for (int i = k; i < 9; ++i)
                A[i][k] -= A[i][j] * l_kj;
        }
    }
    store(least, of_each.data());
}

// The nearest positive semidefinite matrix to d vec(P) / d vec(F), between the same gradients: a neighbour that does
// not depend on which corner is the first.
Mat9 nearest_convex(const DeformableSet& set, std::size_t t, const Mat9& K)
{
    const Mat3& gradients = set.rest_inverse[t];
    const Mat9 to_corners = kronecker(gradients), from_corners = kronecker(gradients.inverse());
    const Mat9 symmetric = 0.5 * (K + K.transpose());
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(
        from_corners.lazyProduct(symmetric).lazyProduct(from_corners.transpose()));
    const Mat9 D =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMin(0).asDiagonal() * eigen.eigenvectors().transpose();
    return to_corners * D * to_corners.transpose();
}

} // namespace

void evaluate_stress(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    e.corner_force.resize(4 * set.tets.size());
    for_batches(set, [&](std::span<const Range> batches) { set_corner_forces(set, batches, x, x_old, dt, e); });
}

void evaluate_stress_derivative(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    e.derivative.resize(set.tets.size());
    for_batches(set, [&](std::span<const Range> batches) { set_derivatives(set, batches, x, x_old, dt, e); });
}

void make_convex(const DeformableSet& set, ElasticEvaluation& e)
{
    parallel_for(
        set.tet_batches.size(),
        [&](std::size_t i) {
            const Range& tets = set.tet_batches[i];
            std::array<const Mat9*, lanes> K;
            for (int l = 0; l < lanes; ++l)
                K[l] = &e.derivative[std::min(tets.begin + l, tets.end - 1)];
            std::array<double, lanes> least;
            find_least_pivots(K, least);
            for (int l = 0; l < tets.size(); ++l) {
                Mat9& own = e.derivative[tets.begin + l];
                own = least[l] > 0 ? Mat9(0.5 * (own + own.transpose())) : nearest_convex(set, tets.begin + l, own);
            }
        },
        batches_at_once);
}

void add_elastic_force(const DeformableSet& set, const ElasticEvaluation& e, std::span<Vec3> f)
{
    gather(set, e.corner_force, f);
}

void add_elastic_force_differential(
    const DeformableSet& set, const ElasticEvaluation& e, std::span<const Vec3> dx, std::span<Vec3> df, bool transposed)
{
    std::vector<Vec3> corner_force(4 * set.tets.size());
    parallel_for(set.tets.size(), [&](std::size_t t) {
        const Tetrahedron& tet = set.tets[t];
        Vec9 edges, forces;
        for (int c = 0; c < 3; ++c)
            edges.segment<3>(3 * c) = dx[tet[c + 1]] - dx[tet[0]];
        const Mat9& K = e.derivative[t];
        if (transposed)
            forces = K.transpose().lazyProduct(edges);
        else
            forces = K.lazyProduct(edges);
        Vec3* const corner = &corner_force[4 * t];
        for (int c = 0; c < 3; ++c)
            corner[c + 1] = forces.segment<3>(3 * c);
        corner[0] = -(corner[1] + corner[2] + corner[3]);
    });
    gather(set, corner_force, df);
}

void elastic_force_blocks(const ElasticEvaluation& e, int t, int corner, std::array<Mat3, 4>& row)
{
    const Mat9& K = e.derivative[t];
    if (corner == 0)
        for (int b = 0; b < 3; ++b)
            row[b + 1] = -(K.block<3, 3>(0, 3 * b) + K.block<3, 3>(3, 3 * b) + K.block<3, 3>(6, 3 * b));
    else
        for (int b = 0; b < 3; ++b)
            row[b + 1] = K.block<3, 3>(3 * (corner - 1), 3 * b);
    row[0] = -(row[1] + row[2] + row[3]);
}

} // namespace stickslip
