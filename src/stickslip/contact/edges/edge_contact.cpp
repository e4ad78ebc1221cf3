#include "stickslip/contact/edges/edge_contact.h"

#include "stickslip/contact/edges/crossing_edges.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr int edge_unknowns = 12; // the places of both ends of a, then of b
using EdgeScalar = DualScalar<edge_unknowns>;
using EdgeVec = DualVec<edge_unknowns>;

TwoEdges<edge_unknowns> by_ends(const PlacedEdge& a, const PlacedEdge& b, double sigma)
{
    const EdgeVec a0 = unknown<edge_unknowns>(a.ends[0], 0), b0 = unknown<edge_unknowns>(b.ends[0], 2);
    const EdgeVec u = unknown<edge_unknowns>(a.ends[1], 1) - a0, v = unknown<edge_unknowns>(b.ends[1], 3) - b0;
    return {a0 - b0, u, v, sqrt(dot(u, u)), sqrt(dot(v, v)), sigma};
}

/// Of an edge at its parameter: at a joint one half, beyond a corner less and less. `met`: where a pair that is not
/// kept met the other edge, or its line. Beyond a corner by more than met_fade nothing was there. What comes to lie
/// within the corner from no farther beyond it has come in behind the other edge, by its end, and its share grows from
/// 0 there.
EdgeScalar share_along(const PlacedEdge& edge, const EdgeScalar& at, const EdgeScalar* met, const EdgeScalar& length,
    const EdgeEntry& entry)
{
    EdgeScalar share{1};
    for (int end = 0; end < 2; ++end) {
        const auto inside = [&](const EdgeScalar& of) { return length * (end == 0 ? of : 1 + -1 * of); };
        if (edge.goes_on[end]) {
            share = share * clamped(0.5 + 1 / entry.joint_fade * inside(at));
            continue;
        }
        EdgeScalar from{1};
        if (met) {
            const EdgeScalar met_inside = inside(*met);
            from = clamped(1 + 1 / (met_fade * length.v) * met_inside);
        }
        share = share * clamped(from + 1 / entry.end_fade * inside(at));
    }
    return share;
}

/// One block of unknowns: load = force on the edge (or its moment), and how the ends move with it.
struct EdgeMover {
    int block;
    bool turns = false;
    double side; // 1 of a, -1 of b
    EdgeScalar share; // of the force, of a block that does not turn
    std::array<Mat3, 2> motion; // of both ends of its edge
};

struct EdgeMovers {
    std::array<EdgeMover, 4> items;
    int count = 0;
};

void add_movers(const PlacedEdge& edge, double side, const EdgeScalar& at, EdgeMovers& movers)
{
    if (edge.node[0] >= 0)
        for (int end = 0; end < 2; ++end) {
            EdgeMover& m = movers.items[movers.count++] = {
                edge.node[end], false, side, end == 0 ? 1 + -1 * at : at, {Mat3::Zero(), Mat3::Zero()}};
            m.motion[end].setIdentity();
        }
    for (int b = 0; b < edge.body.count; ++b)
        movers.items[movers.count++] = {edge.body.first + b, b == 1, side, EdgeScalar{1},
            {edge.body.motion(b, edge.ends[0]), edge.body.motion(b, edge.ends[1])}};
}

/// Way of a material point of an edge in the step [m]; `first` of the unknowns.
EdgeVec moved(const PlacedEdge& edge, const EdgeScalar& at, int first)
{
    const EdgeVec of_start = unknown<edge_unknowns>(edge.ends[0], first) - constant<edge_unknowns>(edge.old[0]),
                  of_end = unknown<edge_unknowns>(edge.ends[1], first + 1) - constant<edge_unknowns>(edge.old[1]);
    return of_start + at * (of_end - of_start);
}

/// Weight of the pair where it is. `met`: where one that is not kept came to touch, or had crossed already.
EdgeScalar pair_weight(const PlacedEdge& a, const PlacedEdge& b, const EdgeEntry& entry,
    const TwoEdges<edge_unknowns>& two, const CrossedEdges<edge_unknowns>& at, const EdgeAttachment<edge_unknowns>* met)
{
    return entry.weight * weight_by_sine(at.sine) * share_along(a, at.s, met ? &met->s0 : nullptr, two.length_u, entry)
        * share_along(b, at.t, met ? &met->t0 : nullptr, two.length_v, entry);
}

} // namespace

SpringStart edge_spring_at_start(const PlacedEdge& a, const PlacedEdge& b, const EdgeEntry& entry, double k)
{
    const TwoEdges<edge_unknowns> two = by_ends(a, b, entry.sigma);
    const auto at = cross_edges(two);
    const double weight = at ? pair_weight(a, b, entry, two, *at, nullptr).v : 0;
    if (!(weight > 0))
        return SpringStart::empty(std::max(0.0, entry.d_old));
    const double d = at->d.v;
    const OnEdges& on = entry.kept->on_edges();
    const Vec3 tau = (on.s - at->s.v) * two.u.v - (on.t - at->t.v) * two.v.v;
    return spring_start(weight, d, entry.kept->energy, k, 1 + tau.squaredNorm() / (d * d));
}

void add_edge_contact(const PlacedEdge& a, const PlacedEdge& b, const EdgeEntry& entry, const EdgePairLaw& law,
    const Contact& names, ContactBlocks& contacts)
{
    const TwoEdges<edge_unknowns> two = by_ends(a, b, entry.sigma);
    const auto crossed = cross_edges(two);
    if (!crossed)
        return;
    const auto& [n, d, s, t, sine] = *crossed;
    const EdgeVec way = moved(a, s, 0) - moved(b, t, 2);
    EdgeHistory<edge_unknowns> before{entry.d_old, {}, way, law.belt};
    if (entry.kept)
        before.kept = {entry.kept->on_edges().s, entry.kept->on_edges().t};
    const EdgeAttachment<edge_unknowns> start = attached(two, *crossed, before);
    const EdgeScalar weight = pair_weight(a, b, entry, two, *crossed, entry.kept ? nullptr : &start);
    if (!(weight.v > 0))
        return;
    const EdgeScalar approach = -1 * dot(n, way);
    // An edge that deforms turns little in a step: what bounds its gain by the approach is the bend of the edge.
    const bool is_bound = a.node[0] < 0 && b.node[0] < 0;
    const PressedSpring by_now = press(entry.spring, {weight.v, d.v, is_bound ? approach.v : infinity}, law.damping);
    if (!(by_now.elastic > 0))
        return;
    const EdgeScalar pressed{
        by_now.pressed, by_now.by_share * weight.d + by_now.by_depth * d.d + by_now.by_approach * approach.d};
    const RelaxedEdges<edge_unknowns> relaxed =
        relax_edges(two, *crossed, start, law.mu, pressed.v > 0 ? d : EdgeScalar{0});
    const EdgeScalar &s0 = relaxed.s0, &t0 = relaxed.t0;
    const EdgeVec Z = unknown<edge_unknowns>(a.ends[0], 0) + s0 * two.u,
                  Y = unknown<edge_unknowns>(b.ends[0], 2) + t0 * two.v;
    const EdgeVec line = d * n - relaxed.tau; // from Z to Y
    const EdgeVec spring = (pressed / d) * line;
    const Vec3 elastic = by_now.elastic / d.v * line.v;

    Contact c = names;
    c.Z = Z.v;
    c.j = -c.k * spring.v;
    c.at.Y = Z.v + spring.v;
    c.at.sticks = relaxed.sticks && entry.kept;
    c.at.to = OnEdges{s0.v, t0.v, entry.sigma};
    c.at.slip = relaxed.slid;
    c.at.belt = start.belt;
    c.at.depth = weight.v * d.v;
    c.at.n = n.v;
    c.at.share = by_now.share();
    c.at.work = 2 * by_now.elastic * approach.v;
    c.at.lacking = line.v.squaredNorm() / (d.v * d.v) * by_now.lacking;
    c.at.damped = spring.v - elastic;

    EdgeMovers movers;
    add_movers(a, 1, s0, movers);
    add_movers(b, -1, t0, movers);
    std::array<StencilBlock, 4> stencil;
    std::array<Mat3, 16> derivatives;
    for (int i = 0; i < movers.count; ++i) {
        const EdgeMover& m = movers.items[i];
        const bool of_a = m.side > 0;
        EdgeVec load = (names.k * m.side) * (m.share * spring);
        stencil[i].block = m.block;
        stencil[i].turns = m.turns;
        stencil[i].on_surface = !of_a;
        stencil[i].lever = m.side * m.share.v * Mat3::Identity();
        Mat3 by_centre = Mat3::Zero();
        if (m.turns) {
            const Vec3& x = (of_a ? a : b).body.x;
            const EdgeVec arm = (of_a ? Z : Y) - constant<edge_unknowns>(x);
            by_centre = m.side * names.k * skew(spring.v); // the arm begins at the centre of mass
            load = cross(arm, load);
            stencil[i].lever = m.side * skew(arm.v);
        }
        stencil[i].load = load.v;
        for (int j = 0; j < movers.count; ++j) {
            const EdgeMover& moved = movers.items[j];
            const int first = moved.side > 0 ? 0 : 2;
            Mat3& D = derivatives[i * movers.count + j];
            D = load.by(first) * moved.motion[0] + load.by(first + 1) * moved.motion[1];
            if (m.turns && moved.side == m.side && !moved.turns)
                D += by_centre;
        }
    }
    contacts.add(c, std::span(stencil).first(movers.count), movers.count,
        std::span(derivatives).first(movers.count * movers.count));
}

} // namespace stickslip
