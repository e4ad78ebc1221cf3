#pragma once

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

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

/// A surface and what its file held besides.
struct TriMeshFile {
    TriMesh mesh; // vertices in the order of the file, also those that belong to no triangle
    int loose_edges = 0; // ignored: lines that the file lists beside its polygons
};

/// Reads a surface from .obj and .off (polygons cut into triangles), .stl (ASCII or binary, equal corners joined) or
/// .ply (ASCII or binary), or takes the boundary of the tetrahedra in one of the formats above. Errors as
/// read_tet_mesh; of a file without triangles they say whether it holds points alone or edges alone.
TriMeshFile read_surface(const std::string& path);
TriMesh read_tri_mesh(const std::string& path);

/// The mesh as the text of an .obj file; read back, it has the same bits.
std::string obj_text(const TriMesh& mesh);

} // namespace stickslip
