#pragma once

#include "stickslip/bodies/elastic_laws.h"
#include "stickslip/math/symmetric_eigen.h"

namespace stickslip {

/// The nearest positive semidefinite matrix to the derivative of an isotropic law. With F = U diag(sigma) V^T and dF =
/// U X V^T, dP = U Y V^T, the stretches X_ii are coupled among themselves by a 3x3 block A, and each pair X_ij, X_ji by
/// a 2x2 block (p_ij, q; q, p_ji), nothing else: what is negative in these is taken out. Source: Teran, Sifakis,
/// Irving, Fedkiw, Robust Quasistatic Finite Elements and Flesh Simulation (2005)
template <typename Real>
class ConvexLaw {
public:
    /// law: at F, of an isotropic material.
    template <typename Law>
    ConvexLaw(Law law, const Matrix3<Real>& F)
    {
        const Matrix3<Real> R = polar_rotation(F).R;
        V_ = symmetric_eigen(symmetric_part(transposed(R) * F)).V;
        U_ = times(R, V_);
        law.set_vectors(V_);
        project_stretches(law);
        for (int i = 0; i < 3; ++i)
            project_pair(law, i, (i + 1) % 3);
    }

    void set_vectors(const Three<Real>& g)
    {
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < 3; ++i)
                g_[a][i] = dot(V_[i], g[a]);
    }

    // In the axes U: A_ij g_ai g_bj + q_ij g_aj g_bi off the diagonal, A_ii g_ai g_bi + sum_j p_ij g_aj g_bj on it.
    Matrix3<Real> derivative(int a, int b) const
    {
        std::array<Triple<Real>, 3> row; // of U K^T
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            const Real own =
                A_[i][i] * g_[a][i] * g_[b][i] + p_[i][j] * g_[a][j] * g_[b][j] + p_[i][k] * g_[a][k] * g_[b][k];
            const Real to_j = A_[i][j] * g_[a][i] * g_[b][j] + q_[i][j] * g_[a][j] * g_[b][i];
            const Real to_k = A_[i][k] * g_[a][i] * g_[b][k] + q_[i][k] * g_[a][k] * g_[b][i];
            row[i] = own * U_[i] + to_j * U_[j] + to_k * U_[k];
        }
        return outer(U_[0], row[0]) + outer(U_[1], row[1]) + outer(U_[2], row[2]);
    }

private:
    using Three3 = std::array<std::array<Real, 3>, 3>;

    template <typename Law>
    void project_stretches(const Law& law)
    {
        Three3 A;
        for (int i = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j)
                A[i][j] = A[j][i] = dot(U_[i], law.derivative(i, j) * U_[j]);
        const SymmetricEigen<Real> eigen = symmetric_eigen(
            Matrix3<Real>{{A[0][0], A[1][0], A[2][0]}, {A[0][1], A[1][1], A[2][1]}, {A[0][2], A[1][2], A[2][2]}});
        Matrix3<Real> kept = diagonal(Real{});
        for (int k = 0; k < 3; ++k)
            kept += larger(eigen.values[k], Real{}) * outer(eigen.V[k], eigen.V[k]);
        A_ = {{{kept.x.x, kept.y.x, kept.z.x}, {kept.x.y, kept.y.y, kept.z.y}, {kept.x.z, kept.y.z, kept.z.z}}};
    }

    // Of a symmetric 2x2 block with eigenvalues mean +- root: both shifted to be at least 0.
    template <typename Law>
    void project_pair(const Law& law, int i, int j)
    {
        constexpr double least = 1e-300; // against 0/0
        const Real p = dot(U_[i], law.derivative(j, j) * U_[i]), p_back = dot(U_[j], law.derivative(i, i) * U_[j]);
        const Real q = dot(U_[i], law.derivative(j, i) * U_[j]);
        const Real mean = 0.5 * (p + p_back), half = 0.5 * (p - p_back);
        const Real root = square_root(half * half + q * q), low = larger(mean - root, Real{}),
                   high = larger(mean + root, Real{});
        const Real middle = 0.5 * (high + low), share = 0.5 * (high - low) / (root + least);
        p_[i][j] = middle + share * half;
        p_[j][i] = middle - share * half;
        q_[i][j] = q_[j][i] = share * q;
    }

    Three<Real> U_, V_; // columns
    Three3 A_, p_, q_;
    Three3 g_; // in the axes V
};

} // namespace stickslip
