#include "stickslip/contact/points/seam_point.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double parallel = 0.05; // [-] a circle that leans more against a face is even on no stretch of it

struct SeamCrossing {
    const DistanceField& field;
    const Circle& circle;
    double depth; // [m] of Seams
    SeamPoints& found;

    // At the direction u, E on the inner side of a seam with this normal outward; `bends`: SeamPoint::bends.
    void add(int seam, const Vec3& u, const Vec3& E, const Vec3& normal, const Mat3& dnormal_dE, double bends = 1) const
    {
        const LevelSetSample at = field.at(E);
        if (!(at.phi > -depth))
            return;
        const AlongCircle along = along_circle(at, circle, u);
        const double through = normal.dot(circle.axis.cross(u)), edge = at.phi + depth;
        const bool leaves = through > 0;
        const double ends = bends * extreme_share(circle.radius * through * through / edge).share;
        const SeamPoint point{.slot = 1 + 2 * seam + leaves,
            .angle = circle.angle(u),
            .u = u,
            .E = E,
            .normal = normal,
            .dnormal_dE = dnormal_dE,
            .phi = at.phi,
            .edge = edge,
            .bends = bends,
            .ends = ends,
            .share = (1 - extreme_share(std::hypot(along.F, along.q)).share) * ends};
        if (found.count < SeamPoints::capacity) {
            found.points[found.count++] = point;
            return;
        }
        const auto least = std::ranges::min_element(found.points, {}, &SeamPoint::share);
        if (point.share > least->share)
            *least = point;
    }

    // Where the circle goes through the plane U[axis] = place, which is 2 axis + upper of the seams.
    void add_plane(int axis, double place) const
    {
        const auto crossings = circle.crossings(Vec3::Unit(axis), place); // none where `place` is infinite
        if (!crossings)
            return;
        const bool upper = place > 0;
        for (const double angle : *crossings) {
            const Vec3 u = circle.direction(angle);
            Vec3 E = circle.centre + circle.radius * u;
            E[axis] = place; // to the last bit: the curvature is that between the planes
            add(2 * axis + upper, u, E, (upper ? 1 : -1) * Vec3::Unit(axis), Mat3::Zero());
        }
    }

    // Where it goes through the cylinder of this radius about y, beyond the flat end at y = place: once on each side of
    // the place nearest to the axis, if it is nearly parallel to that end.
    void add_round(int seam, double radius, double place) const
    {
        if (!(std::hypot(circle.axis.x(), circle.axis.z()) < parallel))
            return;
        constexpr double within = 1 - 1e-12; // the curvature is that of the flat end
        const auto from_axis = [&](double angle) {
            const Vec3 E = circle.centre + circle.radius * circle.direction(angle);
            return Vec3(E.x(), 0, E.z());
        };
        const Vec3 across = circle.axis.cross(circle.mark), centre(circle.centre.x(), 0, circle.centre.z());
        const double farthest = std::atan2(centre.dot(across), centre.dot(circle.mark)), nearest = farthest + pi;
        if (!(from_axis(farthest).norm() > radius && from_axis(nearest).norm() < radius))
            return;
        for (const double out : {farthest, farthest + 2 * pi}) {
            const double angle = crossing(from_axis, radius, nearest, out);
            const Vec3 u = circle.direction(angle), normal = from_axis(angle).normalized();
            Vec3 E = circle.centre + circle.radius * u;
            if (!(E.y() * place > place * place))
                continue;
            E.x() *= within;
            E.z() *= within;
            const Mat3 flat = Vec3(1, 0, 1).asDiagonal();
            add(seam, u, E, normal, (flat - normal * normal.transpose()) / radius);
        }
    }

    // Where it goes through the plane through an edge of a face, as far as it is nearly parallel to the face.
    void add_edge(int seam, const FaceEdge& edge) const
    {
        constexpr double within = 1e-6; // [radius] as far inside of the edge the face is the nearest beyond rounding
        constexpr double nearest = 1e-9; // [radius]
        if (!(circle.axis.cross(edge.n).squaredNorm() < parallel * parallel))
            return;
        const auto crossings = circle.crossings(edge.out, edge.out.dot(edge.a));
        if (!crossings)
            return;
        const Vec3 length = edge.b - edge.a;
        for (const double angle : *crossings) {
            const Vec3 u = circle.direction(angle), E = circle.centre + circle.radius * u;
            const double t = length.dot(E - edge.a) / length.squaredNorm(), height = edge.n.dot(E - edge.a);
            if (!(t >= 0 && t <= 1 && height > 0)
                || std::abs(field.distance(E) - height) > nearest * circle.radius) // something else is nearer
                continue;
            add(seam, u, E - within * circle.radius * edge.out, edge.out, Mat3::Zero(), extreme_share(edge.fold).share);
        }
    }

private:
    static constexpr double pi = std::numbers::pi;

    // Where the circle is that far from the axis, by its angles within and outside; Newton's method, within bounds.
    template <typename FromAxis>
    double crossing(const FromAxis& from_axis, double radius, double inside, double outside) const
    {
        double angle = 0.5 * (inside + outside);
        for (int i = 0; i < 60; ++i) {
            const Vec3 arm = from_axis(angle);
            const double beyond = arm.norm() - radius;
            (beyond < 0 ? inside : outside) = angle;
            const double slope = circle.radius * arm.normalized().dot(circle.axis.cross(circle.direction(angle)));
            double next = angle - beyond / slope;
            if (!(next > std::min(inside, outside) && next < std::max(inside, outside)))
                next = 0.5 * (inside + outside);
            if (std::abs(next - angle) < 1e-15 * (1 + std::abs(angle)))
                break;
            angle = next;
        }
        return angle;
    }
};

} // namespace

SeamPoints find_seam_points(const DistanceField& field, const Circle& circle)
{
    SeamPoints found;
    if (field.patch >= 0 && patch_count(*field.solid) > 1) // each is smooth
        return found;
    const Seams seams = stickslip::seams(*field.solid);
    const SeamCrossing crossing{field, circle, seams.depth, found};
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0})
            crossing.add_plane(axis, side * seams.half[axis]);
    constexpr int planes = 6;
    for (int end = 0; end < seams.round_ends; ++end)
        crossing.add_round(planes + end, seams.radius, (end == 0 ? -1 : 1) * seams.place);
    if (circle.tube >= seams.least)
        for (const FaceEdge& edge : seams.edges)
            crossing.add_edge(planes + 2 + edge.line, edge);
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
