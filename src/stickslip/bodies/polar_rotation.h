#pragma once

#include "stickslip/math/matrix3.h"

namespace stickslip {

/// Rotation R nearest to F = W R, W = W^T, and how it turns with F: dR = w x R, w = M axl(dF R^T), where axl(A) is the
/// vector of A - A^T and M = (tr(W) I - W)^-1.
template <typename Real>
struct PolarRotation {
    Matrix3<Real> R, M;
};

/// From singular values, for every F. M is bounded by 1e6 where two of them cancel (a fold through a line): R jumps.
PolarRotation<double> polar_rotation_by_svd(const Matrix3<double>& F);

inline void replace_where(bool flat, const Matrix3<double>& F, PolarRotation<double>& polar)
{
    if (flat)
        polar = polar_rotation_by_svd(F);
}
void replace_where(const Mask<Lanes>& flat, const Matrix3<Lanes>& F, PolarRotation<Lanes>& polar);

/// Newton's iteration X <- (s X + X^-T / s) / 2, which converges quadratically to R where det F > 0, from the scaling
/// s = (|X^-1| / |X|)^1/2 (Higham 1986); by singular values near and beyond det F = 0.
template <typename Real>
PolarRotation<Real> polar_rotation(const Matrix3<Real>& F)
{
    constexpr double flattest = 1e-3; // det F / |F|^3: round-off in R grows as its inverse
    constexpr double least_size = 1e-4; // |F|^2 below which M may have to be bounded
    constexpr int most_iterations = 12, scaled = 2;
    constexpr double converged = 1e-16; // |dX|^2 / |R|^2: the next change would be its square
    const Real size = inner(F, F);
    const Mask<Real> is_round = (dot(F.x, cross(F.y, F.z)) > flattest * size * square_root(size)) & (size > least_size);
    const Mask<Real> flat = !is_round;
    PolarRotation<Real> polar;
    Matrix3<Real>& X = polar.R;
    X = choose<Real>(flat, identity<Real>(), F);
    Mask<Real> done = flat;
    for (int i = 0; i < most_iterations && any(!done); ++i) {
        const Matrix3<Real> C = cofactor(X);
        const Real J = dot(X.x, C.x);
        const Real s = i < scaled ? square_root(square_root(inner(C, C) / inner(X, X)) / J) : Real{} + 1.0;
        const Matrix3<Real> next = (0.5 * s) * X + (0.5 / (s * J)) * C, change = next - X;
        X = choose<Real>(done, X, next);
        done = done | !(inner(change, change) > 3 * converged);
    }
    const Matrix3<Real> W = symmetric_part(F * transposed(polar.R)), B = diagonal(trace(W)) - W;
    const Matrix3<Real> C = cofactor(B);
    polar.M = (1.0 / dot(B.x, C.x)) * C;
    if (any(flat))
        replace_where(flat, F, polar);
    return polar;
}

} // namespace stickslip
