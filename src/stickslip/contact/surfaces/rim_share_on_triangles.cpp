#include "stickslip/contact/surfaces/rim_share_on_triangles.h"

#include "stickslip/contact/points/extreme_point.h"

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

} // namespace stickslip
