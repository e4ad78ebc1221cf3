#include "stickslip/contact/polyhedra/edge_pair.h"

#include "stickslip/contact/relax/damped_depth.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double least_sine = 1e-3; // parallel edges are carried by their ends
constexpr double full_sine = 0.02; // from here on a pair counts fully

PoseScalar root(const PoseScalar& x)
{
    const double v = std::sqrt(x.v);
    return {v, 0.5 / v * x.d};
}

PoseScalar smooth_step(const PoseScalar& x)
{
    return x.v >= 1 ? PoseScalar{1} : PoseScalar{x.v * x.v * (3 - 2 * x.v), 6 * x.v * (1 - x.v) * x.d};
}

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
    const PoseVec n = of_a ? still(face.n) : pair.direction(face.n), g = of_a ? still(rim.g) : pair.direction(rim.g);
    const PoseScalar depth = PoseScalar{face.offset} - dot(n, P);
    if (!(depth.v > 0))
        return {0};
    const PoseScalar share = zone_share(-rim.offset + dot(g, P), zone);
    const PoseScalar near = clamped(2 + -1 / (3 * zone.width) * along);
    return (depth.v < d.v ? depth / d : PoseScalar{1}) * share * near;
}

} // namespace

EdgeCrossing crossing(
    const ConvexFeatures& a, const ConvexFeatures& b, int edge_a, int edge_b, const Frame& pose, double sigma)
{
    const Vec3 u = pose.R * a.along(edge_a), v = b.along(edge_b), r = pose.to_world(a.start(edge_a)) - b.start(edge_b);
    const Vec3 m = u.cross(v);
    const double mm = m.squaredNorm(), uv = u.dot(v), ur = u.dot(r), vr = v.dot(r);
    return {-sigma * m.dot(r) / std::sqrt(mm), (uv * vr - v.squaredNorm() * ur) / mm,
        (u.squaredNorm() * vr - uv * ur) / mm};
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

std::optional<PolyhedronSpring> relax_edge_pair(const PolyhedronPair& pair, const EdgePair& edges,
    const std::array<std::span<const VertexOnFace>, 2>& vertices, Vec3& place)
{
    const ConvexFeatures &a = *pair.a.features, &b = *pair.b.features;
    if (!(crossing(a, b, edges.edge_a, edges.edge_b, pair.pose, edges.sigma).d > 0)) // no derivatives for these
        return std::nullopt;
    const PoseVec u = pair.direction(a.along(edges.edge_a)), v = still(b.along(edges.edge_b));
    const PoseVec r = pair.point(a.start(edges.edge_a)) - still(b.start(edges.edge_b)), m = cross(u, v);
    const double length_u = u.v.norm(), length_v = v.v.norm();
    const PoseScalar mm = dot(m, m);
    if (!(mm.v > 1e-14 * length_u * length_u * length_v * length_v))
        return std::nullopt;
    const PoseScalar length_m = root(mm);
    const PoseVec n = (PoseScalar{edges.sigma} / length_m) * m;
    const PoseScalar d = -1 * dot(n, r);
    if (!(d.v > 0))
        return std::nullopt;
    const PoseScalar uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
    const PoseScalar s = (uv * vr - length_v * length_v * ur) / mm, t = (length_u * length_u * vr - uv * ur) / mm;

    const PoseScalar sine = 1 / (length_u * length_v) * length_m;
    PoseScalar weight = smooth_step(1 / full_sine * sine);
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

    const auto belt = [&](const PolyhedronPose& pose, const Vec3& along) { // parameter per step
        return pair.dt * pose.surface_velocity.dot(along) / along.squaredNorm();
    };
    const double belt_s = belt(pair.a, a.along(edges.edge_a)), belt_t = belt(pair.b, v.v);
    PoseScalar s0{edges.s_old + belt_s}, t0{edges.t_old + belt_t};
    if (edges.kept) {
        s0.v = edges.kept->X.x() + belt_s;
        t0.v = edges.kept->X.y() + belt_t;
    } else if (edges.d_old < 0) { // where they came to touch
        const PoseScalar after = d / (d - PoseScalar{edges.d_old});
        s0 = s - after * (s - PoseScalar{edges.s_old}) + belt_s * after;
        t0 = t - after * (t - PoseScalar{edges.t_old}) + belt_t * after;
    }
    PoseScalar pressed = d;
    if (pair.damping > 0) {
        const DampedDepth depth = damped_depth(-d.v, -edges.d_old, pair.damping);
        pressed = {-depth.phi, depth.dphi * d.d};
    }
    const PoseVec tau = (s0 - s) * u - (t0 - t) * v;
    const double stretched = tau.v.norm();
    PolyhedronSpring spring{.weight = weight, .n = n, .depth = d.v, .carried = belt_t * v.v};
    const bool is_free = pressed.v == 0 && pair.mu < infinity;
    spring.sticks = pair.mu > 0 && !is_free && !(stretched > pair.mu * pressed.v);
    if (!spring.sticks) {
        const bool slides = pair.mu > 0 && stretched > 0;
        const PoseScalar q = slides ? pair.mu * (pressed / root(dot(tau, tau))) : PoseScalar{0};
        s0 = s + q * (s0 - s);
        t0 = t + q * (t0 - t);
    }
    const PoseVec tau_kept = (s0 - s) * u - (t0 - t) * v;
    spring.Z = pair.point(a.start(edges.edge_a)) + s0 * u;
    spring.stretch = pressed * n - tau_kept;
    spring.damped = pressed.v - d.v;
    spring.slid = tau.v - tau_kept.v;
    place = {s0.v, t0.v, edges.sigma};
    return spring;
}

} // namespace stickslip
