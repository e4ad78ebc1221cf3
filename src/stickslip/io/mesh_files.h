#pragma once

#include "stickslip/geometry/tet_mesh.h"
#include "stickslip/geometry/tri_mesh.h"

#include <string>

namespace stickslip {

/// A mesh and what its file held besides. Nothing is repaired: run find_defects on the mesh.
struct TetMeshFile {
    TetMesh mesh; // nodes in the order of the file, without those that belong to no tetrahedron
    int unused_nodes = 0; // dropped: Gmsh keeps nodes of geometry there
    int ignored_cells = 0; // points, lines, triangles, hexahedra...
};

/// Reads the 4-node tetrahedra of Gmsh .msh (2.x, 4.0, 4.1; ASCII, binary of either byte order), legacy .vtk
/// (unstructured grid, ASCII or binary) or .vtu (ASCII, base64, appended raw or base64, zlib or not). The ending of the
/// name decides; lengths are taken as metres.
///
/// Errors: FileError if the file cannot be read; InputError "file:line: error: expected ..., found ..." ("file: byte N:
/// error: ..." in binary parts) for anything else, also quadratic tetrahedra, none at all, or an unknown ending. Any
/// file content is safe.
TetMeshFile read_tet_mesh(const std::string& path);

/// Reads a surface from .obj (polygons cut into fans), .stl (ASCII or binary, equal corners joined) or .ply (ASCII or
/// binary), or takes the boundary of the tetrahedra in one of the formats above. Vertices in the order of the file.
/// Errors as read_tet_mesh.
TriMesh read_tri_mesh(const std::string& path);

} // namespace stickslip
