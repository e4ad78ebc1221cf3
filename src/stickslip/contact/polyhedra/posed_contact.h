#pragma once

#include "stickslip/contact/contact.h"
#include "stickslip/contact/points/pose_dual.h"
#include "stickslip/geometry/solids/convex_features.h"

namespace stickslip {

/// One of two convex solids in a step.
struct PolyhedronPose {
    const ConvexFeatures* features;
    Frame old_frame, frame; // [world] at the start of the step and at the candidate
};

/// Two convex solids in a step, as the second sees the first; by the displacement of the first's origin and its turn,
/// both relative to the second and along its axes.
struct PolyhedronPair {
    PolyhedronPose a, b;
    Frame pose, old_pose; // of a in b's frame, now and at the start of the step
    Vec3 belt; // [m] in b's frame: how far conveyors move the material of b past that of a in the step
    double mu; // [-]
    double damping; // [-] of the normal force, as a share of the step

    PolyhedronPair(const PolyhedronPose& point_side, const PolyhedronPose& surface_side, const Vec3& moved_by_belts,
        double friction, double damping_share);

    PoseVec point(const Vec3& p) const { return carried_point(pose.x, pose.R * p); } // of a
    PoseVec direction(const Vec3& d) const { return carried_direction(pose.R * d); } // of a
};

/// The ends of a spring of two edges of polyhedra, in the frame of the second.
struct PolyhedronSpring {
    PoseVec Z; // [m] on the first
    PoseVec stretch; // [m] K - Z, without what is damped
    PoseScalar weight; // [-] of the force
    PoseVec n; // unit, outward
    double depth; // [m]
    double damped = 0; // [m] along n: the part of the stretch that is damping
    Vec3 slid; // [m] by the attachment in this step
    Vec3 belt; // [m] by which conveyors moved the attachment
    bool sticks;
    AttachedTo to; // the relaxed attachment
};

/// Paper: extends Alg 8 PRECOMPUTE_RR to edges.
PoseContact posed_contact(const PolyhedronPair& pair, const PolyhedronSpring& spring);

} // namespace stickslip
