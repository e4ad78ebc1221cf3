#pragma once

#include "stickslip/contact/surfaces/level_set_surface.h"
#include "stickslip/geometry/solids/level_set.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace stickslip {

/// All within `radius` of a segment.
struct Tube {
    Vec3 start, along; // [m]
    double radius; // [m] 0: a sharp edge
    std::array<Vec3, 2> faces = {Vec3::Zero(), Vec3::Zero()}; // unit outward normals beside an edge; zero: a round side
    bool is_of_triangles = false; // on which rims are rounded
};

/// What a solid presents to a round side that lies across it, in its frame: edges of a box, of a convex polyhedron and
/// of a rounded box, the sides of a cylinder and of a capsule. None of other solids.
std::vector<Tube> tubes(const LevelSet& solid);
bool has_tubes(const LevelSet& solid);

/// The side of a cylinder, a capsule or a cone, or the round edge of a rounded box, whose axis is the y of a frame:
/// rho = r - (y + h/2) slope, |y| < h/2.
struct RoundSide {
    double radius, height; // [m] r, h
    double slope; // [-] the tangent of a cone's half angle
    Frame frame = {}; // of the axis, in the solid's
    bool has_corners = false; // where it ends: those of a rounded box, whose balls carry
};
std::optional<RoundSide> round_side(const LevelSet& solid); // the only one
std::vector<RoundSide> round_sides(const LevelSet& solid); // or all of a rounded box

/// Where a round side touches a tube that lies across it: of an endless side the place nearest to the tube. A ball
/// about a point of the axis touches the side there from inside (docs/derivations.md#round-sides-across-edges).
struct AxisCrossing {
    int side; // of the solid
    int tube; // of the other
    double share; // [-] > 0 of its stiffness: falls to 0 where the tube runs along the side, at the ends of either, and
                  // where either solid is nearer elsewhere: the other to the axis, the base or an end to the tube
    double alone; // [-] of what the share has, circles and balls of either solid are relieved near the place: where the
                  // side touches, at the start of the step, an edge across both of its faces, or what is round. They
                  // would press beside it, and push it away
    std::array<double, 2> along = {0, 0}; // [-] of what the share has, by which the side lies on the face beside the
                                          // edge and ends there, at the start of the step: its circles and balls near
                                          // the place leave to it the length of the line that it stands for
    Vec3 place; // [m] where the side touches at the start of the step, in the other solid's frame; where it was apart
                // or not at all: none
    double radius; // [m] of the side there
    double depth; // [m] of the overlap at the pose that is predicted; negative: a gap
};

/// Distance of a place from the other solid, in its frame [m].
using DistanceToSolid = std::function<double(const Vec3&)>;

/// Whether there is such a place: decided at the start of a step, or after a solve, so that the force is continuous
/// within. own: whose `side` it is. `old`, `pose`: its, in the frame of the other solid, whose `tube` it is, at the
/// start of the step and as predicted, or solved, for its end. is_kept: it pressed at the end of the last step. Numbers
/// of side and tube are left to the caller.
std::optional<AxisCrossing> axis_crossing(const LevelSet& own, const RoundSide& side, const Frame& old,
    const Frame& pose, const Tube& tube, const DistanceToSolid& solid, bool is_kept = false);

/// The contact at that place, nothing where the two do not overlap. The ball rolls as all do: LevelSetSurface::
/// relax_round. k [N/m]: of its spring, with its share. The spring stores no more at the start of the step than it
/// held, which is nothing where it is new; from there on it feels what the two come nearer, or, where there was no such
/// place then, what its material does. old, pose: of the solid in the frame of the other, at the start of the step and
/// now; kept: rolling_on_solid, null: none.
std::optional<PoseContact> relax_axis(const SurfaceMotionInStep& motion, const RoundSide& side, const Tube& tube,
    const Frame& old, const Frame& pose, const Attachment* kept, double mu, double k);

} // namespace stickslip
