#pragma once

#include <array>
#include <vector>

namespace stickslip {

class SmoothPatches;

/// Whether a flat part ends at each side of each facet, where the surface folds by 1 degree at least. What is flat and
/// what is round differ in what lies beyond a facet, away from the fold. The surface is flat
/// - where it goes on level to a vertex that is surrounded by the patch;
/// - where what is level is more than three times as wide as the strip beyond the fold, which is round: what bends
///   evenly is cut into strips alike;
/// - where it goes on level to a crease or a rim, and the surface beyond the fold goes on level or bends back.
/// It is round where the normals at the fold and at the far corner of a facet lean apart by as much, to either side of
/// the facet's own. O(facets + folds x facets on a level).
std::vector<std::array<bool, 3>> ends_of_flats(const SmoothPatches& surface);

} // namespace stickslip
