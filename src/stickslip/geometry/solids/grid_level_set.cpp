#include "stickslip/geometry/solids/grid_level_set.h"

#include "stickslip/geometry/solids/level_set.h"
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
    Eigen::Array4d w, dw, ddw;
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

GridLevelSet GridLevelSet::grown(double by) const
{
    GridLevelSet solid = *this;
    solid.grown_ += by;
    solid.grid_.solid.min -= Vec3::Constant(by);
    solid.grid_.solid.max += Vec3::Constant(by);
    return solid;
}

// Both sum over the 4 x 4 x 4 nodes in reach: x first, then y, on the four neighbours along z at once, z last.

double GridLevelSet::inside_distance(const Vec3& U) const
{
    const Reach x = reach(U.x(), grid_.origin.x(), grid_.spacing, grid_.count[0]);
    const Reach y = reach(U.y(), grid_.origin.y(), grid_.spacing, grid_.count[1]);
    const Reach z = reach(U.z(), grid_.origin.z(), grid_.spacing, grid_.count[2]);
    Eigen::Array4d f = Eigen::Array4d::Zero();
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j)
            f += x.w[i] * y.w[j] * four_along_z(x.first + i, y.first + j, z.first);
    }
    return (z.w * f).sum();
}

LevelSetSample GridLevelSet::inside_sample(const Vec3& U) const
{
    using Four = Eigen::Array4d;
    const Reach x = reach(U.x(), grid_.origin.x(), grid_.spacing, grid_.count[0]);
    const Reach y = reach(U.y(), grid_.origin.y(), grid_.spacing, grid_.count[1]);
    const Reach z = reach(U.z(), grid_.origin.z(), grid_.spacing, grid_.count[2]);
    const Four zero = Four::Zero();
    Four f = zero, fx = zero, fy = zero, fxx = zero, fxy = zero, fyy = zero;
    for (int j = 0; j < 4; ++j) {
        Four g = zero, gx = zero, gxx = zero;
        for (int i = 0; i < 4; ++i) {
            const Four c = four_along_z(x.first + i, y.first + j, z.first);
            g += x.w[i] * c;
            gx += x.dw[i] * c;
            gxx += x.ddw[i] * c;
        }
        f += y.w[j] * g;
        fx += y.w[j] * gx;
        fy += y.dw[j] * g;
        fxx += y.w[j] * gxx;
        fxy += y.dw[j] * gx;
        fyy += y.ddw[j] * g;
    }
    const double xy = (z.w * fxy).sum();
    const double xz = (z.dw * fx).sum();
    const double yz = (z.dw * fy).sum();
    LevelSetSample found;
    found.phi = (z.w * f).sum();
    found.n = {(z.w * fx).sum(), (z.w * fy).sum(), (z.dw * f).sum()};
    found.hessian << (z.w * fxx).sum(), xy, xz, xy, (z.w * fyy).sum(), yz, xz, yz, (z.ddw * f).sum();
    return found;
}

double GridLevelSet::distance(const Vec3& U) const
{
    const Vec3 p = U.cwiseMax(domain_.min).cwiseMin(domain_.max);
    const double phi = inside_distance(p);
    return (p == U ? phi : std::hypot(phi, (U - p).norm())) - grown_;
}

LevelSetSample GridLevelSet::sample(const Vec3& U) const
{
    const Vec3 p = U.cwiseMax(domain_.min).cwiseMin(domain_.max);
    LevelSetSample found = inside_sample(p);
    if (p != U)
        found = beyond_box(found, U - p);
    found.phi -= grown_;
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
