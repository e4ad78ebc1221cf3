#include "stickslip/geometry/queries/triangulated_surface.h"

#include "stickslip/math/check.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// What is left out has the box of a point: whoever searches passes over it.
std::vector<Bounds> facet_boxes(const EdgeTopology& topology)
{
    std::vector<Bounds> boxes(topology.facets.size());
    for (std::size_t f = 0; f < boxes.size(); ++f) {
        if (topology.is_left_out(static_cast<int>(f))) {
            boxes[f].add(topology.positions.front());
            continue;
        }
        for (const int v : topology.facets[f])
            boxes[f].add(topology.positions[v]);
    }
    return boxes;
}

/// A line along which one looks at vertices: they have two coordinates across it. It passes a hair beside the points it
/// is made of, in no special direction, so that none of the vertices drawn along axes is on it.
class Line {
public:
    Line(const Vec3& from, const Vec3& to)
        : from_(from)
        , u_((to - from).unitOrthogonal())
        , v_((to - from).normalized().cross(u_))
        , aside_(1e-13 * std::max(from.lpNorm<Eigen::Infinity>(), to.lpNorm<Eigen::Infinity>()))
    {
    }

    /// Whether it has the edge p, q on the left; decided alike for both facets of the edge.
    bool passes_left(int p, int q, const std::vector<Vec3>& at) const
    {
        const auto [low, high] = std::minmax(p, q);
        const Eigen::Vector2d a = across(at[low]), b = across(at[high]);
        return (low == p) == (a.x() * b.y() - a.y() * b.x() > 0);
    }

private:
    Eigen::Vector2d across(const Vec3& x) const
    {
        return {u_.dot(x - from_) + 0.7548 * aside_, v_.dot(x - from_) - 0.5698 * aside_};
    }

    Vec3 from_, u_, v_;
    double aside_; // [m]
};

bool looks_to(const EdgeTopology& topology, int facet, const Vec3& side)
{
    return topology.orientation[facet] * topology.normals[facet].dot(side) > 0;
}

double squared_distance(const EdgeTopology& topology, int facet, const Vec3& x)
{
    const auto& [a, b, c] = topology.facets[facet];
    const std::vector<Vec3>& at = topology.positions;
    return (closest_point_on_triangle(x, at[a], at[b], at[c]).point - x).squaredNorm();
}

} // namespace

TriangulatedSurface::TriangulatedSurface(const TriMesh& mesh, EdgeRule edge_rule, const EdgeTopologyOptions& options)
    : topology(mesh, options)
    , tree(facet_boxes(topology))
    , rule(edge_rule)
{
}

void TriangulatedSurface::update(const std::vector<Vec3>& vertices)
{
    topology.update(vertices);
    tree.refit(facet_boxes(topology));
}

void TriangulatedSurface::find_near(const Vec3& x, double reach, std::vector<int>& facets) const
{
    facets.clear();
    const Vec3 all_round = Vec3::Constant(reach);
    tree.visit_overlapping({x - all_round, x + all_round}, [&](int facet) { facets.push_back(facet); });
    std::sort(facets.begin(), facets.end());
}

bool changes_side(const TriangulatedSurface& surface, const Vec3& from, const Vec3& to, const Vec3* facing)
{
    if (from == to)
        return false;
    const EdgeTopology& topology = surface.topology;
    const Line line(from, to);
    bool changed = false;
    surface.tree.visit_overlapping({from.cwiseMin(to), from.cwiseMax(to)}, [&](int facet) {
        if (topology.is_left_out(facet) || (facing && !looks_to(topology, facet, *facing)))
            return;
        const auto& [a, b, c] = topology.facets[facet];
        const std::vector<Vec3>& at = topology.positions;
        const Vec3& n = topology.normals[facet];
        if ((n.dot(from - at[a]) >= 0) == (n.dot(to - at[a]) >= 0))
            return;
        const bool left = line.passes_left(a, b, at);
        if (line.passes_left(b, c, at) == left && line.passes_left(c, a, at) == left)
            changed = !changed;
    });
    return changed;
}

namespace {

/// Radius [m] of a ball that just reaches what is nearest: the rules for ties and seams are those of contacts.
double just_reaching(const TriangulatedSurface& surface, double squared_distance)
{
    const double size = (surface.tree.bounds().max - surface.tree.bounds().min).norm();
    return 1.001 * std::sqrt(squared_distance) + 1e-9 * size;
}

} // namespace

NearestOfSurface nearest_of(const TriangulatedSurface& surface, const Vec3& x, std::vector<int>& facets,
    std::vector<SphereSurfaceContact>& contacts)
{
    const EdgeTopology& topology = surface.topology;
    const BoxTree::Nearest nearest = surface.tree.nearest(
        x, [&](int facet) { return topology.is_left_out(facet) ? infinity : squared_distance(topology, facet, x); });
    STICKSLIP_ASSERT(nearest.item >= 0);
    const double radius = just_reaching(surface, nearest.squared);
    surface.find_near(x, radius, facets);
    find_sphere_surface_contacts(topology, facets, x, radius, EdgeRule::smooth, contacts);
    STICKSLIP_ASSERT(!contacts.empty());
    return {contacts.front(), radius - contacts.front().overlap};
}

NearestOfSurface nearest_facing(
    const TriangulatedSurface& surface, const Vec3& x, const Vec3& facing, std::vector<SphereSurfaceContact>& contacts)
{
    const EdgeTopology& topology = surface.topology;
    const BoxTree::Nearest nearest = surface.tree.nearest(x, [&](int facet) {
        const bool counts = !topology.is_left_out(facet) && looks_to(topology, facet, facing);
        return counts ? squared_distance(topology, facet, x) : infinity;
    });
    STICKSLIP_ASSERT(nearest.item >= 0);
    const double radius = just_reaching(surface, nearest.squared);
    find_sphere_surface_contacts(topology, std::span(&nearest.item, 1), x, radius, EdgeRule::raw, contacts);
    STICKSLIP_ASSERT(!contacts.empty());
    return {contacts.front(), radius - contacts.front().overlap};
}

bool is_outside(const TriangulatedSurface& surface, const SphereSurfaceContact& contact)
{
    const EdgeTopology& topology = surface.topology;
    const Vec3 facet_normal = topology.orientation[contact.facet] * topology.normals[contact.facet];
    if (contact.kind == TriangleFeature::face)
        return contact.n.dot(facet_normal) > 0;
    const Vec3 mean = contact.kind == TriangleFeature::edge ? topology.edge_normal(contact.feature)
                                                            : topology.vertex_normal(contact.feature);
    return contact.n.dot(mean) > 0 || mean.isZero(0);
}

Mat3 normal_derivative(const EdgeTopology& surface, const ContactNormal& normal)
{
    constexpr double as_flat = 1e-9; // [-] sine of the angle to the facet's normal; as ties of contacts are
    const Vec3& n = normal.n;
    if (normal.kind == TriangleFeature::face || n.cross(surface.normals[normal.facet]).norm() < as_flat
        || normal.distance == 0)
        return Mat3::Zero();
    Mat3 across = Mat3::Identity() - n * n.transpose();
    if (normal.kind == TriangleFeature::edge) {
        const auto& [p, q] = surface.edges[normal.feature];
        const Vec3 along = (surface.positions[q] - surface.positions[p]).normalized();
        across -= along * along.transpose();
    }
    return across / normal.distance;
}

} // namespace stickslip
