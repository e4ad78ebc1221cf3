#include "stickslip/geometry/grid_level_set.h"

#include "stickslip/geometry/level_set.h"
#include "stickslip/math/check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {

namespace {

// Cubic B-spline: the four nodes first..first+3 reach a point; weights of value, first and second derivative by the
// point [1, 1/m, 1/m^2].
struct Reach {
    int first;
    std::array<double, 4> w, dw, ddw;
};

Reach reach(double x, double origin, double spacing, int count)
{
    const double u = (x - origin) / spacing;
    const int cell = std::clamp(static_cast<int>(u), 1, count - 3);
    const double t = u - cell;
    const double s = 1 - t;
    const double d1 = 1 / spacing;
    const double d2 = d1 * d1;
    return {.first = cell - 1,
        .w = {s * s * s / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * s * s * s - 6 * s * s + 4) / 6, t * t * t / 6},
        .dw = {-d1 * s * s / 2, d1 * (1.5 * t * t - 2 * t), d1 * (2 * s - 1.5 * s * s), d1 * t * t / 2},
        .ddw = {d2 * s, d2 * (3 * t - 2), d2 * (3 * s - 2), d2 * t}};
}

/// At the distance phi_out = sqrt(phi^2 + |s|^2) from the solid, s = U - p pointing out of the box, p the nearest point
/// of the box. phi is seen along the directions in which p moves with U: those in which U is not beyond the box.
LevelSetSample beyond_box(const LevelSetSample& at_p, const Vec3& s)
{
    const Vec3 moves = (s.array() == 0).cast<double>();
    const Vec3 g = moves.cwiseProduct(at_p.n);
    const Mat3 H = moves.asDiagonal() * at_p.hessian * moves.asDiagonal();
    const Mat3 fixed = Vec3(Vec3::Ones() - moves).asDiagonal();
    const double phi = std::hypot(at_p.phi, s.norm());
    const Vec3 n = (at_p.phi * g + s) / phi;
    return {.phi = phi, .n = n, .hessian = (g * g.transpose() + at_p.phi * H + fixed - n * n.transpose()) / phi};
}

} // namespace

GridLevelSet::GridLevelSet(GridCoefficients coefficients)
    : grid_(std::move(coefficients))
{
    const auto& n = grid_.count;
    STICKSLIP_ASSERT(n[0] >= 4 && n[1] >= 4 && n[2] >= 4 && grid_.spacing > 0);
    STICKSLIP_ASSERT(grid_.values.size() == static_cast<std::size_t>(n[0]) * n[1] * n[2]);
    const Vec3 last(n[0] - 2, n[1] - 2, n[2] - 2);
    domain_ = {.min = grid_.origin + Vec3::Constant(grid_.spacing), .max = grid_.origin + grid_.spacing * last};
}

double GridLevelSet::inside_distance(const Vec3& U) const
{
    const Reach x = reach(U.x(), grid_.origin.x(), grid_.spacing, grid_.count[0]);
    const Reach y = reach(U.y(), grid_.origin.y(), grid_.spacing, grid_.count[1]);
    const Reach z = reach(U.z(), grid_.origin.z(), grid_.spacing, grid_.count[2]);
    double phi = 0;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const std::size_t row = static_cast<std::size_t>(x.first + i) * grid_.count[1] + (y.first + j);
            const double* c = &grid_.values[row * grid_.count[2] + z.first];
            phi += x.w[i] * y.w[j] * (z.w[0] * c[0] + z.w[1] * c[1] + z.w[2] * c[2] + z.w[3] * c[3]);
        }
    }
    return phi;
}

LevelSetSample GridLevelSet::inside_sample(const Vec3& U) const
{
    const Reach x = reach(U.x(), grid_.origin.x(), grid_.spacing, grid_.count[0]);
    const Reach y = reach(U.y(), grid_.origin.y(), grid_.spacing, grid_.count[1]);
    const Reach z = reach(U.z(), grid_.origin.z(), grid_.spacing, grid_.count[2]);
    LevelSetSample total{.phi = 0, .n = Vec3::Zero(), .hessian = Mat3::Zero()};
    Mat3& H = total.hessian;
    for (int i = 0; i < 4; ++i) {
        double f = 0, fy = 0, fz = 0, fyy = 0, fyz = 0, fzz = 0; // derivatives in the slice x = node i
        for (int j = 0; j < 4; ++j) {
            const std::size_t row = static_cast<std::size_t>(x.first + i) * grid_.count[1] + (y.first + j);
            const double* c = &grid_.values[row * grid_.count[2] + z.first];
            const double g = z.w[0] * c[0] + z.w[1] * c[1] + z.w[2] * c[2] + z.w[3] * c[3];
            const double gz = z.dw[0] * c[0] + z.dw[1] * c[1] + z.dw[2] * c[2] + z.dw[3] * c[3];
            const double gzz = z.ddw[0] * c[0] + z.ddw[1] * c[1] + z.ddw[2] * c[2] + z.ddw[3] * c[3];
            f += y.w[j] * g;
            fy += y.dw[j] * g;
            fz += y.w[j] * gz;
            fyy += y.ddw[j] * g;
            fyz += y.dw[j] * gz;
            fzz += y.w[j] * gzz;
        }
        total.phi += x.w[i] * f;
        total.n += Vec3(x.dw[i] * f, x.w[i] * fy, x.w[i] * fz);
        H(0, 0) += x.ddw[i] * f;
        H(0, 1) += x.dw[i] * fy;
        H(0, 2) += x.dw[i] * fz;
        H(1, 1) += x.w[i] * fyy;
        H(1, 2) += x.w[i] * fyz;
        H(2, 2) += x.w[i] * fzz;
    }
    H(1, 0) = H(0, 1);
    H(2, 0) = H(0, 2);
    H(2, 1) = H(1, 2);
    return total;
}

double GridLevelSet::distance(const Vec3& U) const
{
    const Vec3 p = U.cwiseMax(domain_.min).cwiseMin(domain_.max);
    const double phi = inside_distance(p);
    return p == U ? phi : std::hypot(phi, (U - p).norm());
}

LevelSetSample GridLevelSet::sample(const Vec3& U) const
{
    const Vec3 p = U.cwiseMax(domain_.min).cwiseMin(domain_.max);
    LevelSetSample found = inside_sample(p);
    if (p != U)
        return beyond_box(found, U - p);
    if (found.n.squaredNorm() > 1e-12)
        return found;
    double highest = -infinity;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            const Vec3 direction = side * Vec3::Unit(axis);
            const double phi = distance(U + spacing() * direction);
            if (phi > highest) {
                highest = phi;
                found.n = direction;
            }
        }
    }
    return found;
}

} // namespace stickslip
