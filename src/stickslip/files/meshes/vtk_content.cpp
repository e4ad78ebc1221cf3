#include "stickslip/files/meshes/vtk_content.h"

#include "stickslip/files/meshes/mesh_formats.h"
#include "stickslip/files/meshes/vtk_xml.h"
#include "stickslip/geometry/mesh/polygon.h"

#include <algorithm>

namespace stickslip {

namespace {

const VtkField* find_field(const std::vector<VtkField>& fields, std::string_view name)
{
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const VtkField& f) { return f.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

// Pieces of one file have the same fields; one that is not in all pieces is dropped by drop_partial_fields.
void add_fields(const VtkXmlFile& file, const VtkXmlPiece& piece, const std::string& section, std::int64_t count,
    VtkPart part, std::vector<VtkField>& fields)
{
    for (const auto& [key, array] : piece.arrays) {
        if (!key.starts_with(section + "/")
            || (part == VtkPart::places && array.data.name != "body" && array.data.name != "radius"))
            continue;
        const std::vector<double> values = file.reals(piece, key, count * array.components);
        auto field =
            std::find_if(fields.begin(), fields.end(), [&](const VtkField& f) { return f.name == array.data.name; });
        if (field == fields.end())
            field = fields.insert(field, {.name = array.data.name, .components = array.components, .values = {}});
        field->values.insert(field->values.end(), values.begin(), values.end());
    }
}

void drop_partial_fields(std::size_t count, std::vector<VtkField>& fields)
{
    std::erase_if(fields, [&](const VtkField& f) { return f.values.size() != count * f.components; });
}

void add_tets(
    const MeshInput& in, const VtkXmlFile& file, const VtkXmlPiece& piece, int first, int points, VtkContent& content)
{
    RawTets raw;
    add_vtk_cells(in, read_vtk_cells(in, file, piece), first, points, raw);
    content.tets.insert(content.tets.end(), raw.tets.begin(), raw.tets.end());
}

void add_polygons(
    const MeshInput& in, const VtkXmlFile& file, const VtkXmlPiece& piece, int first, int points, VtkContent& content)
{
    const std::vector<std::int64_t> ends = file.integers(piece, "Polys/offsets", piece.count("NumberOfPolys"));
    if (ends.empty())
        return;
    if (ends.back() < 0)
        in.fail("offsets >= 0", std::to_string(ends.back()));
    const std::vector<std::int64_t> corners = file.integers(piece, "Polys/connectivity", ends.back());
    std::int64_t begin = 0;
    std::vector<int> polygon;
    for (const std::int64_t end : ends) {
        if (end < begin || end > static_cast<std::int64_t>(corners.size()))
            in.fail("offsets that do not decrease or leave the array", std::to_string(end));
        polygon.clear();
        for (; begin < end; ++begin) {
            if (corners[begin] < 0 || corners[begin] >= points)
                in.fail("node numbers from 0 to " + std::to_string(points - 1), std::to_string(corners[begin]));
            polygon.push_back(first + static_cast<int>(corners[begin]));
        }
        if (polygon.size() >= 3)
            add_polygon(polygon, content.points, content.triangles);
    }
}

} // namespace

const VtkField* VtkContent::point_field(std::string_view name) const
{
    return find_field(point_fields, name);
}

const VtkField* VtkContent::cell_field(std::string_view name) const
{
    return find_field(cell_fields, name);
}

VtkContent read_vtk_content(const std::filesystem::path& path, VtkPart part)
{
    const bool volume = path.extension() == ".vtu";
    MeshInput in = MeshInput::open(path.string());
    const VtkXmlFile file(in, volume ? "UnstructuredGrid" : "PolyData");
    VtkContent content;
    for (const VtkXmlPiece& piece : file.pieces()) {
        const int first = static_cast<int>(content.points.size());
        const std::vector<Vec3> points = file.points(piece, first);
        content.points.insert(content.points.end(), points.begin(), points.end());
        add_fields(file, piece, "PointData", static_cast<std::int64_t>(points.size()), part, content.point_fields);
        if (part == VtkPart::places)
            continue;
        (volume ? add_tets : add_polygons)(in, file, piece, first, static_cast<int>(points.size()), content);
        if (volume)
            add_fields(file, piece, "CellData", piece.count("NumberOfCells"), part, content.cell_fields);
    }
    drop_partial_fields(content.points.size(), content.point_fields);
    drop_partial_fields(content.tets.size(), content.cell_fields);
    return content;
}

} // namespace stickslip
