#pragma once

#include "stickslip/render/drawn_frame.h"

#include <optional>

namespace stickslip {

/// The boxes of bodies (each with its own, at some moments), without those of run-aways. Bodies are taken by how far
/// they come from where all begin, with obstacles up to ten times as large around there; the first whose middle is
/// farther than four sizes of what has been taken until then has run away, as all that come farther. All boxes if none
/// stays. The replay page has the same rule (web/src/extent.ts).
std::vector<Bounds> boxes_of_staying(
    const std::vector<std::vector<Bounds>>& bodies, const std::vector<Bounds>& obstacles);

/// Boxes of bodies at some moments, without those far from where bodies usually are: whose middle is farther from
/// the quartiles of all middles, along an axis, than 1.5 interquartile ranges and 4 times the median half size. The
/// replay page has this rule too. All boxes where there are no more than `few`: so few bodies are seen on all of their
/// way.
std::vector<Bounds> without_run_aways(std::vector<Bounds> boxes, std::size_t few);

/// Extent of a run, seen at some of its frames.
struct RunExtent {
    std::vector<Vec3> points; // [m] corners of the boxes around what moves, without run-aways, and of obstacles near it
    Vec3 centre = Vec3::Zero(); // [m]
    double radius = 1; // [m] of a ball around all points
    bool has_plane = false; // some obstacle is flat
    std::optional<double> largest = {}; // [m/s] or [Pa] of what is coloured by, at the quantile; unset: none has it
};

/// Reads up to 24 frames spread over the run. `quantile`: share of the coloured values that are at most `largest`. Pre:
/// at least one frame, 0 < quantile <= 1.
RunExtent run_extent(const RunReading& run, ColourBy by, double quantile);

} // namespace stickslip
