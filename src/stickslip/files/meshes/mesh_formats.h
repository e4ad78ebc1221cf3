#pragma once

#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/files/meshes/vtk_xml.h"
#include "stickslip/math/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stickslip {

/// Content of a volume file: all its nodes, the 4-node tetrahedra and the number of other cells.
struct RawTets {
    std::vector<Vec3> nodes;
    std::vector<Tetrahedron> tets;
    int ignored_cells = 0;
};

/// Cells as VTK keeps them: cell i has the nodes connectivity[offsets[i]] .. connectivity[offsets[i + 1]].
struct VtkCells {
    std::vector<std::int64_t> offsets; // one more than cells
    std::vector<std::int64_t> connectivity;
    std::vector<std::int64_t> types;
};

/// Appends the tetrahedra; node numbers count from first_node and there are node_count of them.
void add_vtk_cells(const MeshInput& in, const VtkCells& cells, int first_node, int node_count, RawTets& out);

/// The cells of a piece of a .vtu file. Errors as VtkXmlFile.
VtkCells read_vtk_cells(const MeshInput& in, const VtkXmlFile& file, const VtkXmlPiece& piece);

/// Text of the refusal of 10-node and higher tetrahedra; how says what to do in the program that wrote the file.
std::string first_order_only(const std::string& how);

RawTets read_gmsh(MeshInput& in);
RawTets read_legacy_vtk(MeshInput& in);
RawTets read_vtu(MeshInput& in);

TriMeshFile read_obj(MeshInput& in);
TriMeshFile read_off(MeshInput& in);
TriMeshFile read_ply(MeshInput& in);
TriMeshFile read_stl(MeshInput& in);

} // namespace stickslip
