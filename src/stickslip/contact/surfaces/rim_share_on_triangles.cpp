#include "stickslip/contact/surfaces/rim_share_on_triangles.h"

#include "stickslip/contact/points/extreme_point.h"
#include "stickslip/math/smooth_step.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// hypot(sine between circle and facet, sine by which n has turned from the facet's normal)
PoseScalar share_beside_facet(const Vec3& facet, const PoseVec& axis, const PoseVec& n)
{
    const PoseScalar along = dot(still(facet), axis), same = dot(still(facet), n);
    const PoseScalar square = 2 + -1 * (along * along + same * same);
    const double sine = std::sqrt(std::max(square.v, 0.0));
    const ExtremeShare share = extreme_share(sine);
    if (share.dshare_dq == 0)
        return {share.share};
    return {share.share, share.dshare_dq / (2 * sine) * square.d};
}

} // namespace

PoseScalar share_of_place(
    const EdgeTopology& surface, TriangleFeature kind, int number, const PoseVec& axis, const PoseVec& n)
{
    PoseScalar least{1};
    const auto ask = [&](int facet) {
        const PoseScalar share = share_beside_facet(surface.normals[facet], axis, n);
        if (share.v < least.v)
            least = share;
    };
    if (kind == TriangleFeature::face)
        ask(number);
    else
        for (const int corner : kind == TriangleFeature::edge ? surface.sides_of(number) : surface.corners_of(number))
            ask(corner / 3);
    return least;
}

PoseScalar share_beside_folds(const EdgeTopology& surface, int facet, const Vec3& n, double radius, const PosedPoint& e)
{
    PoseScalar share{1};
    const PoseVec t = cross(e.axis, e.u), across = cross(e.axis, still(n));
    const double q = across.v.norm();
    for (int k = 0; k < 3; ++k) {
        const int side = 3 * facet + k;
        if (surface.edge_kind[surface.facet_edges[facet][k]] != EdgeKind::internal)
            continue;
        const double s = surface.folds[side].s * std::copysign(1, n.dot(surface.normals[facet])); // < 0: away
        const Vec3& o = surface.outward[side];
        const PoseScalar through = dot(still(o), t);
        const PoseScalar delta = dot(still(o), still(surface.positions[surface.facets[facet][k]]) - e.E);
        const double whole = radius * s * through.v * through.v; // of x
        if (!(s > 0) || !(2 * delta.v * q < whole))
            continue;
        const double x = 2 * std::max(delta.v, 0.0) * q / whole;
        const SmoothStep step = smooth_step(x);
        if (step.value == 0)
            return {0};
        const Eigen::Matrix<double, 1, 6> dq = across.v.transpose() / q * across.d;
        const Eigen::Matrix<double, 1, 6> dx = x * (delta.d / delta.v + dq / q - 2 * through.d / through.v);
        share = share * PoseScalar{step.value, step.slope * dx};
    }
    return share;
}

} // namespace stickslip
