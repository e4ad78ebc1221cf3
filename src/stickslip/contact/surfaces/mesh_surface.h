#pragma once

#include "stickslip/contact/points/pose_dual.h"
#include "stickslip/contact/surfaces/ball_on_triangles.h"
#include "stickslip/contact/surfaces/level_set_surface.h"
#include "stickslip/contact/surfaces/rim_on_triangles.h"

#include <span>
#include <vector>

namespace stickslip {

/// Surface side of the contact table for balls and circles: triangles that keep their shape, fixed, scripted or carried
/// by a rigid body; open or closed, met by balls from either side. Everything is relaxed in their own frame.
class MeshSurface {
public:
    MeshSurface(const TriangulatedSurface& triangles, const SurfaceMotionInStep& motion)
        : triangles_(&triangles)
        , motion_(motion)
    {
    }

    /// The contacts of a ball, as LevelSetSurface::relax_round for each place where it touches. `kept`: its attachments
    /// of the last step on this surface. Replaces `found`. A ball that was on one side at the start of the step stays
    /// there: where its centre has gone through it is pushed back (docs/derivations.md#balls-on-triangles).
    void relax_ball(const Vec3& c_old, const Vec3& c, double r, const Vec3& phi, std::span<const Attachment> kept,
        double mu, BallOnTriangles& search, std::vector<PoseContact>& found) const
    {
        relax_ball(c_old, c, r, phi, kept, mu, nullptr, search, found);
    }

    /// The places where a circle with a tube touches, but those by which it lies flat: as LevelSetSurface::relax_rim.
    /// is_sheet: the triangles are open and met from either side, not a solid. all_kept: the attachments of all points
    /// of the rim, of which `first` is the number of the first.
    void relax_rim(const Rim& rim, bool is_sheet, const Frame& old_frame, const Frame& frame,
        std::span<const Attachment> all_kept, int first, double mu, RimOnTriangles& search,
        std::vector<RimContact>& found) const;

    /// The ball of a rim at the angle i/Rim::even_points of a turn, with the share by which the circle lies flat where
    /// it touches (extreme_share). kept: its own attachments. Replaces `found`.
    void relax_even_point(const Rim& rim, bool is_sheet, int i, const Frame& old_frame, const Frame& frame,
        std::span<const Attachment> kept, std::span<const Attachment> all_kept, double mu, BallOnTriangles& search,
        std::vector<PoseContact>& found) const;

private:
    // A circle that has the ball: its axis, by the same as the ball; whether the ball was behind the surface where it
    // holds no attachment.
    struct OnCircle {
        PoseVec axis;
        bool was_behind;
    };
    void relax_ball(const Vec3& c_old, const Vec3& c, double r, const Vec3& phi, std::span<const Attachment> kept,
        double mu, const OnCircle* circle, BallOnTriangles& search, std::vector<PoseContact>& found) const;

    const TriangulatedSurface* triangles_;
    SurfaceMotionInStep motion_;
};

} // namespace stickslip
