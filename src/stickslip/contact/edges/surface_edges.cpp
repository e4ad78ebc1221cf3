#include "stickslip/contact/edges/surface_edges.h"

#include "stickslip/math/angle.h"
#include "stickslip/math/smooth_step.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

namespace stickslip {

namespace {

constexpr double degree = std::numbers::pi / 180;
/// Folds [rad] below which patches carry alone, and above which edges count whole.
struct Folds {
    double blunt, sharp;
};
constexpr Folds of_all = {40 * degree, 60 * degree};
// Against sharp edges, of what keeps its shape: it is met by few points beside its vertices.
constexpr Folds of_solids_against_sharp = {15 * degree, 22 * degree};
/// Where nothing else carries: of a sheet, under a face that is longer than its edges; of a surface that keeps its
/// shape, against a sharp edge that is longer than its own, and crosses it between its vertices.
constexpr Folds of_what_alone_carries = {1 * degree, 3 * degree};
constexpr double crease = 40 * degree; // [rad] between smooth patches
constexpr double edge_entry_share = 0.25; // [-] of an edge and of the thickness

double sharpness_of(double fold, const Folds& folds)
{
    return smooth_step((fold - folds.blunt) / (folds.sharp - folds.blunt)).value;
}

/// An edge goes on in the only other one at its end. Blunt ones that end at a crease do not end it.
void find_joints(std::vector<SurfaceEdge>& edges, std::size_t vertices)
{
    const auto is_crease = [](const SurfaceEdge& e) { return e.g[0].dot(e.g[1]) >= -std::cos(crease); };
    // How many edges meet at a vertex, and the sum of their far ends: where two meet, it less the far end of one is the
    // far end of the other.
    struct Meeting {
        int edges = 0, far_ends = 0;
    };
    std::vector<Meeting> all(vertices), creases(vertices);
    for (const SurfaceEdge& e : edges)
        for (int i = 0; i < 2; ++i)
            for (std::vector<Meeting>* of : {&all, &creases})
                if (of == &all || is_crease(e)) {
                    ++(*of)[e.ends[i]].edges;
                    (*of)[e.ends[i]].far_ends += e.ends[1 - i];
                }
    for (SurfaceEdge& e : edges)
        for (int i = 0; i < 2; ++i)
            for (const std::vector<Meeting>* of : {&creases, &all})
                if ((*of)[e.ends[i]].edges == 2 && (of == &all || is_crease(e)))
                    e.beyond[i] = (*of)[e.ends[i]].far_ends - e.ends[1 - i];
}

std::array<int, 2> ends_of(const SmoothPatches& surface, int facet, int side)
{
    return {surface.facets[facet][side], surface.facets[facet][(side + 1) % 3]};
}

Vec3 direction_of(const SmoothPatches& surface, int facet, int side)
{
    const auto [begin, end] = ends_of(surface, facet, side);
    return (surface.x[end] - surface.x[begin]).normalized();
}

Vec3 normal_of(const SmoothPatches& surface, int facet)
{
    const auto& [i, j, k] = surface.facets[facet];
    return (surface.x[j] - surface.x[i]).cross(surface.x[k] - surface.x[i]).normalized();
}

struct FoldsOfBody {
    Folds by_itself, against_sharp, against_long;
};
constexpr FoldsOfBody folds_of_what_deforms = {of_all, of_all, of_all};
constexpr FoldsOfBody folds_of_solids = {of_all, of_solids_against_sharp, of_what_alone_carries};
constexpr FoldsOfBody folds_of_sheets = {of_what_alone_carries, of_what_alone_carries, of_what_alone_carries};

/// Nothing where the edge meets no other.
std::optional<SurfaceEdge> convex_edge(
    int number, const std::array<int, 2>& ends, const std::array<Vec3, 2>& g, double fold, const FoldsOfBody& folds)
{
    const double against_long = sharpness_of(fold, folds.against_long);
    if (!(against_long > 0))
        return std::nullopt;
    return SurfaceEdge{
        number, ends, g, sharpness_of(fold, folds.by_itself), sharpness_of(fold, folds.against_sharp), against_long};
}

std::vector<SurfaceEdge> convex_folds(const SmoothPatches& surface, const FoldsOfBody& folds)
{
    std::vector<SurfaceEdge> edges;
    for (int f = 0; f < static_cast<int>(surface.facets.size()); ++f)
        for (int side = 0; side < 3; ++side) {
            const int other = surface.beyond(f, side);
            if (other < f || !surface.is_convex(f, side))
                continue;
            const Vec3 t = direction_of(surface, f, side), n = normal_of(surface, f),
                       beyond = normal_of(surface, other);
            if (const auto edge = convex_edge(3 * f + side, ends_of(surface, f, side), {t.cross(n), beyond.cross(t)},
                    angle_between(n, beyond), folds))
                edges.push_back(*edge);
        }
    find_joints(edges, surface.x.size());
    return edges;
}

} // namespace

std::vector<SurfaceEdge> convex_creases(const SmoothPatches& surface, bool keeps_shape)
{
    return convex_folds(surface, keeps_shape ? folds_of_solids : folds_of_what_deforms);
}

std::vector<SurfaceEdge> folds_and_rims(const SmoothPatches& both_sides)
{
    std::vector<SurfaceEdge> edges = convex_folds(both_sides, folds_of_sheets);
    const int facets = static_cast<int>(both_sides.facets.size()) / 2; // of one side
    std::set<std::array<int, 2>> known; // where more than two facets meet, each has its rim there
    for (int f = 0; f < facets; ++f)
        for (int side = 0; side < 3; ++side)
            if (const auto [a, b] = ends_of(both_sides, f, side);
                both_sides.beyond(f, side) < 0 && known.insert({std::min(a, b), std::max(a, b)}).second) {
                const Vec3 g = direction_of(both_sides, f, side).cross(normal_of(both_sides, f));
                edges.push_back({3 * f + side, ends_of(both_sides, f, side), {g, g}, 1, 1, 1});
            }
    std::sort(
        edges.begin(), edges.end(), [](const SurfaceEdge& a, const SurfaceEdge& b) { return a.number < b.number; });
    find_joints(edges, both_sides.x.size());
    return edges;
}

std::vector<SurfaceEdge> convex_creases(const ConvexFeatures& solid)
{
    std::vector<SurfaceEdge> edges;
    for (std::size_t i = 0; i < solid.edges.size(); ++i) {
        const ConvexFeatures::Edge& e = solid.edges[i];
        const double fold = angle_between(solid.faces[e.faces[0]].n, solid.faces[e.faces[1]].n);
        if (const auto edge = convex_edge(static_cast<int>(i), e.ends, e.g, fold, folds_of_solids))
            edges.push_back(*edge);
    }
    find_joints(edges, solid.vertices.size());
    return edges;
}

SurfaceEdges::SurfaceEdges(std::vector<SurfaceEdge> edges, std::span<const Vec3> vertices, double thickness)
    : edges_(std::move(edges))
    , thickness_(thickness)
{
    std::vector<int> number(vertices.size(), -1); // of the vertices at edges, which alone are kept
    for (SurfaceEdge& edge : edges_)
        for (int& v : edge.ends) {
            if (number[v] < 0) {
                number[v] = static_cast<int>(own_.size());
                own_.push_back(vertices[v]);
            }
            v = number[v];
        }
    for (SurfaceEdge& edge : edges_)
        for (int& v : edge.beyond)
            v = v < 0 ? v : number[v];
    old_ = next_ = own_;
    measure();
    find_ways();
}

void SurfaceEdges::measure()
{
    double sum = 0;
    for (const SurfaceEdge& e : edges_)
        sum += (old_[e.ends[1]] - old_[e.ends[0]]).norm();
    edge_length_ = edges_.empty() ? 0 : sum / static_cast<double>(edges_.size());
}

double SurfaceEdges::entry_depth() const
{
    return edge_entry_share * std::min(thickness_, edge_length_);
}

void SurfaceEdges::begin_step(const SmoothPatches& surface, std::vector<Vec3> x_old)
{
    edges_ = convex_creases(surface, false);
    old_ = std::move(x_old);
    measure();
    predict(surface.x);
}

// What stands still is where it was.
bool SurfaceEdges::place(const Frame& now, Frame& frame, std::vector<Vec3>& x) const
{
    if (now.x == frame.x && now.R == frame.R)
        return false;
    frame = now;
    for (std::size_t v = 0; v < own_.size(); ++v)
        x[v] = now.to_world(own_[v]);
    return true;
}

void SurfaceEdges::begin_step(const Frame& old, const Frame& next)
{
    const bool began_elsewhere = place(old, old_frame_, old_);
    if (place(next, next_frame_, next_) || began_elsewhere)
        find_ways();
}

void SurfaceEdges::predict(const Frame& next)
{
    if (place(next, next_frame_, next_))
        find_ways();
}

void SurfaceEdges::predict(std::vector<Vec3> x_next)
{
    next_ = std::move(x_next);
    find_ways();
}

Bounds SurfaceEdges::way(int index) const
{
    Bounds way;
    for (const int v : edges_[index].ends) {
        way.add(old_[v]);
        way.add(next_[v]);
    }
    return way;
}

void SurfaceEdges::find_ways()
{
    std::vector<Bounds> ways;
    for (int i = 0; i < static_cast<int>(edges_.size()); ++i)
        ways.push_back(way(i));
    tree_ = BoxTree(ways);
}

int SurfaceEdges::index_of(int number) const
{
    const auto it = std::lower_bound(
        edges_.begin(), edges_.end(), number, [](const SurfaceEdge& e, int n) { return e.number < n; });
    return it != edges_.end() && it->number == number ? static_cast<int>(it - edges_.begin()) : -1;
}

} // namespace stickslip
