#include "stickslip/geometry/queries/convex_sweep.h"

#include "stickslip/geometry/queries/box_tree.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace stickslip {

namespace {

constexpr double nearly_touching = 1e-10; // [-] of the sizes: what is nearer than that touches
constexpr double grazing = 1e-9; // [-] cosine between direction and normal below which one passes by the other
constexpr int most_iterations = 500;

/// The points whose hull is nearest to the origin, and its nearest point.
struct NearestHull {
    std::vector<Vec3> points;
    Vec3 nearest;
};

/// Nearest point to the origin of the plane, line or point through all points; nothing where it is not within their
/// hull.
std::optional<Vec3> nearest_inside(const std::vector<Vec3>& points)
{
    const Vec3& first = points.front();
    if (points.size() == 1)
        return first;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, static_cast<Eigen::Index>(points.size()) - 1);
    for (std::size_t k = 1; k < points.size(); ++k)
        edges.col(static_cast<Eigen::Index>(k) - 1) = points[k] - first;
    const Eigen::VectorXd share = edges.colPivHouseholderQr().solve(-first);
    if (!(share.minCoeff() >= 0 && share.sum() <= 1))
        return std::nullopt;
    return first + edges * share;
}

/// Of at most four points.
NearestHull nearest_hull(const std::vector<Vec3>& points)
{
    NearestHull best{.points = {}, .nearest = Vec3::Constant(infinity)};
    for (unsigned subset = 1; subset < 1U << points.size(); ++subset) {
        std::vector<Vec3> chosen;
        for (std::size_t k = 0; k < points.size(); ++k)
            if (subset >> k & 1U)
                chosen.push_back(points[k]);
        const std::optional<Vec3> nearest = nearest_inside(chosen);
        if (nearest && nearest->squaredNorm() < best.nearest.squaredNorm())
            best = {std::move(chosen), *nearest};
    }
    return best;
}

Bounds box_of(const ConvexPiece& piece, const Mat3& axes)
{
    Bounds box;
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = axes.col(k);
        box.min[k] = axis.dot(piece.farthest(-axis));
        box.max[k] = axis.dot(piece.farthest(axis));
    }
    return box;
}

std::vector<Bounds> boxes_of(const std::vector<ConvexPiece>& pieces, const Mat3& axes)
{
    std::vector<Bounds> boxes;
    boxes.reserve(pieces.size());
    for (const ConvexPiece& piece : pieces)
        boxes.push_back(box_of(piece, axes));
    return boxes;
}

/// What a box covers as seen along the third axis.
Bounds shadow(Bounds box)
{
    box.min.z() = box.max.z() = 0;
    return box;
}

/// Orthonormal, the third column along the unit vector.
Mat3 axes_along(const Vec3& direction)
{
    Mat3 axes;
    axes.col(2) = direction;
    axes.col(0) = direction.unitOrthogonal();
    axes.col(1) = direction.cross(axes.col(0));
    return axes;
}

} // namespace

Vec3 ConvexPiece::farthest(const Vec3& n) const
{
    Vec3 best = Vec3::Zero();
    double most = -infinity;
    const auto consider = [&](const Vec3& x) {
        if (const double along = n.dot(x); along > most) {
            most = along;
            best = x;
        }
    };
    for (const Vec3& x : points)
        consider(x);
    for (const Arc& arc : arcs) {
        const double angle = std::clamp(std::atan2(n.dot(arc.w), n.dot(arc.u)), -arc.half_angle, arc.half_angle);
        consider(arc.centre + arc.radius * (std::cos(angle) * arc.u + std::sin(angle) * arc.w));
    }
    return best + margin * n;
}

double travel_to_contact(const ConvexPiece& moving, const ConvexPiece& fixed, const Vec3& direction)
{
    // the two touch after t where t * direction lies in the set of all differences fixed - moving
    const auto farthest = [&](const Vec3& n) { return Vec3(fixed.farthest(n) - moving.farthest(-n)); };
    const auto size = [](const ConvexPiece& piece) {
        const Bounds box = box_of(piece, Mat3::Identity());
        return (box.max - box.min).norm();
    };
    const double near = nearly_touching * (size(moving) + size(fixed));
    std::vector<Vec3> hull = {farthest(-direction)}; // of differences
    double travel = direction.dot(hull.front());
    Vec3 gap = travel * direction - hull.front(); // from the hull
    for (int step = 0; step < most_iterations && gap.norm() > near; ++step) {
        const Vec3 n = gap.normalized();
        const Vec3 support = farthest(n);
        const double ahead = n.dot(travel * direction - support); // of the plane that bounds the set
        if (ahead > near) {
            const double slope = n.dot(direction);
            if (slope > -grazing)
                return infinity;
            travel -= ahead / slope;
        }
        hull.push_back(support);
        for (Vec3& x : hull)
            x = travel * direction - x;
        NearestHull nearest = nearest_hull(hull);
        hull = std::move(nearest.points);
        for (Vec3& x : hull)
            x = travel * direction - x;
        gap = nearest.nearest;
    }
    return travel;
}

double travel_to_contact(
    const std::vector<ConvexPiece>& moving, const std::vector<ConvexPiece>& fixed, const Vec3& direction)
{
    const Mat3 axes = axes_along(direction);
    const std::vector<Bounds> fixed_boxes = boxes_of(fixed, axes), moving_boxes = boxes_of(moving, axes);
    std::vector<Bounds> shadows(fixed_boxes.size());
    std::transform(fixed_boxes.begin(), fixed_boxes.end(), shadows.begin(), shadow);
    const BoxTree tree(shadows);
    std::vector<int> order(moving.size()); // what is in front first: it bounds the travel of the rest
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(
        order.begin(), order.end(), [&](int a, int b) { return moving_boxes[a].max.z() > moving_boxes[b].max.z(); });
    double least = infinity;
    for (const int m : order)
        tree.visit_overlapping(shadow(moving_boxes[m]), [&](int f) {
            if (fixed_boxes[f].min.z() - moving_boxes[m].max.z() < least)
                least = std::min(least, travel_to_contact(moving[m], fixed[f], direction));
        });
    return least;
}

} // namespace stickslip
