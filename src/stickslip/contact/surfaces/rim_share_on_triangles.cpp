#include "stickslip/contact/surfaces/rim_share_on_triangles.h"

#include "stickslip/contact/points/extreme_point.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double even_below = 5e-3; // [-] sine between a circle and a facet over which extreme_share is 0

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

// Direction of the lowest place over a plane, of whose normal `across` is the part across the circle's axis; shorter
// where the circle is so even over it that this has no share.
PoseVec lowest(const PoseVec& across)
{
    const double sine = across.v.norm();
    if (sine < 1e-12)
        return still(Vec3::Zero());
    const PoseScalar length = sqrt(dot(across, across));
    return smooth_step(1 / even_below * length) * (PoseScalar{-1} / length * across);
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

PoseScalar share_beside_folds(
    const EdgeTopology& surface, int facet, const Vec3& n, const Circle& circle, const PosedPoint& e)
{
    PoseScalar share{1};
    for (int k = 0; k < 3; ++k) {
        const int side = 3 * facet + k;
        if (surface.edge_kind[surface.facet_edges[facet][k]] != EdgeKind::internal)
            continue;
        const Fold& fold = surface.folds[side];
        const double s = fold.s * std::copysign(1, n.dot(surface.normals[facet]));
        if (!(s > 0)) // folds away
            continue;
        const Vec3& o = surface.outward[side];
        const PoseVec next = still(fold.c * n - s * o), across = next - dot(next, e.axis) * e.axis;
        const PoseScalar way = circle.radius * dot(still(o), lowest(across) - e.u);
        const PoseScalar delta = dot(still(o), still(surface.positions[surface.facets[facet][k]]) - e.E);
        if (2 * delta.v < way.v)
            share = share * smooth_step(2 * delta / way);
    }
    if (share.v == 1)
        return share;
    const PoseScalar behind = smooth_step(-1 / circle.tube * e.phi);
    return share + behind * (PoseScalar{1} - share);
}

} // namespace stickslip
