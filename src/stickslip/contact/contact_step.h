#pragma once

#include "stickslip/contact/contact.h"
#include "stickslip/contact/detect/point_groups.h"
#include "stickslip/contact/side.h"
#include "stickslip/contact/step_start.h"
#include "stickslip/contact/surfaces/level_set_surface.h"

#include <span>
#include <vector>

namespace stickslip {

/// Pose of the points of a solid (StepStart::point_frame) at the start of the step and at the candidate.
struct PoseChange {
    Frame old, now;
};

/// A step as all kinds of contact see it: the bodies, what is known at its start, and where everything is at the
/// candidate.
class ContactStep {
public:
    /// Keeps a reference to what `bodies` refers to.
    explicit ContactStep(ContactBodies all);

    ContactBodies bodies;
    PointGroups groups;
    StepStart start;
    double stiffness_factor = 1; // [-] of every contact: ContactSet::scale_stiffness

    /// Moves everything to a candidate.
    void move_to(std::span<const Vec3> nodes, std::span<const RigidCandidate> poses);
    /// The same of these rigid bodies alone.
    void move_to(std::span<const RigidCandidate> poses, std::span<const int> moved);

    // At the candidate.
    std::vector<Vec3> x; // of nodes, and behind them of material points
    std::vector<RigidCandidate> rigid;
    std::vector<Bounds> boxes; // [world] by body: of all that it may touch with

    const Frame& frame(int body) const { return surfaces_[body - bodies.first_rigid()].motion().frame; }
    PoseChange pose_change(int body) const; // none of a deformable body
    Vec3 turn(int body) const; // [rad] in the step, of what keeps its shape
    Side side(int body, int point) const; // of a point; of a surface that is rigid, of any

    const LevelSetSurface& surface(const CandidatePair& pair) const; // that points of the first meet
    /// The same, and how it moves in the step, with what conveyors of both bodies do to its material.
    LevelSetSurface surface_in_step(const CandidatePair& pair) const;
    SurfaceMotionInStep motion(const CandidatePair& pair) const;

    /// [N/m] Of what was found for a point of the pair.
    double stiffness(const CandidatePair& pair, int point, const SurfaceContact& at) const
    {
        return stiffness_factor * at.stiffness_scale * bodies.stiffness(pair.point_body, pair.surface_body, point);
    }

private:
    SurfaceMotionInStep motion_of(int body) const; // without conveyors of others
    Bounds box_of_body(int body) const;

    std::vector<LevelSetSurface> surfaces_; // by rigid body, then obstacle
    std::vector<std::vector<LevelSetSurface>> grown_surfaces_; // the same by width: what material points meet
};

} // namespace stickslip
