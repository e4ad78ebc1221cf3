#include "stickslip/bodies/polar_rotation.h"

#include "stickslip/math/small_matrix.h"

#include <algorithm>

namespace stickslip {

PolarRotation<double> polar_rotation_by_svd(const Matrix3<double>& F)
{
    constexpr double least = 1e-6; // of the sum of two singular values
    const RotationSvd svd = rotation_svd(mat3(F));
    Mat3 M = Mat3::Zero();
    for (int k = 0; k < 3; ++k) {
        const double sum = svd.sigma((k + 1) % 3) + svd.sigma((k + 2) % 3);
        M += 1 / std::max(sum, least) * svd.U.col(k) * svd.U.col(k).transpose();
    }
    return {matrix3(svd.U * svd.V.transpose()), matrix3(M)};
}

namespace {

void set_lane(Triple<Lanes>& a, int l, const Triple<double>& b)
{
    a.x[l] = b.x;
    a.y[l] = b.y;
    a.z[l] = b.z;
}

void set_lane(Matrix3<Lanes>& a, int l, const Matrix3<double>& b)
{
    set_lane(a.x, l, b.x);
    set_lane(a.y, l, b.y);
    set_lane(a.z, l, b.z);
}

} // namespace

void replace_where(const Mask<Lanes>& flat, const Matrix3<Lanes>& F, PolarRotation<Lanes>& polar)
{
    for (int l = 0; l < lanes; ++l)
        if (flat[l]) {
            const PolarRotation<double> exact = polar_rotation_by_svd(matrix3(lane(F, l)));
            set_lane(polar.R, l, exact.R);
            set_lane(polar.M, l, exact.M);
        }
}

} // namespace stickslip
