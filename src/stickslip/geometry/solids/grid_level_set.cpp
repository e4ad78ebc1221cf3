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

constexpr double exact_begins = 2, exact_alone = 3; // [cells] outside: where the exact distance takes over

// A share that goes from 0 to 1, with two continuous derivatives by phi [1, 1/m, 1/m^2].
struct Share {
    double w, dw, ddw;
};

Share exact_share(double phi, double spacing)
{
    const double width = (exact_alone - exact_begins) * spacing, x = (phi - exact_begins * spacing) / width;
    if (x <= 0)
        return {0, 0, 0};
    if (x >= 1)
        return {1, 0, 0};
    return {x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * (1 - x) * (1 - x) / width,
        60 * x * (1 - x) * (1 - 2 * x) / (width * width)};
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

GridLevelSet GridLevelSet::with_triangles(TriMesh triangles) const
{
    GridLevelSet solid = *this;
    solid.edges_ = std::make_shared<const FaceEdges>(face_edges(triangles));
    solid.triangles_ = std::make_shared<const TriangleDistance>(std::move(triangles));
    return solid;
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

double GridLevelSet::spline_distance(const Vec3& U) const
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

LevelSetSample GridLevelSet::spline_sample(const Vec3& U) const
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

LevelSetSample GridLevelSet::exact_sample(const Vec3& U) const
{
    const TriangleDistance::Sample exact = triangles_->sample(U);
    return {exact.phi, exact.n, exact.hessian};
}

// phi + w (d - phi), d the exact distance and w a function of phi.
LevelSetSample GridLevelSet::blended(const LevelSetSample& spline, const Vec3& U) const
{
    const auto [w, dw, ddw] = exact_share(spline.phi, grid_.spacing);
    if (w == 0 || !triangles_)
        return spline;
    const LevelSetSample exact = exact_sample(U);
    if (w == 1)
        return exact;
    const Vec3 &g = spline.n, dg = exact.n - g;
    const double d = exact.phi - spline.phi;
    LevelSetSample found;
    found.phi = spline.phi + w * d;
    found.n = g + w * dg + d * dw * g;
    found.hessian = spline.hessian + w * (exact.hessian - spline.hessian)
        + dw * (g * dg.transpose() + dg * g.transpose()) + d * (ddw * g * g.transpose() + dw * spline.hessian);
    return found;
}

double GridLevelSet::distance(const Vec3& U) const
{
    if (!has_spline(U))
        return triangles_->distance(U) - grown_;
    const double phi = spline_distance(U), w = triangles_ ? exact_share(phi, grid_.spacing).w : 0;
    return (w == 0 ? phi : phi + w * (triangles_->distance(U) - phi)) - grown_;
}

LevelSetSample GridLevelSet::sample(const Vec3& U) const
{
    LevelSetSample found = has_spline(U) ? blended(spline_sample(U), U) : exact_sample(U);
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
