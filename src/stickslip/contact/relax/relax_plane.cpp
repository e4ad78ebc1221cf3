#include "stickslip/contact/relax/relax_plane.h"

namespace stickslip {

PlaneRelaxation relax_plane(const Vec3& Z, const Vec3& X, const Vec3& W, const Vec3& n, double mu)
{
    const double a = (Z - W).norm();
    const double b = (X - W).norm();
    const double q = mu * a;
    if (mu > 0 && !(b > q)) // also when mu is infinite and a = 0, where q is not a number
        return {.K = X, .dK_dZ = Mat3::Zero(), .dK_dX = Mat3::Identity(), .dK_dW = Mat3::Zero(), .sticks = true};
    const Vec3 u = a > 0 ? Vec3((Z - W) / a) : Vec3(-n); // touching exactly: a grows as Z goes inward
    const Vec3 v = b > 0 ? Vec3((X - W) / b) : Vec3::Zero(); // b = 0 only without friction: K = W
    const Mat3 dX = b > 0 ? Mat3((q / b) * (Mat3::Identity() - v * v.transpose())) : Mat3::Zero();
    const Mat3 dZ = mu * v * u.transpose();
    return {.K = W + q * v, .dK_dZ = dZ, .dK_dX = dX, .dK_dW = Mat3::Identity() - dX - dZ, .sticks = false};
}

} // namespace stickslip
