#pragma once

#include "stickslip/contact/meshes/patch_surface.h"

#include <array>
#include <vector>

namespace stickslip {

/// A point of a body's surface and its way in the step.
struct PointWay {
    Vec3 Z_old, Z_next; // [m] at the start of the step, and predicted for its end
    Vec3 n; // unit, outward at the start of the step; zero: of no one direction
    std::array<int, 3> own = {-1, -1, -1}; // vertices of the surface that it belongs to itself
};

/// A patch that a point can meet in the step.
struct PatchEntry {
    int patch;
    int facet; // that it enters by, or is nearest to
    double gap; // [m] in front of it at the start of the step, >= 0
    double old_depth; // [m] behind it then, >= 0
};

/// Depth [m] of a point behind a patch and gap in front of it at the start of the step, by its foot; without a foot,
/// by the plane of `facet`.
PatchEntry entry_at(const PatchSurface& surface, const Vec3& Z_old, int facet);

/// The patches of a surface that a point can meet, one facet of each, decided for the step: the first that the point
/// goes through from front to back on its predicted way, else the nearest that looks against it. A point behind a
/// surface is taken to have come in by up to PatchSurface::may_be_sunk, behind that of its own body by a thousandth of
/// an edge: farther is the inside of the body. `entries`: replaced, ascending
/// by patch.
void find_entries(const PatchSurface& surface, const PointWay& way, std::vector<PatchEntry>& entries);

} // namespace stickslip
