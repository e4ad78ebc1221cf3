#pragma once

#include "stickslip/math/matrix3.h"

#include <array>

namespace stickslip {

/// S = V diag(values) V^T with a rotation V, in no order.
template <typename Real>
struct SymmetricEigen {
    std::array<Triple<Real>, 3> V; // columns
    std::array<Real, 3> values;
};

/// By Jacobi's rotations, a fixed number of sweeps: the error left is that of round-off, whatever the values.
template <typename Real>
SymmetricEigen<Real> symmetric_eigen(const Matrix3<Real>& S)
{
    constexpr int sweeps = 6; // convergence is cubic once it sets in; off the diagonal at most 1e-15 |S| is left
    constexpr double least = 1e-300; // against 0/0
    const Matrix3<Real> I = identity<Real>();
    SymmetricEigen<Real> eigen{{I.x, I.y, I.z}, {}};
    std::array<std::array<Real, 3>, 3> A = {{{S.x.x, S.y.x, S.z.x}, {S.y.x, S.y.y, S.z.y}, {S.z.x, S.z.y, S.z.z}}};
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int r = 0; r < 3; ++r) { // the axis that stays
            const int p = (r + 1) % 3, q = (r + 2) % 3;
            const Real difference = A[q][q] - A[p][p], twice = A[p][q] + A[p][q];
            const Real root = square_root(difference * difference + twice * twice) + least;
            const Real t = difference < Real{} ? twice / (difference - root) : twice / (difference + root);
            const Real c = 1.0 / square_root(1.0 + t * t), s = t * c;
            A[p][p] = A[p][p] - 0.5 * (t * twice);
            A[q][q] = A[q][q] + 0.5 * (t * twice);
            A[p][q] = A[q][p] = Real{};
            const Real rp = c * A[r][p] - s * A[r][q], rq = s * A[r][p] + c * A[r][q];
            A[r][p] = A[p][r] = rp;
            A[r][q] = A[q][r] = rq;
            const Triple<Real> vp = c * eigen.V[p] - s * eigen.V[q];
            eigen.V[q] = s * eigen.V[p] + c * eigen.V[q];
            eigen.V[p] = vp;
        }
    eigen.values = {A[0][0], A[1][1], A[2][2]};
    return eigen;
}

} // namespace stickslip
