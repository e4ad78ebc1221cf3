#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <array>
#include <vector>

namespace stickslip {

class SmoothPatches;

/// A surface with fans (LevelFans) whose level parts have a core with their own normal, where else normals would lean
/// to one side over the part in the mean: what rests there would feel another slope, and what crosses it gain or lose
/// energy. Between the outline of the part and its core lies a border of even width, over which normals turn. On what
/// is round and evenly cut they lean to either side alike: it stays as it is.
struct FlatCores {
    /// Vertices of the surface from number first_centre on are the centres of fans, corner 2 of their facets.
    FlatCores(const SmoothPatches& surface, int first_centre);

    TriMesh mesh; // the vertices of the surface, then those of cores
    std::vector<std::array<bool, 3>> ends_flat; // of its sides
    std::vector<std::array<int, 3>> normal_of; // of the surface, by corner; -1: of its level part
};

/// Gives a surface with cores the normals of the one without, and cores their own.
void keep_normals(const SmoothPatches& without, const FlatCores& cores, SmoothPatches& with_cores);

} // namespace stickslip
