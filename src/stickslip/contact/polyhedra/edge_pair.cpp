#include "stickslip/contact/polyhedra/edge_pair.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double least_sine = 1e-3; // parallel edges are carried by their ends

/// What the vertex at an end carries of the depth d [-]: its own depth over d, as far as it is over its face, and not
/// far along the edge.
PoseScalar carried_by_vertex(const PolyhedronPair& pair, const VertexOnFace& at_end, int rim_number, bool of_a,
    const PoseScalar& d, const PoseScalar& along)
{
    const ConvexFeatures &own = of_a ? *pair.a.features : *pair.b.features,
                         &other = of_a ? *pair.b.features : *pair.a.features;
    const ConvexFeatures::Face& face = other.faces[at_end.face];
    const ConvexFeatures::Rim& rim = face.rims[rim_number];
    const Zone& zone = at_end.zones[rim_number];
    const Vec3& vertex = own.vertices[at_end.vertex];
    // both in the frame of b
    const PoseVec P = of_a ? pair.point(vertex) : still(vertex) - pair.point(Vec3::Zero());
    const auto along_P = [&](const Vec3& n) { return of_a ? dot(P, n) : dot(pair.direction(n), P); };
    const PoseScalar depth = PoseScalar{face.offset} - along_P(face.n);
    if (!(depth.v > 0))
        return {0};
    const PoseScalar share = zone_share(-rim.offset + along_P(rim.g), zone);
    const PoseScalar near = clamped(2 + -1 / (3 * zone.width) * along);
    return (depth.v < d.v ? depth / d : PoseScalar{1}) * share * near;
}

/// Way [m] in the step of the material of a at s of its edge, as b sees it.
PoseVec way_of_a(const PolyhedronPair& pair, int edge, const PoseScalar& s)
{
    const Vec3 start = pair.a.features->start(edge), along = pair.a.features->along(edge);
    const auto moved = [&](const PoseVec& now, const Vec3& old) { return now - old; };
    return moved(pair.point(start), pair.old_pose.to_world(start))
        + s * moved(pair.direction(along), pair.old_pose.R * along);
}

} // namespace

EdgeLine edge_line(const ConvexFeatures& solid, int edge, const Frame& pose)
{
    return {pose.to_world(solid.start(edge)), pose.R * solid.along(edge)};
}

EdgeLine edge_line(const ConvexFeatures& solid, int edge)
{
    return {solid.start(edge), solid.along(edge)};
}

double supporting_side(
    const ConvexFeatures& a, const ConvexFeatures& b, int edge_a, int edge_b, const Mat3& R, double tolerance)
{
    Vec3 m = (R * a.along(edge_a).normalized()).cross(b.along(edge_b).normalized());
    const double sine = m.norm();
    if (sine < least_sine)
        return 0;
    m /= sine;
    double up = infinity, down = infinity; // the least support with m from b to a, and with -m
    for (const Vec3& g : b.edges[edge_b].g) {
        up = std::min(up, m.dot(g));
        down = std::min(down, -m.dot(g));
    }
    for (const Vec3& g : a.edges[edge_a].g) {
        up = std::min(up, -m.dot(R * g));
        down = std::min(down, m.dot(R * g));
    }
    if (std::max(up, down) < -tolerance)
        return 0;
    return up < down ? -1 : 1;
}

std::optional<PolyhedronSpring> relax_edge_pair(
    const PolyhedronPair& pair, const EdgePair& edges, const std::array<std::span<const VertexOnFace>, 2>& vertices)
{
    const ConvexFeatures &a = *pair.a.features, &b = *pair.b.features;
    const EdgeLine line_a = edge_line(a, edges.edge_a, pair.pose), line_b = edge_line(b, edges.edge_b);
    if (!has_crossed(line_a, line_b, edges.sigma)) // no derivatives for these
        return std::nullopt;
    const Vec3 along_a = a.along(edges.edge_a), along_b = b.along(edges.edge_b);
    const PoseVec u = pair.direction(along_a);
    const double length_u = u.v.norm(), length_v = along_b.norm();
    const TwoEdges<6, Vec3, double> two{
        pair.point(a.start(edges.edge_a)) - b.start(edges.edge_b), u, along_b, length_u, length_v, edges.sigma};
    const auto crossed = cross_edges(two);
    if (!crossed)
        return std::nullopt;
    const auto& [n, d, s, t, sine] = *crossed;
    PoseScalar weight = weight_by_sine(sine);
    for (int i = 0; i < 4; ++i) {
        const EdgePair::End& end = edges.ends[i];
        const bool of_a = i < 2;
        const PoseScalar& at = of_a ? s : t;
        const PoseScalar along = (of_a ? length_u : length_v) * (i % 2 == 0 ? at : 1 + -1 * at);
        weight = weight * clamped(end.inside + 1 / end.fade * (along * sine)); // across the other edge
        if (end.vertex >= 0 && weight.v > 0)
            weight = weight
                * (1 + -1 * carried_by_vertex(pair, vertices[of_a ? 0 : 1][end.vertex], end.rim, of_a, d, along));
        if (!(weight.v > 0))
            return std::nullopt;
    }

    EdgeHistory<6> before{edges.d_old, {}, {}, pair.belt};
    if (edges.kept)
        before.kept = {edges.kept->on_edges().s, edges.kept->on_edges().t};
    else
        before.way = way_of_a(pair, edges.edge_a, s);
    const PoseScalar pressed = pressed_depth(d, edges.d_old, pair.damping);
    const EdgeAttachment<6> start = attached(two, *crossed, before);
    const RelaxedEdges<6> relaxed = relax_edges(two, *crossed, start, pair.mu, pressed);
    PolyhedronSpring spring{.weight = weight, .n = n, .depth = d.v, .belt = start.belt};
    spring.sticks = relaxed.sticks;
    spring.Z = pair.point(a.start(edges.edge_a)) + relaxed.s0 * two.u;
    spring.stretch = pressed * n - relaxed.tau;
    spring.damped = pressed.v - d.v;
    spring.slid = relaxed.slid;
    spring.to = OnEdges{relaxed.s0.v, relaxed.t0.v, edges.sigma};
    return spring;
}

} // namespace stickslip
