#include "stickslip/contact/edges/edge_entry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double parallel_sine = 1e-3; // parallel edges are carried by their ends
const double full_margin = std::sin(10 * std::numbers::pi / 180); // nearer to a facet, points of it carry as well
constexpr double least_weight = 1e-9; // flush but for rounding
constexpr double fade_share = 0.25; // [-] of an edge

struct EdgeLine {
    Vec3 start, along; // [m]
};

EdgeLine line_of(const SurfaceEdge& e, const std::vector<Vec3>& x)
{
    return {x[e.ends[0]], x[e.ends[1]] - x[e.ends[0]]};
}

struct LineCrossing {
    double d, s, t;
};

std::optional<LineCrossing> crossing(const EdgeLine& a, const EdgeLine& b, double sigma)
{
    const Vec3 r = a.start - b.start, m = a.along.cross(b.along);
    const double uu = a.along.squaredNorm(), vv = b.along.squaredNorm(), mm = m.squaredNorm();
    if (!(mm > parallel_sine * parallel_sine * uu * vv))
        return std::nullopt;
    const double uv = a.along.dot(b.along), ur = a.along.dot(r), vr = b.along.dot(r);
    return LineCrossing{-sigma * m.dot(r) / std::sqrt(mm), (uv * vr - vv * ur) / mm, (uu * vr - uv * ur) / mm};
}

/// Sine of the angle by which the plane with the normal n from b to a clears the facets at both edges, negative where
/// it cuts one.
double margin(
    const SurfaceEdges& a, const SurfaceEdges& b, const SurfaceEdge& of_a, const SurfaceEdge& of_b, const Vec3& n)
{
    double least = 1;
    for (const Vec3& g : of_a.g)
        least = std::min(least, -n.dot(a.direction(g)));
    for (const Vec3& g : of_b.g)
        least = std::min(least, n.dot(b.direction(g)));
    return least;
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

double deepest_new(const SurfaceEdges& a, const SurfaceEdges& b)
{
    return std::min(a.may_be_sunk(), b.may_be_sunk());
}

} // namespace

std::optional<EdgeEntry> edge_entry(const SurfaceEdges& a, const SurfaceEdges& b, int edge_a, int edge_b, double sigma)
{
    const SurfaceEdge &of_a = a.edges()[edge_a], &of_b = b.edges()[edge_b];
    const EdgeLine next_a = line_of(of_a, a.next()), next_b = line_of(of_b, b.next());
    const Vec3 m = next_a.along.normalized().cross(next_b.along.normalized());
    const double sine = m.norm();
    if (sine < parallel_sine)
        return std::nullopt;
    const double up = margin(a, b, of_a, of_b, m / sine), down = margin(a, b, of_a, of_b, -m / sine);
    if (sigma == 0)
        sigma = up < down ? -1 : 1;
    const double x = std::clamp((sigma > 0 ? up : down) / full_margin, 0.0, 1.0);
    const double weight = x * x * (3 - 2 * x) * of_a.sharpness * of_b.sharpness;
    if (!(weight > least_weight))
        return std::nullopt;
    const auto old = crossing(line_of(of_a, a.old()), line_of(of_b, b.old()), sigma);
    if (!old)
        return std::nullopt;
    return EdgeEntry{edge_a, edge_b, sigma, weight, old->d, old->s, old->t, std::max(0.0, old->d),
        fade_share * std::min(a.edge_length(), b.edge_length())};
}

void find_edge_entries(const SurfaceEdges& a, const SurfaceEdges& b, std::span<const Attachment> kept, int first_edge,
    double reach, std::vector<EdgeEntry>& entries)
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
        if (entry && entry->d_old <= deepest_new(a, b))
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
        for (const EdgeEntry& held : entries)
            if (held.kept >= 0 && goes_on_in(a, entry.a, held.a) && goes_on_in(b, entry.b, held.b))
                entry.unfelt = std::min(entry.unfelt, held.unfelt);
    }
}

void find_crossed_edges(
    const SurfaceEdges& a, const SurfaceEdges& b, std::span<const EdgeEntry> known, std::vector<EdgeEntry>& entries)
{
    entries.clear();
    visit_near(a, b, 0, [&](int i, int j) {
        if (std::binary_search(known.begin(), known.end(), EdgeEntry{.a = i, .b = j}, comes_before))
            return;
        const auto entry = edge_entry(a, b, i, j, 0);
        if (!entry || entry->d_old > deepest_new(a, b))
            return;
        const auto now = crossing(line_of(a.edges()[i], a.next()), line_of(b.edges()[j], b.next()), entry->sigma);
        const auto is_within = [](double s) { return s > 0 && s < 1; };
        if (now && now->d > 0 && is_within(now->s) && is_within(now->t))
            entries.push_back(*entry);
    });
    std::sort(entries.begin(), entries.end(), comes_before);
}

} // namespace stickslip
