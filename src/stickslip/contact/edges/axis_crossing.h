#pragma once

#include "stickslip/geometry/solids/level_set.h"

#include <optional>
#include <vector>

namespace stickslip {

/// All within `radius` of a segment.
struct Tube {
    Vec3 start, along; // [m]
    double radius; // [m] 0: a sharp edge
};

/// What a solid presents to a round side that lies across it, in its frame: edges of a box, of a convex polyhedron and
/// of a rounded box, the sides of a cylinder and of a capsule. None of other solids.
std::vector<Tube> tubes(const LevelSet& solid);
bool has_tubes(const LevelSet& solid);

/// The side of a cylinder, a capsule or a cone, whose axis is y: rho = r - (y + h/2) slope, |y| < h/2.
struct RoundSide {
    double radius, height; // [m] r, h
    double slope; // [-] the tangent of a cone's half angle
};
std::optional<RoundSide> round_side(const LevelSet& solid);

/// The place at which a round side touches a tube that lies across it: of an endless side the one nearest to the tube.
/// A ball about a point of the axis touches the side there from inside. The point is chosen at the start of a step,
/// from where the bodies are predicted to be at its end, and belongs to its body during the step
/// (docs/derivations.md#round-sides-across-edges).
struct AxisCrossing {
    int tube; // of the other solid
    double y; // [m] of the ball's centre on the axis
    double radius; // [m] of the ball
    double share; // [-] > 0 of its stiffness: falls to 0 where the tube runs along the side, at the ends of either, and
                  // where the other solid is nearer elsewhere
};

/// Nothing where there is none. `pose`: of the side in the frame of the other solid, whose tube `number` is.
std::optional<AxisCrossing> axis_crossing(
    const RoundSide& side, const Frame& pose, const Tube& tube, int number, const LevelSet& solid);

} // namespace stickslip
