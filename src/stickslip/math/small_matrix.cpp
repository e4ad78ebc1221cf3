#include "stickslip/math/small_matrix.h"

#include "stickslip/math/rotation.h"

#include <cmath>
#include <utility>

namespace stickslip {

namespace {

// Turns columns p and q of B = F V until they are orthogonal to round-off; whether they were not.
bool make_orthogonal(Mat3& B, Mat3& V, int p, int q)
{
    constexpr double round_off = 2 * std::numeric_limits<double>::epsilon();
    const double pp = B.col(p).squaredNorm(), qq = B.col(q).squaredNorm(), pq = B.col(p).dot(B.col(q));
    if (!(pq * pq > round_off * round_off * pp * qq))
        return false;
    const double difference = qq - pp, twice = 2 * pq;
    const double t =
        twice / (difference + std::copysign(std::sqrt(difference * difference + twice * twice), difference));
    const double c = 1 / std::sqrt(1 + t * t), s = t * c;
    for (Mat3* A : {&B, &V}) {
        const Vec3 old = A->col(p);
        A->col(p) = c * old - s * A->col(q);
        A->col(q) = s * old + c * A->col(q);
    }
    return true;
}

void swap_to_rotation(Mat3& A, int p, int q)
{
    A.col(p).swap(A.col(q));
    A.col(q) *= -1;
}

Vec3 unit_or(const Vec3& a, double length, const Vec3& instead)
{
    return length > 0 ? Vec3(a / length) : instead;
}

} // namespace

// Jacobi's rotations of the columns of F (Hestenes): close to a rotation, as strains are, two or three sweeps.
RotationSvd rotation_svd(const Mat3& F)
{
    constexpr int most_sweeps = 30;
    Mat3 B = F, V = Mat3::Identity();
    bool turned = true;
    for (int sweep = 0; sweep < most_sweeps && turned; ++sweep) {
        turned = make_orthogonal(B, V, 0, 1);
        turned |= make_orthogonal(B, V, 0, 2);
        turned |= make_orthogonal(B, V, 1, 2);
    }
    for (const auto& [p, q] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)})
        if (B.col(p).squaredNorm() < B.col(q).squaredNorm())
            for (Mat3* A : {&B, &V})
                swap_to_rotation(*A, p, q);
    Vec3 sigma = B.colwise().norm();
    Mat3 U;
    U.col(0) = unit_or(B.col(0), sigma[0], Vec3::UnitX());
    U.col(1) = unit_or(B.col(1), sigma[1], U.col(0).unitOrthogonal());
    U.col(2) = U.col(0).cross(U.col(1));
    sigma[2] = std::copysign(sigma[2], U.col(2).dot(B.col(2)));
    return {U, V, sigma};
}

Mat3 cofactor(const Mat3& F)
{
    Mat3 C;
    C << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
    return C;
}

Mat9 cofactor_derivative(const Mat3& F)
{
    const Mat3 a = skew(F.col(0)), b = skew(F.col(1)), c = skew(F.col(2));
    Mat9 D = Mat9::Zero();
    D.block<3, 3>(0, 3) = -c;
    D.block<3, 3>(0, 6) = b;
    D.block<3, 3>(3, 0) = c;
    D.block<3, 3>(3, 6) = -a;
    D.block<3, 3>(6, 0) = -b;
    D.block<3, 3>(6, 3) = a;
    return D;
}

} // namespace stickslip
