#pragma once

#include "stickslip/contact/points/dual.h"
#include "stickslip/contact/relax/damped_depth.h"
#include "stickslip/contact/relax/relax_plane.h"

namespace stickslip {

/// A ball that touches a surface, as seen from the surface, where a surface that moves stands still; with derivatives
/// by N unknowns (docs/derivations.md#round-points).
template <int N>
struct BallAtSurface {
    double radius; // [m] >= 0
    DualVec<N> centre; // [m]
    DualVec<N> n; // unit, outward, where it touches
    DualScalar<N> distance, old_distance; // [m] of the centre along n, now and at the start of the step
    DualVec<N> slip; // [m] of the place of contact in this step, tangential (rolling_slip)
    DualVec<N> offset; // [m] xi kept from the last step, turned to n
    bool is_new; // came in during this step: counts only what it slips after the touch
};

/// Ends of its spring: Y = K + (Z - P), all in the same frame.
template <int N>
struct RelaxedBall {
    DualVec<N> Z; // [m] the point of the ball that touches
    DualVec<N> P; // [m] where it would be if the spring alone gave the force of spring and damper; Z without damping
    DualVec<N> K; // [m] relaxed attachment
    bool sticks;
    double after_touch; // [-] share of the step in which it touches
    Vec3 offset; // [m] the next step's xi; untouched bit for bit where it sticks and does not slip
    Vec3 slid; // [m] how far the attachment slid over the surface
};

/// Tangential way of the place of contact when the centre goes by `way` and the ball turns by `turn` [rad], both
/// relative to the surface. radius [m]: a number, or a DualScalar<N> where the ball's changes along an axis.
template <int N, class Radius>
DualVec<N> rolling_slip(const DualVec<N>& way, const DualVec<N>& turn, const DualVec<N>& n, const Radius& radius)
{
    return way - dot(n, way) * n - radius * cross(turn, n);
}

/// damping: share of the step, damping/dt [-].
template <int N>
RelaxedBall<N> relax_ball(const BallAtSurface<N>& ball, double mu, double damping)
{
    const DualVec<N>& n = ball.n;
    RelaxedBall<N> result;
    result.Z = ball.centre - ball.radius * n;
    const DualVec<N> W = ball.centre - ball.distance * n;
    const DualScalar<N> d{ball.distance.v - ball.radius, ball.distance.d};
    const DualScalar<N> d_old{ball.old_distance.v - ball.radius, ball.old_distance.d};
    DualVec<N> slip = ball.slip;
    result.after_touch = 1;
    if (ball.is_new && d_old.v > 0) {
        const DualScalar<N> share = d / (d - d_old);
        result.after_touch = share.v;
        slip = share * slip;
    }
    result.P = result.Z;
    if (damping > 0) {
        const DampedDepth depth = damped_depth(d.v, d_old.v, damping);
        DualScalar<N> phi{depth.phi, depth.dphi * d.d};
        if (depth.phi < 0 && d_old.v < 0)
            phi.d -= damping * d_old.d;
        result.P = W + phi * n;
    }
    const DualVec<N> offset = ball.offset + slip, X = W - offset;
    const PlaneRelaxation relaxed = relax_plane(result.P.v, X.v, W.v, n.v, mu);
    result.K = {relaxed.K, relaxed.dK_dZ * result.P.d + relaxed.dK_dX * X.d + relaxed.dK_dW * W.d};
    result.sticks = relaxed.sticks;
    result.offset = relaxed.sticks ? offset.v : Vec3(W.v - relaxed.K);
    result.slid = relaxed.K - X.v;
    return result;
}

} // namespace stickslip
