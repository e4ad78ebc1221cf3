#include "stickslip/contact/meshes/patch_surface.h"

#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/angle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace stickslip {

PatchSurface::PatchSurface(SmoothPatches rest, double thickness)
    : patches_(std::move(rest))
    , thickness_(thickness)
    , entry_depth_(0.25 * std::min(patches_.edge_length, thickness))
{
}

void PatchSurface::begin_step(const std::vector<Vec3>& x_old, const std::vector<Vec3>& x_next)
{
    const bool is_first = boxes_.empty();
    x_old_ = x_old;
    patches_.update(x_next, entry_depth_);
    boxes_.assign(patches_.facets.size(), {});
    for (std::size_t f = 0; f < boxes_.size(); ++f)
        for (const int v : patches_.facets[f]) {
            boxes_[f].add(x_old_[v]);
            boxes_[f].add(x_next[v]);
        }
    if (is_first)
        tree_ = BoxTree(boxes_);
    else
        tree_.refit(boxes_);
}

namespace {

/// [rad] That a triangle takes of the neighbourhood of one of its places.
double angle_at(const std::array<Vec3, 3>& x, const TrianglePoint& place)
{
    if (place.feature != TriangleFeature::vertex)
        return (place.feature == TriangleFeature::face ? 2 : 1) * std::numbers::pi;
    const int k = place.index;
    return angle_between(x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]);
}

} // namespace

// Where facets share the nearest place, the mean of their normals by angles knows the side.
PatchSurface::NearestPlace PatchSurface::nearest_of(const Vec3& Z, double reach, int patch) const
{
    double least = infinity, side = 0;
    Vec3 point = Z;
    const auto look_at = [&](int facet) {
        if (patch >= 0 && patches_.patch[facet] != patch)
            return;
        const auto& [i, j, k] = patches_.facets[facet];
        const std::array<Vec3, 3> x = {x_old_[i], x_old_[j], x_old_[k]};
        const TrianglePoint place = closest_point_on_triangle(Z, x[0], x[1], x[2]);
        const Vec3 from = Z - place.point;
        const double distance = from.norm(), same = 1e-9 * reach;
        if (distance > least + same)
            return;
        if (distance < least - same)
            side = 0;
        if (distance < least)
            point = place.point;
        least = std::min(least, distance);
        side += angle_at(x, place) * from.dot((x[1] - x[0]).cross(x[2] - x[0]).normalized());
    };
    const double far = (Z - 0.5 * (way().min + way().max)).norm() + (way().max - way().min).norm();
    while (true) {
        least = infinity;
        visit_ways({Z - Vec3::Constant(reach), Z + Vec3::Constant(reach)}, look_at);
        if (least <= reach || reach > 4 * far) // all that is as near has been seen
            break;
        reach *= 2;
    }
    return {side < 0 ? -least : least, point};
}

PatchSurface::NearestPlace PatchSurface::nearest_on(int patch, const Vec3& Z, double reach) const
{
    const NearestPlace place = nearest_of(Z, reach, patch);
    return {std::abs(place.distance), place.point};
}

} // namespace stickslip
