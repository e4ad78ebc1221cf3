#include "stickslip/contact/edges/surface_edges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double blunt = 40 * degree, sharp = 60 * degree; // [rad] folds: patches carry below, edges above
constexpr double sunk_share = 0.25; // [-] of an edge and of the thickness

/// By the unit normals of both facets.
double sharpness_of(const Vec3& n, const Vec3& other)
{
    const double fold = std::atan2(n.cross(other).norm(), n.dot(other));
    const double x = std::clamp((fold - blunt) / (sharp - blunt), 0.0, 1.0);
    return x * x * (3 - 2 * x);
}

void find_joints(std::vector<SurfaceEdge>& edges, std::size_t vertices)
{
    std::vector<int> at(vertices, 0);
    for (const SurfaceEdge& e : edges)
        for (const int v : e.ends)
            ++at[v];
    for (SurfaceEdge& e : edges)
        for (int i = 0; i < 2; ++i)
            e.goes_on[i] = at[e.ends[i]] == 2;
}

} // namespace

std::vector<SurfaceEdge> convex_creases(const SmoothPatches& surface)
{
    std::vector<SurfaceEdge> edges;
    const std::vector<Vec3>& x = surface.x;
    const auto normal = [&](int f) -> Vec3 {
        const auto& [i, j, k] = surface.facets[f];
        return (x[j] - x[i]).cross(x[k] - x[i]).normalized();
    };
    for (int f = 0; f < static_cast<int>(surface.facets.size()); ++f)
        for (int side = 0; side < 3; ++side) {
            const int other = surface.beyond(f, side);
            if (other < f || !surface.is_convex(f, side))
                continue;
            const int begin = surface.facets[f][side], end = surface.facets[f][(side + 1) % 3];
            const Vec3 along = (x[end] - x[begin]).normalized(), n = normal(f), beyond = normal(other);
            const double sharpness = sharpness_of(n, beyond);
            if (sharpness > 0)
                edges.push_back({3 * f + side, {begin, end}, {along.cross(n), beyond.cross(along)}, sharpness, {}});
        }
    find_joints(edges, x.size());
    return edges;
}

std::vector<SurfaceEdge> convex_creases(const ConvexFeatures& solid)
{
    std::vector<SurfaceEdge> edges;
    for (std::size_t i = 0; i < solid.edges.size(); ++i) {
        const ConvexFeatures::Edge& e = solid.edges[i];
        const double sharpness = sharpness_of(solid.faces[e.faces[0]].n, solid.faces[e.faces[1]].n);
        if (sharpness > 0)
            edges.push_back({static_cast<int>(i), e.ends, e.g, sharpness, {}});
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
    old_ = next_ = own_;
    measure();
}

void SurfaceEdges::measure()
{
    double sum = 0;
    for (const SurfaceEdge& e : edges_)
        sum += (old_[e.ends[1]] - old_[e.ends[0]]).norm();
    edge_length_ = edges_.empty() ? 0 : sum / static_cast<double>(edges_.size());
}

double SurfaceEdges::may_be_sunk() const
{
    return sunk_share * std::min(thickness_, edge_length_);
}

void SurfaceEdges::begin_step(const SmoothPatches& surface, std::vector<Vec3> x_old)
{
    edges_ = convex_creases(surface);
    old_ = std::move(x_old);
    measure();
    predict(surface.x);
}

void SurfaceEdges::begin_step(const Frame& old, const Frame& next)
{
    for (std::size_t v = 0; v < own_.size(); ++v)
        old_[v] = old.to_world(own_[v]);
    old_turn_ = old.R;
    predict(next);
}

void SurfaceEdges::predict(const Frame& next)
{
    turn_ = next.R;
    for (std::size_t v = 0; v < own_.size(); ++v)
        next_[v] = next.to_world(own_[v]);
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
