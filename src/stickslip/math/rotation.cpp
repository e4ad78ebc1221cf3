#include "stickslip/math/rotation.h"

#include <cmath>

namespace stickslip {

namespace {

// (1 - cos t)/t^2 without cancellation.
double one_minus_cosine_over_square(double t)
{
    if (t < 1e-4)
        return 0.5 - t * t / 24;
    const double s = std::sin(0.5 * t) / t;
    return 2 * s * s;
}

// (t - sin t)/t^3. Below 0.05 the difference loses digits; five terms of the series are exact there.
double t_minus_sine_over_cube(double t)
{
    const double t2 = t * t;
    if (t < 0.05)
        return 1.0 / 6 - t2 / 120 * (1 - t2 / 42 * (1 - t2 / 72));
    return (t - std::sin(t)) / (t2 * t);
}

} // namespace

Mat3 skew(const Vec3& a)
{
    Mat3 S;
    S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return S;
}

Mat3 rotation_exp(const Vec3& theta)
{
    const double t = theta.norm();
    const double sinc = t < 1e-8 ? 1 - t * t / 6 : std::sin(t) / t;
    const Mat3 K = skew(theta);
    return Mat3::Identity() + sinc * K + one_minus_cosine_over_square(t) * K * K;
}

Vec3 rotation_vector(const Mat3& R)
{
    const Eigen::AngleAxisd rotation(R);
    return rotation.angle() * rotation.axis();
}

Mat3 left_jacobian(const Vec3& theta)
{
    const double t = theta.norm();
    const Mat3 K = skew(theta);
    return Mat3::Identity() + one_minus_cosine_over_square(t) * K + t_minus_sine_over_cube(t) * K * K;
}

} // namespace stickslip
