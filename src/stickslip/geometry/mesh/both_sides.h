#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/patches/smooth_patches.h"

#include <vector>

namespace stickslip {

/// Both sides of a surface without thickness, open or closed, whatever its winding: first its facets turned so that
/// those of one piece look to the same side, then each once more, turned over and with vertices of its own. So the two
/// sides are not joined at rims. Facets that are left out of the topology are left out.
TriMesh both_sides(const EdgeTopology& surface);

/// The two sides of each piece of an open surface, whose facets are those of both_sides. Pieces are turned each by
/// itself, so that the first sides of two need not look the same way.
class SheetSides {
public:
    explicit SheetSides(const SmoothPatches& both_sides);

    /// Whether one piece has the two facets on different sides.
    bool are_opposite(int facet, int other) const
    {
        return piece_[facet % facets()] == piece_[other % facets()] && is_second(facet) != is_second(other);
    }

private:
    int facets() const { return static_cast<int>(piece_.size()); } // of one side
    bool is_second(int facet) const { return facet >= facets(); }

    std::vector<int> piece_; // of the facets of the first side
};

/// The side of a solid that others touch, with its own vertices. Facets that are left out of the topology are left out.
TriMesh outer_side(const EdgeTopology& solid);

} // namespace stickslip
