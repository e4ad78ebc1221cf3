#pragma once

#include "stickslip/contact/surfaces/ball_on_triangles.h"
#include "stickslip/contact/surfaces/level_set_surface.h"

#include <span>
#include <vector>

namespace stickslip {

/// Surface side of the contact table for balls: triangles that keep their shape, fixed, scripted or carried by a rigid
/// body; open or closed, met from either side. Everything is relaxed in their own frame.
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
        double mu, BallOnTriangles& search, std::vector<PoseContact>& found) const;

private:
    const TriangulatedSurface* triangles_;
    SurfaceMotionInStep motion_;
};

} // namespace stickslip
