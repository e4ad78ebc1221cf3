#include "stickslip/contact/edges/edge_entry.h"

#include "stickslip/contact/edges/crossing_edges.h"
#include "stickslip/contact/relax/entry_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double parallel_sine = 1e-3; // parallel edges are carried by their ends
constexpr double least_weight = 1e-9;
constexpr double same_place = 1e-9; // [-] of an edge
constexpr double least_growth = 0.05; // of a weight, for which a step is solved again
constexpr double joint_share = 0.25, end_share = 0.05; // [-] of an edge
constexpr double way_share = 0.1; // [-] of what the edges approach each other by in the step

// Sines of the angle by which the plane between two edges clears their facets: where the weight begins and is whole. A
// facet that deforms carries what lies flush on it by an even pressure; one that keeps its shape carries by its corners
// alone.
struct Clearance {
    double begin, whole;
};
constexpr Clearance of_solids = {-0.2, 0};
const Clearance of_what_deforms = {0, std::sin(10 * std::numbers::pi / 180)};

EdgeLine line_of(const SurfaceEdge& e, const std::vector<Vec3>& x)
{
    return {x[e.ends[0]], x[e.ends[1]] - x[e.ends[0]]};
}

/// Nothing where the edges are parallel.
std::optional<EdgeCrossing> crossing_of(const EdgeLine& a, const EdgeLine& b, double sigma)
{
    const double mm = a.along.cross(b.along).squaredNorm();
    if (!(mm > parallel_sine * parallel_sine * a.along.squaredNorm() * b.along.squaredNorm()))
        return std::nullopt;
    return crossing(a, b, sigma);
}

/// Sine of the angle by which the plane with the normal n from b to a clears the facets at both edges, negative where
/// it cuts one. direction(body, g): of a direction in a facet, in the world.
template <typename Direction>
double clearance(const SurfaceEdges& a, const SurfaceEdges& b, const SurfaceEdge& of_a, const SurfaceEdge& of_b,
    const Vec3& n, const Direction& direction)
{
    double least = 1;
    for (const Vec3& g : of_a.g)
        least = std::min(least, -n.dot(direction(a, g)));
    for (const Vec3& g : of_b.g)
        least = std::min(least, n.dot(direction(b, g)));
    return least;
}

/// The unit normal of both lines; nothing where they are parallel.
std::optional<Vec3> normal_of(const EdgeLine& a, const EdgeLine& b)
{
    const Vec3 m = a.along.normalized().cross(b.along.normalized());
    const double sine = m.norm();
    return sine < parallel_sine ? std::nullopt : std::optional<Vec3>(m / sine);
}

/// Of the sides 1 and -1: the greater clearance at the start of the step, where both keep their shape, and as
/// predicted.
std::optional<std::array<double, 2>> clearances(
    const SurfaceEdges& a, const SurfaceEdges& b, const SurfaceEdge& of_a, const SurfaceEdge& of_b)
{
    const auto next = normal_of(line_of(of_a, a.next()), line_of(of_b, b.next()));
    if (!next)
        return std::nullopt;
    const auto predicted = [](const SurfaceEdges& body, const Vec3& g) { return body.direction(g); };
    std::array<double, 2> of_sides = {
        clearance(a, b, of_a, of_b, *next, predicted), clearance(a, b, of_a, of_b, -*next, predicted)};
    const auto old = normal_of(line_of(of_a, a.old()), line_of(of_b, b.old()));
    if (!old || !a.keeps_shape() || !b.keeps_shape())
        return of_sides;
    const auto at_start = [](const SurfaceEdges& body, const Vec3& g) { return body.old_direction(g); };
    of_sides[0] = std::max(of_sides[0], clearance(a, b, of_a, of_b, *old, at_start));
    of_sides[1] = std::max(of_sides[1], clearance(a, b, of_a, of_b, -*old, at_start));
    return of_sides;
}

/// [m] By which two edges come nearer to each other on their ways, at most.
double approach(const SurfaceEdges& a, const SurfaceEdges& b, const SurfaceEdge& of_a, const SurfaceEdge& of_b)
{
    double way = 0;
    for (const int v : of_a.ends)
        for (const int w : of_b.ends)
            way = std::max(way, (a.next()[v] - a.old()[v] - b.next()[w] + b.old()[w]).norm());
    return way;
}

bool share_vertex(const SurfaceEdge& e, const SurfaceEdge& f)
{
    return e.ends[0] == f.ends[0] || e.ends[0] == f.ends[1] || e.ends[1] == f.ends[0] || e.ends[1] == f.ends[1];
}

/// Whether one edge is the other, or goes on in it around a joint.
bool goes_on_in(const SurfaceEdges& body, int edge, int other)
{
    const SurfaceEdge &e = body.edges()[edge], &f = body.edges()[other];
    const auto meets = [&](int end) {
        return e.goes_on[end] && std::find(f.ends.begin(), f.ends.end(), e.ends[end]) != f.ends.end();
    };
    return edge == other || meets(0) || meets(1);
}

/// Whether an edge is crossed, at its parameter `at`, so far beyond a joint that it has no share there.
bool is_left_at_joint(const SurfaceEdges& body, int edge, double at, double fade)
{
    const SurfaceEdge& e = body.edges()[edge];
    const double length = line_of(e, body.old()).along.norm();
    return (e.goes_on[0] && length * at <= -0.5 * fade) || (e.goes_on[1] && length * (1 - at) <= -0.5 * fade);
}

/// Whether an edge is crossed, at its parameter `at`, within a corner at its end by no more than `sunk`.
bool is_level_with_end(const SurfaceEdges& body, int edge, double at, double sunk)
{
    const SurfaceEdge& e = body.edges()[edge];
    const double length = line_of(e, body.old()).along.norm(), most = std::min(sunk, level_limit * length);
    const auto is_level = [&](int end, double inside) { return !e.goes_on[end] && inside >= 0 && inside <= most; };
    return is_level(0, length * at) || is_level(1, length * (1 - at));
}

/// Calls visit(index of a, index of b) for all whose ways come near.
template <typename Visit>
void visit_near(const SurfaceEdges& a, const SurfaceEdges& b, double reach, const Visit& visit)
{
    const Vec3 margin = Vec3::Constant(reach);
    for (int i = 0; i < static_cast<int>(a.edges().size()); ++i) {
        const Bounds way = a.way(i), box{way.min - margin, way.max + margin};
        b.visit_ways(box, [&](int j) {
            if (!b.way(j).overlaps(box))
                return;
            if (&a != &b || (i < j && !share_vertex(a.edges()[i], a.edges()[j])))
                visit(i, j);
        });
    }
}

bool comes_before(const EdgeEntry& e, const EdgeEntry& f)
{
    return std::pair(e.a, e.b) < std::pair(f.a, f.b);
}

/// The end beyond which an edge is crossed, at its parameter `at`, where it has no share yet; -1: none.
int corner_passed(const SurfaceEdge& edge, double at)
{
    return !edge.goes_on[0] && at <= -met_fade ? 0 : !edge.goes_on[1] && at >= 1 + met_fade ? 1 : -1;
}

/// Whether a pair that holds no attachment may have come together in this step or just before it. Beyond a corner the
/// vertex there may have.
bool can_be_met(const SurfaceEdges& a, const SurfaceEdges& b, const EdgeEntry& entry, double sunk)
{
    const bool is_beyond =
        corner_passed(a.edges()[entry.a], entry.s_old) >= 0 || corner_passed(b.edges()[entry.b], entry.t_old) >= 0;
    return entry.d_old <= (is_beyond ? 2 : 1) * std::min(a.may_be_sunk(), b.may_be_sunk())
        && !is_level_with_end(a, entry.a, entry.s_old, sunk) && !is_level_with_end(b, entry.b, entry.t_old, sunk);
}

} // namespace

std::optional<EdgeEntry> edge_entry(const SurfaceEdges& a, const SurfaceEdges& b, int edge_a, int edge_b, double sigma)
{
    const SurfaceEdge &of_a = a.edges()[edge_a], &of_b = b.edges()[edge_b];
    const double sharpness = std::max(of_a.sharpness * of_b.against_sharp, of_a.against_sharp * of_b.sharpness);
    if (!(sharpness > 0))
        return std::nullopt;
    const auto of_sides = clearances(a, b, of_a, of_b);
    if (!of_sides)
        return std::nullopt;
    const auto [up, down] = *of_sides;
    if (sigma == 0)
        sigma = up < down ? -1 : 1;
    const auto& [begin, whole] = a.keeps_shape() && b.keeps_shape() ? of_solids : of_what_deforms;
    const double x = std::clamp(((sigma > 0 ? up : down) - begin) / (whole - begin), 0.0, 1.0);
    const double weight = x * x * (3 - 2 * x) * sharpness;
    if (!(weight > least_weight))
        return std::nullopt;
    const auto old = crossing_of(line_of(of_a, a.old()), line_of(of_b, b.old()), sigma);
    if (!old)
        return std::nullopt;
    const double shorter = std::min(a.edge_length(), b.edge_length()), joint_fade = joint_share * shorter;
    return EdgeEntry{edge_a, edge_b, sigma, weight, old->d, old->s, old->t, std::max(0.0, old->d), joint_fade,
        std::min(joint_fade, end_share * shorter + way_share * approach(a, b, of_a, of_b))};
}

void find_edge_entries(const SurfaceEdges& a, const SurfaceEdges& b, std::span<const Attachment> kept, int first_edge,
    double reach, double sunk, std::vector<EdgeEntry>& entries)
{
    entries.clear();
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const int edge_a = a.index_of(kept[i].point - first_edge), edge_b = b.index_of(kept[i].slot);
        if (edge_a < 0 || edge_b < 0)
            continue;
        if (auto entry = edge_entry(a, b, edge_a, edge_b, kept[i].X.z())) {
            entry->kept = static_cast<int>(i);
            entries.push_back(*entry);
        }
    }
    std::sort(entries.begin(), entries.end(), comes_before);
    const std::size_t held = entries.size();
    visit_near(a, b, reach, [&](int i, int j) {
        const auto known = entries.begin() + static_cast<std::ptrdiff_t>(held);
        if (std::binary_search(entries.begin(), known, EdgeEntry{.a = i, .b = j}, comes_before))
            return;
        const auto entry = edge_entry(a, b, i, j, 0);
        if (entry && can_be_met(a, b, *entry, sunk))
            entries.push_back(*entry);
    });
    std::sort(entries.begin(), entries.end(), comes_before);
}

void take_over_at_joints(const SurfaceEdges& a, const SurfaceEdges& b, std::span<EdgeEntry> entries)
{
    const auto is_held = [](const EdgeEntry& e) { return e.kept >= 0; };
    if (std::none_of(entries.begin(), entries.end(), is_held))
        return;
    for (EdgeEntry& entry : entries) {
        if (entry.kept >= 0 || entry.unfelt == 0)
            continue;
        if (!is_left_at_joint(a, entry.a, entry.s_old, entry.joint_fade)
            && !is_left_at_joint(b, entry.b, entry.t_old, entry.joint_fade))
            continue;
        for (const EdgeEntry& held : entries)
            if (held.kept >= 0 && goes_on_in(a, entry.a, held.a) && goes_on_in(b, entry.b, held.b))
                entry.unfelt = std::min(entry.unfelt, held.unfelt);
    }
}

void take_over_at_corners(const SurfaceEdges& a, const SurfaceEdges& b, std::span<const HeldPoint> of_a,
    std::span<const HeldPoint> of_b, double k, std::span<EdgeEntry> entries)
{
    for (EdgeEntry& entry : entries) {
        if (entry.kept >= 0 || entry.unfelt == 0)
            continue;
        double energy = 0, depth = 0;
        const auto add = [&](const SurfaceEdges& body, int edge, double at, std::span<const HeldPoint> points) {
            const SurfaceEdge& e = body.edges()[edge];
            const int end = corner_passed(e, at);
            for (const HeldPoint& held : points)
                if (end >= 0 && (held.place - body.old()[e.ends[end]]).norm() < same_place * body.edge_length()) {
                    energy += held.energy;
                    depth = std::max(depth, held.depth);
                }
        };
        add(a, entry.a, entry.s_old, of_a);
        add(b, entry.b, entry.t_old, of_b);
        if (energy > 0)
            entry.unfelt = std::max(0.0, std::min(entry.d_old, depth) - std::sqrt(2 * energy / k));
    }
}

bool grow_edge_entries(const SurfaceEdges& a, const SurfaceEdges& b, double sunk, std::vector<EdgeEntry>& entries)
{
    const std::size_t known = entries.size();
    bool any = false;
    visit_near(a, b, 0, [&](int i, int j) {
        const auto end = entries.begin() + static_cast<std::ptrdiff_t>(known);
        const auto at = std::lower_bound(entries.begin(), end, EdgeEntry{.a = i, .b = j}, comes_before);
        const bool is_known = at != end && at->a == i && at->b == j;
        if (is_known && (at->kept >= 0 || at->weight > 1 - least_growth))
            return;
        const auto entry = edge_entry(a, b, i, j, is_known ? at->sigma : 0);
        if (!entry || (is_known ? entry->weight < at->weight + least_growth : !can_be_met(a, b, *entry, sunk)))
            return;
        const auto now = crossing_of(line_of(a.edges()[i], a.next()), line_of(b.edges()[j], b.next()), entry->sigma);
        const auto is_within = [](double s) { return s > 0 && s < 1; };
        if (!now || !(now->d > 0 && is_within(now->s) && is_within(now->t)))
            return;
        any = true;
        if (is_known)
            at->weight = entry->weight;
        else
            entries.push_back(*entry);
    });
    std::sort(entries.begin(), entries.end(), comes_before);
    return any;
}

} // namespace stickslip
