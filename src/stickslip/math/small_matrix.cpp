#include "stickslip/math/small_matrix.h"

#include "stickslip/math/rotation.h"

namespace stickslip {

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
