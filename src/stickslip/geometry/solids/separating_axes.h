#pragma once

#include "stickslip/geometry/solids/level_set.h"

#include <optional>
#include <vector>

namespace stickslip {

/// A convex solid with flat faces, as separating axes see it, in its own frame.
struct FlatFacedSolid {
    std::vector<Vec3> corners; // [m]
    std::vector<Vec3> normals; // [-] of the faces, outward unit
    std::vector<Vec3> edges; // [-] unit directions of the edges, each once whatever its sign
};

/// That of a box or a convex polyhedron; nothing of other solids.
std::optional<FlatFacedSolid> flat_faced(const LevelSet& solid);

/// A direction that may separate two solids: normal of a face of the first (its number, and -1) or of the second (-1,
/// and its number), or perpendicular to an edge of each.
struct SeparatingAxis {
    int first = -1, second = -1;
};

/// How far one of two solids has to go to be clear of the other [m], along an axis; negative: they are apart.
struct AxisOverlap {
    double depth = infinity;
    SeparatingAxis axis;
};

/// The least over all axes: the shortest way that parts the two; or, if one gives `enough` [m] or less, an overlap that
/// is no more than that. `axis`: tried first, if it is one. `second_in_first`: frame of the second in that of the
/// first.
AxisOverlap least_overlap(const FlatFacedSolid& first, const FlatFacedSolid& second, const Frame& second_in_first,
    double enough, SeparatingAxis axis = {});

} // namespace stickslip
