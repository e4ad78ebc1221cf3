#pragma once

#include "stickslip/contact/meshes/patch_surface.h"
#include "stickslip/geometry/mesh/both_sides.h"

#include <array>
#include <optional>
#include <vector>

namespace stickslip {

/// A point of a body's surface and its way in the step.
struct PointWay {
    Vec3 Z_old, Z_next; // [m] at the start of the step, and predicted for its end
    Vec3 n = Vec3::Zero(); // unit, outward at the start of the step; zero: of no one direction
    std::array<int, 3> own = {-1, -1, -1}; // vertices of the surface that it belongs to itself
    double turn = 0; // [rad] of its facets at most away from n: on edges and corners
    double stray = 0; // [m] how much farther than a quarter of an edge it may get from its predicted way
    std::optional<double> behind = {}; // [m] how far behind the surface it may have come in; none: find_entries
    double indentation = 0; // [m] StepStart::indentation of its body and the surface's
    double pressed = 0; // [m] twice StepStart::pressed of two that keep their shape
    Vec3 outward = Vec3::Zero(); // unit, of a point without a normal: it slides in under faces that this looks at
    bool two_sided = false; // of a sheet's point: outward or its opposite
    Vec3 rim = Vec3::Zero(); // of a sheet where it ends, SurfaceSample::rim
    double half_width = 0; // [m] of a material point
    bool is_solid = false; // the surface encloses a solid that keeps its shape
    const SheetSides* sheet = nullptr; // it has two sides and no inside; null: it is none
    int held = -1; // facet of a sheet that holds the point, which meets no other side of its piece; -1: none
};

/// A patch that a point can meet in the step.
struct PatchEntry {
    int patch;
    int facet; // that it enters by, or is nearest to
    double gap; // [m] in front of it at the start of the step, >= 0
    double old_depth; // [m] behind it then, >= 0
    bool is_crossed = false; // its way goes through, from front to back
    bool slides_along = false; // it is level with the patch, or of the same body, and may come onto it from beside
};

/// Depth [m] of a point behind a patch and gap in front of it at the start of the step, by its foot; without a foot,
/// by the plane of `facet`.
PatchEntry entry_at(const PatchSurface& surface, const Vec3& Z_old, int facet);

/// The patches of a surface that a point can meet, decided for the step, with the facet entered on each: the first that
/// the predicted way crosses from front to back and that faces some facet at the point, else the nearest that faces it.
/// A point behind a surface is taken to have come in by up to PointWay::behind, or
/// PatchSurface::entry_depth, behind that of its own body by a thousandth of an edge: farther is the inside of the
/// body. A point without a normal that goes through none is met by no patch that it is behind by more than twice the
/// depth below all of the surface. A solid that keeps its shape is met by faces alone: not by what goes past their
/// convex edges, nor behind a face by more than that.
///
/// A point that goes through a facet no farther than PointWay::indentation from another face, across a convex edge, at
/// which its own surface looks as well, and faster in through the one than towards the other, is level with that face:
/// it slides in under it. So is what begins so near the plane of that face, less than an edge before its rim, and a
/// material point that goes through no farther from it than half its width, but for the edges of its body, which look
/// at both. A point in front of a patch may be beyond its rim: what does not slide along goes past it there
/// (PatchView::entry_rim_width). `entries`: replaced, ascending by patch.
void find_entries(const PatchSurface& surface, const PointWay& way, std::vector<PatchEntry>& entries);

/// [m] How far from the box around Z_old and Z_next find_entries looks for facets, along each axis.
double entry_reach(const PatchSurface& surface, double stray);

} // namespace stickslip
