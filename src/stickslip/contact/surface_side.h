#pragma once

#include "stickslip/bodies/obstacle.h"
#include "stickslip/contact/attachment.h"
#include "stickslip/contact/relax_level_set.h"

#include <array>
#include <optional>

namespace stickslip {

/// What a surface side answers for one point: the end Y of the spring that carries the force, and what the report
/// needs.
template <int BlockCount>
struct SurfaceContact {
    Vec3 Y; // [m] end of the spring (drawn towards Z beyond a rim, see rim_weight)
    Mat3 dY_dZ; // [-]
    std::array<Mat3, BlockCount> dY_dblock; // [-] by the surface's own unknowns
    bool sticks;
    int patch;
    Vec3 X; // [m] surface frame: the relaxed attachment, the next step's X; untouched bit for bit where it sticks
    Vec3 slip; // [m] world axes: how far the attachment slid over the surface in this step
    Vec3 carried; // [m] world axes: how far the surface moved that attachment in this step
    double depth; // [m] -phi
    Vec3 n; // unit, outward, world axes
};

/// Surface side of the contact table: a fixed or scripted level set. It has no unknowns, so only Z moves Y.
/// Everything is relaxed in the solid's own frame, where a scripted obstacle stands still: a surface that moves drags
/// its attachments.
class ObstacleSurface {
public:
    static constexpr int block_count = 0;

    /// `old_frame` and `frame` [world] at the start and the end of the step of length dt.
    ObstacleSurface(
        const Obstacle& obstacle, const Frame& old_frame, const Frame& frame, double dt, RelaxationKind kind);

    /// What every surface side has; here there is no block to ask for.
    ///   block(b)                    which unknowns the surface depends on
    ///   load(b, Y, f)               what a force f at Y [N] adds to the equation of block b
    ///   load_derivative(b, c, Y, f, dY, df)   derivative of load(b, Y, f) by the position of the surface's own block
    ///   c, or by a block of the
    ///                               point (c = -1), along which Y and f change by dY and df
    int block(int) const { return -1; }
    Vec3 load(int, const Vec3&, const Vec3& f) const { return f; }
    Mat3 load_derivative(int, int, const Vec3&, const Vec3&, const Mat3&, const Mat3& df) const { return df; }

    /// `kept`: the attachment of the last step, or null for a point that comes in now from Z_old. Nothing where Z is
    /// outside.
    std::optional<SurfaceContact<0>> relax(const Vec3& Z_old, const Vec3& Z, const Attachment* kept, double mu) const;

    /// False only where no point of `box` [world, at the end of the step] can be inside.
    bool may_touch(const Bounds& box) const;

private:
    struct Start; // the attachment to relax from, and how it depends on Z
    std::optional<Start> start(const Vec3& U_old, const Vec3& U, const Attachment* kept) const;

    const Obstacle* obstacle_;
    Frame old_frame_, frame_;
    double dt_;
    RelaxationKind kind_;
    Bounds bounds_;
};

} // namespace stickslip
