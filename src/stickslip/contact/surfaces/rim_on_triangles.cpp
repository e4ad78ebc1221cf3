#include "stickslip/contact/surfaces/rim_on_triangles.h"

#include "stickslip/contact/detect/candidates.h"
#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/contact/points/rim_slip.h"
#include "stickslip/contact/surfaces/ball_on_triangles.h"
#include "stickslip/math/parallel_transport.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

/// One circle before one surface.
struct RimOnTriangles::Query {
    const TriangulatedSurface& surface;
    bool is_sheet;
    const Circle& circle;
    const Circle& before;
    std::span<const Attachment> kept;
    double tie; // [m] nearer than this places are the same

    // Where the place in the direction u was at the start of the step.
    Vec3 old_place(const Vec3& u) const
    {
        return before.centre + before.radius * parallel_transport(u, circle.axis, before.axis).v;
    }
    const Vec3* held_from(const Vec3& u) const { return held_from_behind(surface.topology, circle, before, kept, u); }
    bool was_behind(const Vec3& u, const Vec3& n) const
    {
        const Vec3* held = held_from(u);
        return held && held->dot(n) > 0.5;
    }
    // Whether the place E in the direction u is on the side of the surface where it is met: it has not gone through, or
    // has come back.
    bool is_in_front(const Vec3& u, const Vec3& E) const
    {
        return (held_from(u) != nullptr) == changes_side(surface, old_place(u), E);
    }
};

namespace {

double distance_to(const Circle& circle, const Vec3& x)
{
    const Vec3 from = x - circle.centre;
    const double height = circle.axis.dot(from);
    return std::hypot(height, (from - height * circle.axis).norm() - circle.radius);
}

// Angles at which the circle is nearest to the line of an edge: the square of the distance is
//   c + a1 cos + b1 sin + a2 cos 2 + b2 sin 2
// and has at most two minima. Those that are surely farther than the tube from the edge may be left out.
struct LineMinima {
    std::array<double, 2> angles;
    int count = 0;
};

struct Angle {
    double t; // [rad]
    double sin, cos, sin2, cos2; // of it and of twice it
};

Angle angle_of(double t)
{
    return {t, std::sin(t), std::cos(t), std::sin(2 * t), std::cos(2 * t)};
}

// Angles at which minima are looked for, all round; the same for all lines.
constexpr int looks = 48;
const std::array<Angle, looks>& angles_looked_at()
{
    static const std::array<Angle, looks> all = [] {
        std::array<Angle, looks> angles;
        for (int i = 0; i < looks; ++i)
            angles[i] = angle_of(Circle::first_angle + 2 * std::numbers::pi * i / looks);
        return angles;
    }();
    return all;
}

LineMinima minima_beside_line(const Circle& circle, const Vec3& start, const Vec3& along, double length)
{
    const Vec3 x = circle.mark, y = circle.axis.cross(circle.mark);
    const auto across = [&](const Vec3& v) { return Vec3(v - along.dot(v) * along); };
    const Vec3 p = across(circle.centre - start), X = circle.radius * across(x), Y = circle.radius * across(y);
    const double a1 = 2 * p.dot(X), b1 = 2 * p.dot(Y);
    const double a2 = 0.5 * (X.squaredNorm() - Y.squaredNorm()), b2 = X.dot(Y);
    const auto slope = [&](const Angle& at) {
        return -a1 * at.sin + b1 * at.cos - 2 * a2 * at.sin2 + 2 * b2 * at.cos2;
    };
    const auto bend = [&](const Angle& at) { return -a1 * at.cos - b1 * at.sin - 4 * a2 * at.cos2 - 4 * b2 * at.sin2; };
    const double arc = 2 * std::numbers::pi / looks * circle.radius;
    const auto may_touch = [&](const Angle& at) { // before the next angle
        const Vec3 E = circle.centre + circle.radius * (at.cos * x + at.sin * y);
        const double way = along.dot(E - start);
        return (p + at.cos * X + at.sin * Y).norm() < circle.tube + arc && way > -arc && way < length + arc;
    };
    const std::array<Angle, looks>& looked = angles_looked_at();
    LineMinima found;
    double low = Circle::first_angle, at_low = slope(looked[0]);
    const double at_first = at_low;
    for (int i = 1; i <= looks && found.count < 2; ++i) {
        const double high = i < looks ? looked[i].t : Circle::first_angle + 2 * std::numbers::pi;
        const double at_high = i < looks ? slope(looked[i]) : at_first;
        if (at_low < 0 && at_high >= 0 && may_touch(looked[i - 1])) {
            double a = low, b = high, t = 0.5 * (a + b);
            for (int k = 0; k < 60; ++k) {
                const Angle at = angle_of(t);
                const double s = slope(at);
                (s < 0 ? a : b) = t;
                double next = t - s / bend(at);
                if (!(next > a && next < b))
                    next = 0.5 * (a + b);
                if (std::abs(next - t) < 1e-15 * (1 + std::abs(t)))
                    break;
                t = next;
            }
            found.angles[found.count++] = t;
        }
        low = high;
        at_low = at_high;
    }
    return found;
}

// Edges or vertices of these facets, each once, ascending.
void features_of(
    const std::vector<int>& facets, const std::vector<std::array<int, 3>>& of_facet, std::vector<int>& features)
{
    features.clear();
    for (const int facet : facets)
        features.insert(features.end(), of_facet[facet].begin(), of_facet[facet].end());
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
}

ExtremePoint extreme_at(const Circle& circle, const MeshFeature& feature, const Vec3& u)
{
    const Vec3 E = circle.centre + circle.radius * u;
    const LevelSetSample at = feature.sample(E);
    return {circle.angle(u), u, E, at.phi, along_circle(at, circle, u).q};
}

} // namespace

const Vec3* held_from_behind(const EdgeTopology& surface, const Circle& circle, const Circle& before,
    std::span<const Attachment> kept, const Vec3& u)
{
    for (const Attachment& a : kept) {
        const RollingOnFacet& at = a.rolling_on_facet();
        const Vec3 u_old = before.direction(at.angle);
        if ((parallel_transport(u_old, before.axis, circle.axis).v - u).norm() < chord_of_quarter
            && distance_of_attached(surface, at, before.centre + before.radius * u_old) < 0)
            return &at.n;
    }
    return nullptr;
}

void RimOnTriangles::find(const TriangulatedSurface& surface, bool is_sheet, const Circle& circle, const Circle& before,
    std::span<const Attachment> kept)
{
    places_.clear();
    near_.clear();
    may_lie_flat_ = false;
    const double size = circle.centre.lpNorm<Eigen::Infinity>() + circle.radius + circle.tube;
    const Query q{surface, is_sheet, circle, before, kept, 1e-9 * (circle.radius + circle.tube) + 4e-15 * size};
    find_near(q);
    if (!near_.empty()) {
        add_faces(q);
        add_edges(q);
        add_vertices(q);
    }
    if (places_.empty())
        add_passed(q);
}

void RimOnTriangles::find_near(const Query& q)
{
    const EdgeTopology& topology = q.surface.topology;
    q.surface.tree.visit_overlapping(box_of(q.circle), [&](int facet) {
        if (topology.is_left_out(facet))
            return;
        const auto& [a, b, c] = topology.facets[facet];
        const std::vector<Vec3>& at = topology.positions;
        const Vec3 middle = (at[a] + at[b] + at[c]) / 3;
        const double reach = std::sqrt(
            std::max({(at[a] - middle).squaredNorm(), (at[b] - middle).squaredNorm(), (at[c] - middle).squaredNorm()}));
        if (distance_to(q.circle, middle) < q.circle.tube + reach)
            near_.push_back(facet);
    });
    std::sort(near_.begin(), near_.end());
}

void RimOnTriangles::add_faces(const Query& q)
{
    const EdgeTopology& topology = q.surface.topology;
    for (const int facet : near_) {
        const Vec3 n = topology.orientation[facet] * topology.normals[facet];
        for (const Vec3& side : {n, Vec3(-n)}) {
            if (extreme_share(q.circle.axis.cross(n).norm()).share < 1) {
                may_lie_flat_ = true;
                add_seams(q, facet, side);
            }
            add_face(q, facet, side);
            if (!q.is_sheet)
                break;
        }
    }
}

// Where the circle lies even over the facet and goes out over a convex edge of it.
void RimOnTriangles::add_seams(const Query& q, int facet, const Vec3& n)
{
    const EdgeTopology& topology = q.surface.topology;
    const double even = 1 - extreme_share(q.circle.axis.cross(n).norm()).share;
    for (int k = 0; k < 3; ++k) {
        const int side = 3 * facet + k;
        double bends = 1;
        if (topology.edge_kind[topology.facet_edges[facet][k]] == EdgeKind::internal) {
            const Fold& fold = topology.folds[side];
            const double away = -fold.s * std::copysign(1, n.dot(topology.normals[facet])); // convex from there: > 0
            bends = fold.c < 0 ? (away < 0 ? 0 : 1) : extreme_share(away).share;
        }
        if (!(bends > 0))
            continue;
        const Vec3& a = topology.positions[topology.facets[facet][k]];
        const Vec3& b = topology.positions[topology.facets[facet][(k + 1) % 3]];
        const Vec3& outward = topology.outward[side];
        const auto crossings = q.circle.crossings(outward, outward.dot(a));
        if (!crossings)
            continue;
        for (const double angle : *crossings) {
            const Vec3 u = q.circle.direction(angle), E = q.circle.centre + q.circle.radius * u;
            const double way = (E - a).dot(b - a), phi = n.dot(E - a);
            if (way < 0 || way > (b - a).squaredNorm() || !(phi > q.tie && phi < q.circle.tube))
                continue;
            const double through = outward.dot(q.circle.axis.cross(u));
            const double ends = bends * extreme_share(q.circle.radius * through * through / phi).share;
            if (!(even * ends > 0) || !is_touched(q, E - phi * n, u, E))
                continue;
            RimPlace place{{TriangleFeature::face, a, n}, facet, facet, {angle, u, E, phi, 0}, n};
            place.seam = SeamPoint{.slot = 1,
                .angle = angle,
                .u = u,
                .E = E,
                .normal = outward,
                .dnormal_dE = Mat3::Zero(),
                .phi = phi,
                .edge = phi,
                .bends = bends,
                .ends = ends,
                .share = even * ends};
            add(q, place);
        }
    }
}

void RimOnTriangles::add_face(const Query& q, int facet, const Vec3& n)
{
    const EdgeTopology& topology = q.surface.topology;
    const Vec3 across = n - q.circle.axis.dot(n) * q.circle.axis;
    const double tilt = across.norm();
    if (extreme_share(tilt).share == 0)
        return;
    const Triangle& corners = topology.facets[facet];
    const MeshFeature plane{TriangleFeature::face, topology.positions[corners[0]], n};
    const ExtremePoint lowest = extreme_at(q.circle, plane, -across / tilt);
    if (!(lowest.phi < q.circle.tube))
        return;
    for (int k = 0; k < 3; ++k)
        if (topology.outward[3 * facet + k].dot(lowest.E - topology.positions[corners[k]]) > q.tie)
            return;
    const bool counts = lowest.phi < 0 ? touches_from_behind(q, facet, n, lowest.u, lowest.E)
                                       : !q.is_sheet || q.is_in_front(lowest.u, lowest.E);
    if (counts)
        add(q, {plane, facet, facet, lowest, n});
}

// The circle is met, however deep, by the facet through which it came; where nothing tells, by the nearest of a solid.
bool RimOnTriangles::touches_from_behind(const Query& q, int facet, const Vec3& n, const Vec3& u, const Vec3& E)
{
    const bool came_through =
        q.was_behind(u, n) != changes_side(q.surface, q.old_place(u), E, q.is_sheet ? nullptr : &n);
    if (!came_through && q.is_sheet)
        return false;
    const SphereSurfaceContact nearest = came_through && !q.is_sheet
        ? nearest_facing(q.surface, E, n, contacts_).contact
        : nearest_of(q.surface, E, facets_, contacts_).contact;
    const EdgeTopology& topology = q.surface.topology;
    const Vec3 own = topology.orientation[nearest.facet] * topology.normals[nearest.facet];
    return std::abs(own.dot(n)) > 1 - 1e-9
        && std::abs(n.dot(nearest.point - topology.positions[topology.facets[facet][0]])) < q.tie;
}

// Whether a ball there touches the surface with this feature, from the side where it was.
bool RimOnTriangles::is_place(const Query& q, TriangleFeature kind, int feature, const Vec3& u, const Vec3& E)
{
    find_sphere_surface_contacts(q.surface.topology, near_, E, q.circle.tube, EdgeRule::smooth, contacts_);
    const auto own = std::find_if(contacts_.begin(), contacts_.end(),
        [&](const SphereSurfaceContact& c) { return c.kind == kind && c.feature == feature; });
    if (own == contacts_.end())
        return false;
    return q.is_sheet ? q.is_in_front(u, E) : is_outside(q.surface, *own);
}

// Whether a ball there touches the surface at the place x, from the side where it was.
bool RimOnTriangles::is_touched(const Query& q, const Vec3& x, const Vec3& u, const Vec3& E)
{
    find_sphere_surface_contacts(q.surface.topology, near_, E, q.circle.tube, EdgeRule::smooth, contacts_);
    const auto is_there = [&](const SphereSurfaceContact& c) { return (c.point - x).norm() < 1e3 * q.tie; };
    return std::any_of(contacts_.begin(), contacts_.end(), is_there) && (!q.is_sheet || q.is_in_front(u, E));
}

void RimOnTriangles::add_edges(const Query& q)
{
    const EdgeTopology& topology = q.surface.topology;
    features_of(near_, topology.facet_edges, features_);
    for (const int edge : features_) {
        const std::span<const int> sides = topology.sides_of(edge);
        if (const Fold& fold = topology.folds[sides[0]];
            topology.edge_kind[edge] == EdgeKind::internal && fold.c > 0 && std::abs(fold.s) < 1e-9)
            continue; // flat
        const Vec3 &a = topology.positions[topology.edges[edge][0]], &b = topology.positions[topology.edges[edge][1]];
        const double length = (b - a).norm();
        if (!(distance_to(q.circle, 0.5 * (a + b)) < q.circle.tube + 0.5 * length))
            continue;
        const MeshFeature line{TriangleFeature::edge, a, (b - a) / length};
        const LineMinima minima = minima_beside_line(q.circle, a, line.direction, length);
        for (int i = 0; i < minima.count; ++i) {
            const Vec3 u = q.circle.direction(minima.angles[i]), E = q.circle.centre + q.circle.radius * u;
            const double way = line.direction.dot(E - a);
            const Vec3 from = E - a - way * line.direction;
            const auto is_beyond = [&](int side) { return from.dot(topology.outward[side]) > -q.tie; };
            if (!(from.norm() > q.tie && from.norm() < q.circle.tube) || way < 0 || way > length
                || !std::all_of(sides.begin(), sides.end(), is_beyond)
                || !is_place(q, TriangleFeature::edge, edge, u, E))
                continue;
            add(q, {line, edge, sides[0] / 3, extreme_at(q.circle, line, u), from.normalized()});
        }
    }
}

void RimOnTriangles::add_vertices(const Query& q)
{
    const EdgeTopology& topology = q.surface.topology;
    features_of(near_, topology.facets, features_);
    for (const int v : features_) {
        const Vec3& at = topology.positions[v];
        if (!(distance_to(q.circle, at) < q.circle.tube))
            continue;
        const Vec3 arm = at - q.circle.centre, across = arm - q.circle.axis.dot(arm) * q.circle.axis;
        const Vec3 u = across.norm() > q.tie ? Vec3(across.normalized()) : q.circle.mark;
        const Vec3 E = q.circle.centre + q.circle.radius * u;
        if (!((E - at).norm() > q.tie) || !is_place(q, TriangleFeature::vertex, v, u, E))
            continue;
        const MeshFeature point{TriangleFeature::vertex, at, Vec3::Zero()};
        add(q, {point, v, topology.corners_of(v)[0] / 3, extreme_at(q.circle, point, u), (E - at).normalized()});
    }
}

// A circle that has gone through the surface, farther than its tube is wide, and that no other place holds is met by
// the plane of the facet that is nearest to where it is deepest.
void RimOnTriangles::add_passed(const Query& q)
{
    constexpr int directions = 24;
    const EdgeTopology& topology = q.surface.topology;
    const double turned = q.circle.radius * (q.circle.axis - q.before.axis).norm();
    if (q.kept.empty() && (q.circle.centre - q.before.centre).norm() + turned < q.circle.tube)
        return;
    Bounds passed = box_of(q.circle);
    passed.add(box_of(q.before).min);
    passed.add(box_of(q.before).max);
    if (!boxes_meet(passed, q.surface.tree.bounds()))
        return;
    std::optional<NearestOfSurface> deepest;
    Vec3 from = Vec3::Zero(); // the surface, of the place of the circle
    for (int i = 0; i < directions; ++i) {
        const Vec3 u = q.circle.direction(2 * std::numbers::pi * i / directions);
        const Vec3 E = q.circle.centre + q.circle.radius * u, old = q.old_place(u);
        Vec3 facing = (old - E).normalized();
        if (const Vec3* held = q.held_from(u))
            facing = *held;
        else if (!changes_side(q.surface, old, E, q.is_sheet ? nullptr : &facing))
            continue;
        const NearestOfSurface nearest =
            q.is_sheet ? nearest_of(q.surface, E, facets_, contacts_) : nearest_facing(q.surface, E, facing, contacts_);
        if (!deepest || nearest.distance > deepest->distance) {
            deepest = nearest;
            from = E - nearest.contact.point;
        }
    }
    if (!deepest)
        return;
    const int facet = deepest->contact.facet;
    const Vec3 own = topology.normals[facet], n = own.dot(from) > 0 ? Vec3(-own) : own;
    const Vec3 across = n - q.circle.axis.dot(n) * q.circle.axis;
    const double tilt = across.norm();
    may_lie_flat_ = may_lie_flat_ || extreme_share(tilt).share < 1;
    if (extreme_share(tilt).share == 0)
        return;
    const MeshFeature plane{TriangleFeature::face, topology.positions[topology.facets[facet][0]], n};
    const ExtremePoint lowest = extreme_at(q.circle, plane, -across / tilt);
    if (lowest.phi < 0)
        add(q, {.feature = plane, .number = facet, .facet = facet, .at = lowest, .n = n, .is_alone = true});
}

// Facets of one plane, and what lies on a border, have the same place.
void RimOnTriangles::add(const Query& q, const RimPlace& place)
{
    const bool is_known = std::any_of(places_.begin(), places_.end(), [&](const RimPlace& known) {
        return known.seam.has_value() == place.seam.has_value() && (known.at.E - place.at.E).norm() < 10 * q.tie
            && known.n.dot(place.n) > 1 - 1e-12;
    });
    if (!is_known)
        places_.push_back(place);
}

} // namespace stickslip
