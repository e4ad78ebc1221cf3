#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/contact/attachment.h"
#include "stickslip/contact/contact.h"
#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/contact/relax/relax_level_set.h"

#include <optional>
#include <span>
#include <vector>

namespace stickslip {

struct DistanceField;
struct PosedPoint;

/// Motion of a level set and of its conveyor in a step.
struct SurfaceMotionInStep {
    Frame old_frame, frame; // of the solid [world], at the start and at the end
    Vec3 surface_velocity = Vec3::Zero(); // [m/s] in the solid's frame: of a conveyor, past the material that touches
    double dt = 0; // [s]
    double damping = 0; // [s] of the normal force

    double damping_share() const { return damping > 0 ? damping / dt : 0; } // [-] of the step
};

/// An extreme point of a rim.
struct RimContact : PoseContact {
    int point; // of Rim::extreme_points
};

/// Surface side of the contact table: a level set, fixed, scripted or carried by a rigid body. Everything is relaxed in
/// the solid's own frame, where a moving solid stands still: a surface that moves drags its attachments, and how the
/// answer depends on the solid's motion follows from how it depends on the point's (ContactBlocks::add).
class LevelSetSurface {
public:
    LevelSetSurface(const LevelSet& solid, const SurfaceMotionInStep& motion, RelaxationKind kind);

    /// State of a point at the start of a step, in the solid's frame.
    struct PointStart {
        Vec3 U_old; // [m]
        PointSurface own; // of find_entry
        Bounds way_in; // what its way must not pass by if it is to enter
    };

    /// Of a point that was at Z_old; `point`: of find_entry, in world axes.
    PointStart start_of(const Vec3& Z_old, const PointSurface& point) const;

    /// `kept`: the attachment of the last step, or null for a point that comes in now from where it started. Nothing
    /// where Z is outside. Paper: Alg 6 PRECOMPUTE_RD, Alg 7 PRECOMPUTE_RR
    std::optional<PointContact> relax(const PointStart& began, const Vec3& Z, const Attachment* kept, double mu) const;
    std::optional<PointContact> relax(
        const Vec3& Z_old, const Vec3& Z, const PointSurface& point, const Attachment* kept, double mu) const
    {
        return relax(start_of(Z_old, point), Z, kept, mu);
    }

    /// A ball of radius r with centre c (c_old at the start of the step) that turns in the step by `phi` [rad, world]
    /// more than the surface does. It rolls: what is attached is where it touches, not a point of the ball
    /// (docs/derivations.md#round-points).
    std::optional<PoseContact> relax_round(
        const Vec3& c_old, const Vec3& c, double r, const Vec3& phi, const Attachment* kept, double mu) const;

    /// State of a rim at the start of a step.
    struct RimStart {
        Frame frame; // its centre, the axes of its body
        double indentation; // [m] PointSurface::indentation
        Vec3 way; // [m] of its centre, against the solid, where nothing stops it in the step
        std::span<const LevelPatch> before; // PointSurface::before
    };

    /// The extreme points of a rim whose centre is the origin of `frame`, with the axes of its body. They roll, each
    /// with the attachment of `kept` that it carries on, if there is one: those of this rim's points, of which `first`
    /// is the number of the first. Replaces what `found` held (docs/derivations.md#extreme-points).
    void relax_rim(const Rim& rim, const RimStart& began, const Frame& frame, std::span<const Attachment> kept,
        int first, double mu, std::vector<RimContact>& found) const;

    /// The point of a rim at the angle i/Rim::even_points of a turn, with what share of its force it has
    /// (extreme_share): a point of the body, or a ball where the rim has a tube.
    std::optional<PoseContact> relax_even_point(
        const Rim& rim, int i, const RimStart& began, const Frame& frame, const Attachment* kept, double mu) const;

    /// False only where no point of the rim can touch.
    bool may_touch(const Rim& rim, const Frame& frame) const;

    /// What the way of a point must not pass by if it is to enter, one that is `indentation` and as wide (find_entry)
    /// [solid's frame].
    Bounds way_in(double indentation, double half_width) const
    {
        const Vec3 reach = Vec3::Constant(entry_reach(*solid_, indentation, half_width));
        return {bounds_.min - reach, bounds_.max + reach};
    }
    static bool passes_by(const Bounds& box, const Vec3& U_old, const Vec3& U)
    {
        return (U.array() > box.max.array() && U_old.array() > box.max.array()).any()
            || (U.array() < box.min.array() && U_old.array() < box.min.array()).any();
    }
    const SurfaceMotionInStep& motion() const { return motion_; }
    void place(const SurfaceMotionInStep& motion) { motion_ = motion; }

    /// False only where no point of `box` [world, at the end of the step] can be inside.
    bool may_touch(const Bounds& box) const;

private:
    // Where the point would be if the spring alone gave the force of spring and damper, its projection; whether there
    // is no such force.
    struct DampedPoint {
        Vec3 P;
        Mat3 dP_dU;
        Projection at_P;
        bool relieved;
    };
    // Of the place of a sharp rim in the direction u from its centre, in world axes.
    static PointSurface surface_of_rim(const Rim& rim, const RimStart& began, const Vec3& u);

    DampedPoint damp(int patch, const Vec3& U_old, const Vec3& U, const Projection& at_U) const;

    // One extreme point or seam point; both frames are those of the rim as seen from the solid.
    std::optional<RimContact> relax_extreme(const Rim& rim, const DistanceField& field, const PosedPoint& at,
        double angle, const RimStart& began, const Frame& old_body, const Frame& body, const Attachment* kept,
        double mu) const;

    /// [m] `deepest` of rim_share: of what began the step beyond a rim as far as springs may have let it
    /// sink, or half the width of a material point.
    double deepest_beyond_rim(const PointStart& began, const Attachment* kept) const;

    struct Start; // the attachment to relax from, and how it depends on Z
    std::optional<Start> start(const PointStart& began, const Vec3& U, const Attachment* kept) const;

    const LevelSet* solid_;
    SurfaceMotionInStep motion_;
    RelaxationKind kind_;
    Bounds bounds_;
};

} // namespace stickslip
