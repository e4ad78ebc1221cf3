#include "stickslip/contact/points/seam_point.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

struct SeamCrossing {
    const DistanceField& field;
    const Circle& circle;
    double depth; // [m] of Seams
    SeamPoints& found;

    // Where the circle goes through U[axis] = place at this angle.
    void add(int axis, double place, double angle) const
    {
        const Vec3 u = circle.direction(angle);
        Vec3 E = circle.centre + circle.radius * u;
        E[axis] = place; // to the last bit: the curvature is that between the planes
        const LevelSetSample at = field.at(E);
        if (!(at.phi > -depth))
            return;
        const AlongCircle along = along_circle(at, circle, u);
        const double through = circle.axis.cross(u)[axis], edge = at.phi + depth;
        const bool upper = place > 0, leaves = (through > 0) == upper;
        const double ends = extreme_share(circle.radius * through * through / edge).share;
        found.points[found.count++] = {.slot = 1 + 4 * axis + 2 * upper + leaves,
            .angle = circle.angle(u),
            .u = u,
            .E = E,
            .normal = Vec3::Unit(axis),
            .phi = at.phi,
            .edge = edge,
            .ends = ends,
            .share = (1 - extreme_share(std::hypot(along.F, along.q)).share) * ends};
    }
};

} // namespace

SeamPoints find_seam_points(const DistanceField& field, const Circle& circle)
{
    SeamPoints found;
    if (field.patch >= 0 && patch_count(*field.solid) > 1) // each is smooth
        return found;
    const Seams planes = seams(*field.solid);
    const Vec3 across = circle.axis.cross(circle.mark);
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            const double place = side * planes.half[axis];
            const double reach = circle.radius * std::hypot(circle.mark[axis], across[axis]);
            const double cosine = (place - circle.centre[axis]) / reach;
            if (!(std::abs(cosine) < 1)) // also where there is none, and where the circle is parallel
                continue;
            const double middle = std::atan2(across[axis], circle.mark[axis]), half = std::acos(cosine);
            const SeamCrossing crossing{field, circle, planes.depth, found};
            crossing.add(axis, place, middle - half);
            crossing.add(axis, place, middle + half);
        }
    std::sort(found.points.begin(), found.points.begin() + found.count,
        [](const SeamPoint& a, const SeamPoint& b) { return a.angle < b.angle; });
    return found;
}

std::array<const SeamPoint*, 2> SeamPoints::beside(double angle) const
{
    if (count < 2) // the one is on both sides
        return {count == 0 ? nullptr : begin(), nullptr};
    const auto above =
        std::upper_bound(begin(), end(), angle, [](double a, const SeamPoint& p) { return a < p.angle; });
    return {above == begin() ? end() - 1 : above - 1, above == end() ? begin() : above};
}

} // namespace stickslip
