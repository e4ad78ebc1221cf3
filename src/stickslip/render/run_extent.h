#pragma once

#include "stickslip/render/drawn_frame.h"

namespace stickslip {

/// Where a run takes place, seen at some of its frames.
struct RunExtent {
    std::vector<Vec3> points; // [m] corners of the boxes around what moves, and of the obstacles near it
    Vec3 centre = Vec3::Zero(); // [m]
    double radius = 1; // [m] of a ball around all points
    bool has_plane = false; // some obstacle is flat
    double largest = 0; // [m/s] or [Pa] of what is coloured by, at the quantile
};

/// Reads up to 24 frames spread over the run. `quantile`: share of the coloured values that are at most `largest`. Pre:
/// at least one frame, 0 < quantile <= 1.
RunExtent run_extent(const RunReading& run, ColourBy by, double quantile);

} // namespace stickslip
