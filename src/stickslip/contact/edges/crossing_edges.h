#pragma once

#include "stickslip/contact/points/dual.h"
#include "stickslip/contact/relax/damped_depth.h"

#include <array>
#include <cmath>
#include <optional>

namespace stickslip {

/// Two edges, u of a body a and v of a body b, with their derivatives by N unknowns. With r = a0 - b0, m = u x v and
/// the side sigma decided at the start of the step,
///     n = sigma m/|m| from b to a      d = -n . r > 0 where they have crossed
///     (s, t)  where the lines cross      P_a(s) - P_b(t) = -d n
/// The attachment is the pair of parameters (s0, t0) that touched first: material points of both edges. The spring
/// between P_a(s0) and P_b(t0) is relaxed into the friction cone along n,
///     tau = (s0 - s) u - (t0 - t) v      |tau| <= mu d: sticks, else (s0, t0) move along the line to (s, t)
/// (docs/derivations.md#edges). V: Vec3 where the second edge is a constant; Length: double where both lengths are.
template <int N, typename V = DualVec<N>, typename Length = DualScalar<N>>
struct TwoEdges {
    DualVec<N> r, u; // [m]
    V v; // [m]
    Length length_u, length_v; // [m]
    double sigma; // 1 or -1
};

template <int N>
struct CrossedEdges {
    DualVec<N> n; // unit
    DualScalar<N> d; // [m] > 0
    DualScalar<N> s, t; // [-]
    DualScalar<N> sine; // [-] of the angle between the edges
};

/// The same without derivatives: edges as lines from their starts, and where they cross. Not finite where they are
/// parallel.
struct EdgeLine {
    Vec3 start, along; // [m]
};
struct EdgeCrossing {
    double d, s, t; // as in CrossedEdges; d < 0 in front
};
inline EdgeCrossing crossing(const EdgeLine& a, const EdgeLine& b, double sigma)
{
    const Vec3 r = a.start - b.start, m = a.along.cross(b.along);
    const double uu = a.along.squaredNorm(), vv = b.along.squaredNorm(), mm = m.squaredNorm();
    const double uv = a.along.dot(b.along), ur = a.along.dot(r), vr = b.along.dot(r);
    return {-sigma * m.dot(r) / std::sqrt(mm), (uv * vr - vv * ur) / mm, (uu * vr - uv * ur) / mm};
}

/// Whether crossing(a, b, sigma).d > 0, at less cost.
inline bool has_crossed(const EdgeLine& a, const EdgeLine& b, double sigma)
{
    return -sigma * a.along.cross(b.along).dot(a.start - b.start) > 0;
}

/// Weight [-] of a pair by the angle between its edges: parallel ones are carried by their ends.
template <int N>
DualScalar<N> weight_by_sine(const DualScalar<N>& sine)
{
    constexpr double full_sine = 0.02; // from here on a pair counts fully
    return smooth_step(1 / full_sine * sine);
}

/// Nothing where the edges are parallel or have not crossed.
template <int N, typename V, typename Length>
std::optional<CrossedEdges<N>> cross_edges(const TwoEdges<N, V, Length>& edges)
{
    constexpr double least = 1e-14; // [-] of the squared sine
    const auto& [r, u, v, length_u, length_v, sigma] = edges;
    const DualVec<N> m = cross(u, v);
    const DualScalar<N> mm = dot(m, m);
    if (!(mm.v > least * value(length_u) * value(length_u) * value(length_v) * value(length_v)))
        return std::nullopt;
    const DualScalar<N> length_m = sqrt(mm);
    const DualVec<N> n = (sigma / length_m) * m;
    const DualScalar<N> d = -1 * dot(n, r);
    if (!(d.v > 0))
        return std::nullopt;
    const DualScalar<N> uv = dot(u, v), ur = dot(u, r), vr = dot(r, v);
    const DualScalar<N> s = (uv * vr - length_v * length_v * ur) / mm, t = (length_u * length_u * vr - uv * ur) / mm;
    return CrossedEdges<N>{n, d, s, t, 1 / (length_u * length_v) * length_m};
}

/// What two edges have behind them in a step.
template <int N>
struct EdgeHistory {
    double d_old; // [m] at its start; < 0 in front
    std::optional<std::array<double, 2>> kept; // (s0, t0) of the last step
    DualVec<N> way; // [m] D: of the material of a past that of b in this step, where they cross now
    Vec3 belt = Vec3::Zero(); // [m] w: by which conveyors move the material of b past that of a in this step
};

/// Attachment of two edges before friction lets it slide: the kept one and on with the belt, or
///     (s - p, t + q)      p u + q v = share (I - n n^T) (w - D)      share = d/(d - d_old), at most 1
/// so that tau is the way of the material of a past that of b since they touched. Where the lines crossed before is not
/// asked: of edges that are nearly parallel the crossing goes along them faster than any material, and through infinity
/// where they become parallel. Of a belt p u + q v the attachment goes -p along u and q along v, whichever edge is the
/// belt's.
template <int N>
struct EdgeAttachment {
    DualScalar<N> s0, t0;
    Vec3 belt = Vec3::Zero(); // [m] by which the belt moved it
};
template <int N, typename V, typename Length>
EdgeAttachment<N> attached(const TwoEdges<N, V, Length>& edges, const CrossedEdges<N>& at, const EdgeHistory<N>& before)
{
    const bool has_belt = !before.belt.isZero(0);
    EdgeAttachment<N> start{at.s, at.t};
    DualVec<N> w = constant<N>(before.belt);
    DualScalar<N> since{1};
    if (before.kept) {
        start = {{(*before.kept)[0]}, {(*before.kept)[1]}};
        if (!has_belt)
            return start;
    } else {
        w = w - before.way;
        if (before.d_old < 0)
            since = at.d / (at.d - DualScalar<N>{before.d_old});
    }
    const DualVec<N> m = cross(edges.u, edges.v);
    const DualScalar<N> share = since / dot(m, m), p = share * dot(cross(w, edges.v), m),
                        q = share * dot(cross(edges.u, w), m);
    start.s0 = start.s0 - p;
    start.t0 = start.t0 + q;
    if (has_belt)
        start.belt = since.v * (before.belt - at.n.v * at.n.v.dot(before.belt));
    return start;
}

/// The depth that alone would press as spring and damper do [m]; damping: as a share of the step.
template <int N>
DualScalar<N> pressed_depth(const DualScalar<N>& d, double d_old, double damping)
{
    if (!(damping > 0))
        return d;
    const DampedDepth depth = damped_depth(-d.v, -d_old, damping);
    return {-depth.phi, depth.dphi * d.d};
}

template <int N>
struct RelaxedEdges {
    DualScalar<N> s0, t0; // [-] the relaxed attachment
    DualVec<N> tau; // [m]
    Vec3 slid; // [m] in this step
    bool sticks;
};

/// |tau| <= mu limit. limit [m]: 0 of edges that a damper lifts off.
template <int N, typename V, typename Length>
RelaxedEdges<N> relax_edges(const TwoEdges<N, V, Length>& edges, const CrossedEdges<N>& at,
    const EdgeAttachment<N>& start, double mu, const DualScalar<N>& limit)
{
    DualScalar<N> s0 = start.s0, t0 = start.t0;
    const DualVec<N> tau = (s0 - at.s) * edges.u - (t0 - at.t) * edges.v;
    const double stretched = tau.v.norm();
    if (mu > 0 && limit.v > 0 && !(stretched > mu * limit.v))
        return {s0, t0, tau, Vec3::Zero(), true};
    const bool slides = mu > 0 && stretched > 0;
    const DualScalar<N> q = slides ? mu * (limit / sqrt(dot(tau, tau))) : DualScalar<N>{0};
    s0 = at.s + q * (s0 - at.s);
    t0 = at.t + q * (t0 - at.t);
    const DualVec<N> kept = (s0 - at.s) * edges.u - (t0 - at.t) * edges.v;
    return {s0, t0, kept, tau.v - kept.v, false};
}

} // namespace stickslip
