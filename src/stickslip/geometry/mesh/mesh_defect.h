#pragma once

#include <string>
#include <vector>

namespace stickslip {

enum class MeshDefectKind {
    index_out_of_range,
    not_finite,
    repeated_node, // twice in one element
    inverted, // negative volume
    flat, // no volume (tetrahedron) or no area (triangle) for its edge length
    duplicate, // two elements with the same nodes
    opposite, // two triangles of a solid with the same vertices that look to opposite sides: they bound nothing
    overfull_face, // shared by more than two tetrahedra
    same_side, // two tetrahedra on one side of the face that they share: they overlap
    unused_node, // belongs to no element
    dangling, // tetrahedron that no way over faces joins to the largest piece: it hangs by a node or an edge, or is
              // apart
    open_edge, // belongs to one triangle only
    overfull_edge, // shared by more than two triangles
    misoriented_edge, // both its triangles run along it in the same direction
    crossing, // triangles that cut through one another
    enclosed_twice, // triangles within or on another part of the surface that faces the same way
    inside_out, // triangles of a part that is turned inside out and lies in no other
    unwelded_node, // at the place of another node, not joined to it
};

/// Everything of one kind that is wrong with a mesh. Elements are numbered from 0 in the order of the mesh.
struct MeshDefect {
    MeshDefectKind kind;
    std::vector<int>
        elements; // tetrahedra or triangles concerned, ascending; nodes for not_finite, unused_node and unwelded_node
    std::string text; // for the user: how many, and the first few by number
};

} // namespace stickslip
