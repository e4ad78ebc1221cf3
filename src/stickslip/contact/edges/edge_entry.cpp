#include "stickslip/contact/edges/edge_entry.h"

#include "stickslip/contact/edges/crossing_edges.h"
#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/math/smooth_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double parallel_sine = 1e-3; // parallel edges are carried by their ends
constexpr double least_weight = 1e-9;
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

/// [-] Of a pair: an edge that is blunt meets sharp ones, the blunter the longer they are. What is no longer than the
/// edges of a round surface has points enough to lie on its patches.
double sharpness(const SurfaceEdges& a, const SurfaceEdges& b, const SurfaceEdge& of_a, const SurfaceEdge& of_b)
{
    constexpr double longer = 2, much_longer = 4; // [-] times the mean edge of the other body
    const auto meets = [](const SurfaceEdges& body, const SurfaceEdge& sharp, const SurfaceEdges& other,
                           const SurfaceEdge& blunt) {
        const double times = line_of(sharp, body.old()).along.norm() / other.edge_length();
        const double s = smooth_step((times - longer) / (much_longer - longer)).value;
        return sharp.sharpness * (blunt.against_sharp + s * (blunt.against_long - blunt.against_sharp));
    };
    return std::max(meets(a, of_a, b, of_b), meets(b, of_b, a, of_a));
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

/// Whether an edge is crossed, at its parameter `at`, within a corner at its end by no more than `indentation`, or than
/// the depth d of the pair: then it is the corner's other faces that hold, beside which springs, and what tilts on
/// them, let it sink.
bool is_level_with_end(const SurfaceEdges& body, int edge, double at, double indentation, double d)
{
    const SurfaceEdge& e = body.edges()[edge];
    const double length = line_of(e, body.old()).along.norm();
    const double most = std::min(std::max(indentation, d), level_limit * length);
    const auto is_level = [&](int end, double inside) { return !e.goes_on(end) && inside >= 0 && inside <= most; };
    return is_level(0, length * at) || is_level(1, length * (1 - at));
}

/// [m] How deep the deeper end of an edge lies under a facet, of that unit normal, at a vertex.
double deepest_end(const SurfaceEdge& e, const std::vector<Vec3>& x, const Vec3& facet, const Vec3& vertex)
{
    return std::max(facet.dot(vertex - x[e.ends[0]]), facet.dot(vertex - x[e.ends[1]]));
}

/// [m] The same of the edges in which it goes on.
double deepest_beyond(const SurfaceEdge& e, const std::vector<Vec3>& x, const Vec3& facet, const Vec3& vertex)
{
    double deepest = -infinity;
    for (const int v : e.beyond)
        if (v >= 0)
            deepest = std::max(deepest, facet.dot(vertex - x[v]));
    return deepest;
}

/// Whether an edge reaches no deeper than `indentation` under a facet beside another, across which the two would stop
/// each other: what springs let sink is not stopped by the next facet that is flush. What goes on under the facet
/// beyond a joint is not. That of a round rim has no corner there. Nor does it cross the other while all of it stays
/// before the facet: what goes on beyond its joints would, as the sides of a rim's polygon beyond their corners.
bool is_level_with_facet(
    const SurfaceEdges& a, int edge_a, const SurfaceEdges& b, int edge_b, const Vec3& n, double indentation)
{
    constexpr double most_across = 0.5; // [-] cosine between the normal of the pair and that of the facet
    const SurfaceEdge &of_a = a.edges()[edge_a], &of_b = b.edges()[edge_b];
    const double most = std::min(indentation, level_limit * line_of(of_a, a.old()).along.norm());
    const bool goes_on = of_a.goes_on(0) || of_a.goes_on(1);
    for (const int f : {0, 1}) {
        const auto normal = [&](const Vec3& along, const Vec3& g, const Vec3& beyond) {
            return of_b.g[0] == of_b.g[1] // the two sides of a sheet at its rim
                ? Vec3((f == 0 ? 1 : -1) * along.normalized().cross(g))
                : Vec3((beyond - beyond.dot(g) * g).normalized());
        };
        const Vec3 facet =
            normal(line_of(of_b, b.old()).along, b.old_direction(of_b.g[f]), b.old_direction(of_b.g[1 - f]));
        if (!(std::abs(facet.dot(n)) < most_across))
            continue;
        const double depth = deepest_end(of_a, a.old(), facet, b.old()[of_b.ends[0]]);
        if (std::abs(depth) <= most && deepest_beyond(of_a, a.old(), facet, b.old()[of_b.ends[0]]) <= most)
            return true;
        const Vec3 next = normal(line_of(of_b, b.next()).along, b.direction(of_b.g[f]), b.direction(of_b.g[1 - f]));
        if (depth < 0 && goes_on && a.keeps_shape() && b.keeps_shape()
            && deepest_end(of_a, a.next(), next, b.next()[of_b.ends[0]]) <= most)
            return true;
    }
    return false;
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

bool is_earlier(const EdgeEntry& e, const EdgeEntry& f)
{
    return std::pair(e.a, e.b) < std::pair(f.a, f.b);
}

/// Whether an edge that was crossed beyond a corner at its end, at its parameter `old`, will be within it by less than
/// `depth`, at `next`: the other body's face beside the corner is nearer then than the edge, and holds it.
bool comes_in_beside(const SurfaceEdges& body, int edge, double old, double next, double depth)
{
    const SurfaceEdge& e = body.edges()[edge];
    const double length = line_of(e, body.next()).along.norm();
    return (!e.goes_on(0) && old < 0 && length * next < depth)
        || (!e.goes_on(1) && old > 1 && length * (1 - next) < depth);
}

/// Whether a pair was crossed beyond a corner deeper than `indentation`, and comes in beside it.
bool passes_beside(const SurfaceEdges& a, const SurfaceEdges& b, const EdgeEntry& entry, double indentation)
{
    if (entry.d_old <= indentation)
        return false;
    const auto next =
        crossing_of(line_of(a.edges()[entry.a], a.next()), line_of(b.edges()[entry.b], b.next()), entry.sigma);
    const auto beside = [&](const SurfaceEdges& body, int edge, double old, double now) {
        return comes_in_beside(body, edge, old, now, next->d);
    };
    return next && (beside(a, entry.a, entry.s_old, next->s) || beside(b, entry.b, entry.t_old, next->t));
}

/// Whether an edge is crossed, at its parameter `at`, beyond a corner at its end.
bool is_beyond_corner(const SurfaceEdge& edge, double at)
{
    return (!edge.goes_on(0) && at < 0) || (!edge.goes_on(1) && at > 1);
}

/// Whether a pair that holds no attachment may have come together in this step or just before it. Beyond a corner the
/// vertex there may have. Edges farther apart than the way of the two have not: where they become parallel within the
/// step, d would change its sign. reach [m]: by which that way may be longer than predicted; 0 of a way that was gone.
bool can_be_met(const SurfaceEdges& a, const SurfaceEdges& b, const EdgeEntry& entry, double reach, double indentation)
{
    if (-entry.d_old > reach + approach(a, b, a.edges()[entry.a], b.edges()[entry.b]))
        return false;
    const bool is_beyond =
        is_beyond_corner(a.edges()[entry.a], entry.s_old) || is_beyond_corner(b.edges()[entry.b], entry.t_old);
    if (!(entry.d_old <= (is_beyond ? 2 : 1) * std::min(a.entry_depth(), b.entry_depth()))
        || passes_beside(a, b, entry, indentation)
        || is_level_with_end(a, entry.a, entry.s_old, indentation, entry.d_old)
        || is_level_with_end(b, entry.b, entry.t_old, indentation, entry.d_old))
        return false;
    const auto n = normal_of(line_of(a.edges()[entry.a], a.old()), line_of(b.edges()[entry.b], b.old()));
    return !n
        || (!is_level_with_facet(a, entry.a, b, entry.b, *n, indentation)
            && !is_level_with_facet(b, entry.b, a, entry.a, *n, indentation));
}

} // namespace

std::optional<EdgeEntry> edge_entry(const SurfaceEdges& a, const SurfaceEdges& b, int edge_a, int edge_b, double sigma)
{
    const SurfaceEdge &of_a = a.edges()[edge_a], &of_b = b.edges()[edge_b];
    const double of_pair = sharpness(a, b, of_a, of_b);
    if (!(of_pair > 0))
        return std::nullopt;
    const auto of_sides = clearances(a, b, of_a, of_b);
    if (!of_sides)
        return std::nullopt;
    const auto [up, down] = *of_sides;
    if (sigma == 0)
        sigma = up < down ? -1 : 1;
    const auto& [begin, whole] = a.keeps_shape() && b.keeps_shape() ? of_solids : of_what_deforms;
    const double weight = smooth_step(((sigma > 0 ? up : down) - begin) / (whole - begin)).value * of_pair;
    if (!(weight > least_weight))
        return std::nullopt;
    const auto old = crossing_of(line_of(of_a, a.old()), line_of(of_b, b.old()), sigma);
    if (!old)
        return std::nullopt;
    const double shorter = std::min(a.edge_length(), b.edge_length()), joint_fade = joint_share * shorter;
    return EdgeEntry{edge_a, edge_b, sigma, weight, old->d, old->s, old->t, SpringStart::empty(std::max(0.0, old->d)),
        joint_fade, std::min(joint_fade, end_share * shorter + way_share * approach(a, b, of_a, of_b))};
}

void find_edge_entries(const SurfaceEdges& a, const SurfaceEdges& b, std::span<const Attachment> kept, int first_edge,
    double reach, double indentation, std::vector<EdgeEntry>& entries)
{
    entries.clear();
    for (const Attachment& held : kept) {
        const int edge_a = a.index_of(held.point - first_edge), edge_b = b.index_of(held.slot);
        if (edge_a < 0 || edge_b < 0)
            continue;
        if (auto entry = edge_entry(a, b, edge_a, edge_b, held.on_edges().sigma)) {
            entry->kept = &held;
            entries.push_back(*entry);
        }
    }
    std::sort(entries.begin(), entries.end(), is_earlier);
    const std::size_t known = entries.size();
    visit_near(a, b, reach, [&](int i, int j) {
        const auto end = entries.begin() + static_cast<std::ptrdiff_t>(known);
        if (std::binary_search(entries.begin(), end, EdgeEntry{.a = i, .b = j}, is_earlier))
            return;
        const auto entry = edge_entry(a, b, i, j, 0);
        if (entry && can_be_met(a, b, *entry, reach, indentation))
            entries.push_back(*entry);
    });
    std::sort(entries.begin(), entries.end(), is_earlier);
}

bool grow_edge_entries(
    const SurfaceEdges& a, const SurfaceEdges& b, double indentation, std::vector<EdgeEntry>& entries)
{
    const std::size_t known = entries.size();
    bool any = false;
    visit_near(a, b, 0, [&](int i, int j) {
        const auto end = entries.begin() + static_cast<std::ptrdiff_t>(known);
        const auto at = std::lower_bound(entries.begin(), end, EdgeEntry{.a = i, .b = j}, is_earlier);
        const bool is_known = at != end && at->a == i && at->b == j;
        if (is_known && (at->kept || at->weight > 1 - least_growth))
            return;
        const auto entry = edge_entry(a, b, i, j, is_known ? at->sigma : 0);
        if (!entry
            || (is_known ? entry->weight < at->weight + least_growth : !can_be_met(a, b, *entry, 0, indentation)))
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
    std::sort(entries.begin(), entries.end(), is_earlier);
    return any;
}

} // namespace stickslip
