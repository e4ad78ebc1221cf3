#include "stickslip/files/meshes/mesh_formats.h"
#include "stickslip/files/meshes/vtk_xml.h"

#include <cstdint>

namespace stickslip {

namespace {

void add_piece(const MeshInput& in, const VtkXmlFile& file, const VtkXmlPiece& piece, RawTets& mesh)
{
    const int first_node = static_cast<int>(mesh.nodes.size());
    const std::vector<Vec3> points = file.points(piece, first_node);
    mesh.nodes.insert(mesh.nodes.end(), points.begin(), points.end());
    add_vtk_cells(in, read_vtk_cells(in, file, piece), first_node, static_cast<int>(points.size()), mesh);
}

} // namespace

VtkCells read_vtk_cells(const MeshInput& in, const VtkXmlFile& file, const VtkXmlPiece& piece)
{
    const std::int64_t count = piece.count("NumberOfCells");
    VtkCells cells;
    cells.types = file.integers(piece, "Cells/types", count);
    cells.offsets = file.integers(piece, "Cells/offsets", count); // of the ends
    cells.offsets.insert(cells.offsets.begin(), 0);
    const std::int64_t length = cells.offsets.back();
    if (length < 0)
        in.fail("offsets >= 0", std::to_string(length));
    cells.connectivity = file.integers(piece, "Cells/connectivity", length);
    return cells;
}

RawTets read_vtu(MeshInput& in)
{
    const VtkXmlFile file(in, "UnstructuredGrid");
    RawTets mesh;
    for (const VtkXmlPiece& piece : file.pieces())
        add_piece(in, file, piece, mesh);
    return mesh;
}

} // namespace stickslip
