#include "stickslip/contact/surfaces/shared_contact.h"

#include "stickslip/math/smooth_step.h"

#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

const double steepest_cosine = std::cos(15 * std::numbers::pi / 180); // steeper folds make contacts of their own
constexpr double one_plane = 1e-24; // [-] of 1 - c: normals the same to round-off

// f and its derivative by e = 1 - c.
SmoothStep width(double e)
{
    const double steepest = 1 - steepest_cosine;
    const SmoothStep s = smooth_step(e / steepest);
    return {1 - s.value, -s.slope / steepest};
}

} // namespace

const double sharing_reach = 1 / steepest_cosine;

double handed_on(double cosine)
{
    return width(1 - cosine).value;
}

SharedContact share_beside(double d, const Vec3& n, double d_other, const Vec3& n_other)
{
    SharedContact result;
    const Vec3 m = n - n_other;
    const double e = 0.5 * m.squaredNorm(); // 1 - c without its round-off
    const SmoothStep f = width(e);
    if (f.value == 0)
        return result;
    if (e < one_plane) {
        result.share = d <= d_other ? 1 : 0;
        return result;
    }
    const double sum = d + d_other, r = (d_other - d + e * d) / (e * sum), x = r / f.value;
    const SmoothStep s = smooth_step(x);
    result.share = s.value;
    if (s.slope == 0)
        return result;
    const double by_r = s.slope / f.value;
    const double r_by_e = -(d_other - d) / (e * e * sum);
    const double by_e = by_r * (r_by_e - x * f.slope);
    result.by_d = by_r * ((e - 1) / (e * sum) - r / sum);
    result.by_d_other = by_r * (1 / (e * sum) - r / sum);
    result.by_n = by_e * m;
    result.by_n_other = -by_e * m;
    return result;
}

} // namespace stickslip
