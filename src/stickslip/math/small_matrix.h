#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

using Mat9 = Eigen::Matrix<double, 9, 9>;
using Vec9 = Eigen::Matrix<double, 9, 1>;

/// Columns of A one below the other: how 3x3 matrices index the rows and columns of a Mat9.
inline Vec9 vec(const Mat3& A)
{
    return Eigen::Map<const Vec9>(A.data());
}
inline Mat3 unvec(const Vec9& a)
{
    return Eigen::Map<const Mat3>(a.data());
}

/// F = U diag(sigma) V^T with rotations U, V; sigma falls in magnitude and only the last may be negative (det F < 0).
struct RotationSvd {
    Mat3 U, V;
    Vec3 sigma;
};
RotationSvd rotation_svd(const Mat3& F);

/// Cofactor matrix: F cof(F)^T = det(F) I. Defined for every F; equals d det / dF.
Mat3 cofactor(const Mat3& F);

/// d vec(cof F) / d vec(F). Symmetric, linear in F.
Mat9 cofactor_derivative(const Mat3& F);

} // namespace stickslip
