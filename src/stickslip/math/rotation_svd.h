#pragma once

#include "stickslip/math/matrix3.h"
#include "stickslip/math/small_matrix.h"

#include <array>
#include <limits>
#include <utility>

namespace stickslip {

/// rotation_svd of four matrices side by side, with the same bits.
void rotation_svds(const std::array<const Mat3*, lanes>& F, const std::array<RotationSvd*, lanes>& svds);

/// RotationSvd of numbers or of lanes of them; matrices by their columns.
template <typename Real>
struct RotationSvdOf {
    std::array<Triple<Real>, 3> U, V;
    std::array<Real, 3> sigma;
};

/// Turns columns p and q of B = F V until they are orthogonal to round-off; whether some were not.
template <typename Real>
bool make_orthogonal(std::array<Triple<Real>, 3>& B, std::array<Triple<Real>, 3>& V, int p, int q)
{
    constexpr double round_off = 2 * std::numeric_limits<double>::epsilon();
    const Real pp = dot(B[p], B[p]), qq = dot(B[q], B[q]), pq = dot(B[p], B[q]);
    const Mask<Real> turned = pq * pq > round_off * round_off * pp * qq;
    if (!any(turned))
        return false;
    const Real none{}, difference = qq - pp, twice = 2.0 * pq;
    const Real root = square_root(difference * difference + twice * twice);
    const Real tangent = twice / (difference < none ? difference - root : difference + root);
    const Real t = turned ? tangent : none, c = 1.0 / square_root(1.0 + t * t), s = t * c;
    for (auto* A : {&B, &V}) {
        const Triple<Real> old = (*A)[p];
        (*A)[p] = c * old - s * (*A)[q];
        (*A)[q] = s * old + c * (*A)[q];
    }
    return true;
}

/// By Jacobi's rotations of the columns of F (Hestenes): close to a rotation, as strains are, a few sweeps.
template <typename Real>
RotationSvdOf<Real> rotation_svd_of(const Matrix3<Real>& F)
{
    constexpr int most_sweeps = 30;
    const Matrix3<Real> I = identity<Real>();
    const Real none{};
    std::array<Triple<Real>, 3> B{F.x, F.y, F.z}, V{I.x, I.y, I.z}, U;
    bool turned = true;
    for (int sweep = 0; sweep < most_sweeps && turned; ++sweep) {
        turned = make_orthogonal(B, V, 0, 1);
        turned |= make_orthogonal(B, V, 0, 2);
        turned |= make_orthogonal(B, V, 1, 2);
    }
    for (const auto& [p, q] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)}) {
        const Mask<Real> swapped = dot(B[p], B[p]) < dot(B[q], B[q]);
        for (auto* A : {&B, &V}) {
            const Triple<Real> old = (*A)[p];
            (*A)[p] = choose<Real>(swapped, (*A)[q], old);
            (*A)[q] = choose<Real>(swapped, -1.0 * old, (*A)[q]);
        }
    }
    std::array<Real, 3> sigma;
    for (int i = 0; i < 3; ++i)
        sigma[i] = square_root(dot(B[i], B[i]));
    // columns of length 0: any that are orthogonal
    U[0] = choose<Real>(sigma[0] > none, 1.0 / sigma[0] * B[0], I.x);
    const Mask<Real> steep = U[0].x * U[0].x < none + 0.5;
    const Triple<Real> across = cross(U[0], choose<Real>(steep, I.x, I.y));
    U[1] = choose<Real>(sigma[1] > none, 1.0 / sigma[1] * B[1], 1.0 / square_root(dot(across, across)) * across);
    U[2] = cross(U[0], U[1]);
    sigma[2] = dot(U[2], B[2]) < none ? -sigma[2] : sigma[2];
    return {U, V, sigma};
}

} // namespace stickslip
