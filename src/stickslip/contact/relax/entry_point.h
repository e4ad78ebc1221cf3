#pragma once

#include "stickslip/contact/relax/past_edge.h"

#include <optional>
#include <span>

namespace stickslip {

/// Where a point that was outside a solid came in on its straight way from U_old to U, both in the solid's own frame,
/// and how that depends on U. The patch is the last one whose surface was crossed. A point that is inside already at
/// U_old (it was started there) enters at the closest surface point, which does not depend on U. This is the first
/// attachment of a new contact: a function of the two ends alone, so it does not matter which trial state met the
/// contact first (docs/derivations.md#entry).
struct EntryPoint {
    int patch;
    Vec3 X; // [m] on the surface
    Mat3 dX_dU; // [-]
    double remaining; // [-] fraction of the step left after entering, 1 when it began inside
    Vec3 dremaining_dU; // [1/m]
    std::optional<RimWeight> rim; // share of its force where it came in on the way: rim_weight at U, and beyond a rim
                                  // no more than its way inside was long; empty where it began on the surface or inside
};

/// A point farther than this fraction of a solid's smallest size, or of a mesh's edges, under a face is not level with
/// it, however deep springs are compressed.
constexpr double level_limit = 2.5e-3;

/// The surface that a point belongs to, in the solid's frame at the start of the step.
struct PointSurface {
    Vec3 n = Vec3::Zero(); // unit outward normal, on edges and corners the mean of their faces; zero: not known
    bool flat = false; // no edge or corner
    double indentation = 0; // [m] StepStart::level_depth: no farther from a face's surface, it is level with that
    Vec3 way = Vec3::Zero(); // [m] of the point, against the solid, where nothing stops it in the step
    std::span<const LevelPatch> before; // patches of the solid that the whole of its body stands before; several: it
                                        // touches no more than their common edge; none: not known
    double half_width = 0; // [m] of a material point
    bool two_sided = false; // of a sheet: it looks along -n as well
    Vec3 rim = Vec3::Zero(); // of a sheet where it ends, SurfaceSample::rim

    /// In the axes R of a solid, from the world's.
    PointSurface seen_from(const Mat3& R) const
    {
        return {R.transpose() * n, flat, indentation, R.transpose() * way, before, half_width, two_sided,
            R.transpose() * rim};
    }
};

/// Two surfaces meet face to face: a point of a flat face does not come in by a face at right angles to it, whose rim
/// it may happen to pass.
///
/// A point that is level with a face which its own surface looks at, and comes from beyond its rim, slides in under
/// that face, whatever other face it crosses on its way: what springs let sink into one table is not stopped by the
/// next. It is level at the start or as it comes over the rim: the next table may be a slope that falls from there. It
/// feels the face from as far beyond the rim as a contact that slides out does (rim_width). What begins flush with the
/// face and its rim comes in by that face or not at all, with all of its force.
///
/// If the whole body lay outside exactly one face at the start of the step, its other points can enter through that
/// face only; if it lay outside several, through the first of them, and where weight_past_edge says.
///
/// What a material point is beside the face of the solid itself, before that was grown by half its width, takes from
/// the force by its share of that width.
///
/// Nothing when U is not inside and did not come in through the patch on its way to where it still carries. A crossing
/// flush with the rim, within 1e-6 of the solid's smallest size, counts.
std::optional<EntryPoint> find_entry(
    const LevelSet& solid, const Vec3& U_old, const Vec3& U, const PointSurface& point = {});

/// Distance beyond the solid's rims within which find_entry may find a point that is level with a face [m].
double entry_reach(const LevelSet& solid, double indentation, double half_width = 0);

} // namespace stickslip
