#include "stickslip/files/vtk_files.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/xml_text.h"
#include "stickslip/math/check.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <zlib.h>

namespace stickslip {

namespace {

// Uncompressed; the last block of an array is shorter. VTK wants whole numbers in a block.
constexpr std::size_t block_size = std::size_t{1} << 18;

// Of SymmetricEntries, as ParaView shows them.
constexpr std::array<const char*, 6> entry_names = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};

static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(int) == 4);
static_assert(sizeof(SymmetricEntries) == 6 * sizeof(double));

template <typename Value>
std::string_view bytes_of(std::span<const Value> values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <typename Value>
std::string_view bytes_of(const std::vector<Value>& values)
{
    return bytes_of(std::span<const Value>(values));
}

/// The binary part of a file, one array after the other:
///     number of blocks, size of a block, size of the last one (0: full), compressed size of each (all 64 bits), the
///     compressed blocks
class AppendedArrays {
public:
    /// Returns the element that refers to it.
    std::string add(std::string_view type, std::string_view name, int components, std::string_view bytes)
    {
        std::string element = "<DataArray type=\"" + std::string(type) + "\" Name=\"" + xml_escape(name) + "\"";
        if (components > 1)
            element += " NumberOfComponents=\"" + std::to_string(components) + "\"";
        for (std::size_t i = 0; components == 6 && i < entry_names.size(); ++i)
            element += " ComponentName" + std::to_string(i) + "=\"" + entry_names[i] + "\"";
        element += " format=\"appended\" offset=\"" + std::to_string(data_.size()) + "\"/>\n";
        compress_blocks(bytes);
        return element;
    }
    std::string add_points(std::span<const Vec3> points)
    {
        return "<Points>\n" + add("Float64", "Points", 3, bytes_of(points)) + "</Points>\n";
    }
    std::string add_fields(std::string_view element, const std::vector<FrameField>& fields, std::size_t count);

    const std::string& data() const { return data_; }

private:
    void compress_blocks(std::string_view bytes);

    std::string data_;
    std::string scratch_;
};

void AppendedArrays::compress_blocks(std::string_view bytes)
{
    const std::size_t blocks = (bytes.size() + block_size - 1) / block_size;
    std::vector<std::uint64_t> header = {blocks, block_size, bytes.size() % block_size};
    scratch_.clear();
    for (std::size_t begin = 0; begin < bytes.size(); begin += block_size) {
        const std::string_view block = bytes.substr(begin, block_size);
        uLongf length = compressBound(block.size());
        const std::size_t old = scratch_.size();
        scratch_.resize(old + length);
        // Digits of a simulation are noise to zlib: higher levels take far longer for a few percent.
        const int status = compress2(reinterpret_cast<Bytef*>(scratch_.data() + old), &length,
            reinterpret_cast<const Bytef*>(block.data()), block.size(), Z_BEST_SPEED);
        STICKSLIP_ASSERT(status == Z_OK);
        scratch_.resize(old + length);
        header.push_back(length);
    }
    data_ += bytes_of(header);
    data_ += scratch_;
}

/// How VTK names what a field holds.
struct FieldLayout {
    std::string_view type;
    int components;
};
FieldLayout layout_of(std::span<const double>)
{
    return {"Float64", 1};
}
FieldLayout layout_of(std::span<const Vec3>)
{
    return {"Float64", 3};
}
FieldLayout layout_of(std::span<const int>)
{
    return {"Int32", 1};
}
FieldLayout layout_of(std::span<const SymmetricEntries>)
{
    return {"Float64", 6};
}

std::string AppendedArrays::add_fields(
    std::string_view element, const std::vector<FrameField>& fields, std::size_t count)
{
    std::string text = "<" + std::string(element) + ">\n";
    for (const FrameField& field : fields) {
        text += std::visit(
            [&](auto values) {
                STICKSLIP_ASSERT(values.size() == count);
                const FieldLayout layout = layout_of(values);
                return add(layout.type, field.name, layout.components, bytes_of(values));
            },
            field.values);
    }
    return text + "</" + std::string(element) + ">\n";
}

/// Corners of all cells one after the other, and where each cell ends.
template <std::size_t corners>
std::string add_cells(AppendedArrays& arrays, std::span<const std::array<int, corners>> cells)
{
    std::vector<std::int64_t> connectivity, ends;
    connectivity.reserve(cells.size() * corners);
    ends.reserve(cells.size());
    for (const std::array<int, corners>& cell : cells) {
        connectivity.insert(connectivity.end(), cell.begin(), cell.end());
        ends.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    std::string text = arrays.add("Int64", "connectivity", 1, bytes_of(connectivity));
    text += arrays.add("Int64", "offsets", 1, bytes_of(ends));
    return text;
}

/// `attributes`: of the data set.
void write_vtk(const std::filesystem::path& path, const std::string& name, const std::string& attributes,
    const std::string& piece, const std::string& data)
{
    const bool little = std::endian::native == std::endian::little;
    AtomicFile file(path);
    file.append("<?xml version=\"1.0\"?>\n<VTKFile type=\"" + name + "\" version=\"1.0\" byte_order=\""
        + (little ? "LittleEndian" : "BigEndian") + "\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<"
        + name + attributes + ">\n" + piece + "</" + name + ">\n<AppendedData encoding=\"raw\">\n_");
    file.append(data);
    file.append("\n</AppendedData>\n</VTKFile>\n");
    file.commit();
}

std::string attribute(std::string_view name, std::size_t value)
{
    return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

/// Points and cells of one kind: `kind` is Verts, Lines or Polys.
template <std::size_t corners>
void write_surface(const std::filesystem::path& path, std::string_view kind, std::span<const Vec3> points,
    std::span<const std::array<int, corners>> cells, const std::vector<FrameField>& point_fields,
    const std::vector<FrameField>& cell_fields)
{
    constexpr std::string_view kinds[] = {"Verts", "Lines", "Strips", "Polys"}; // readers expect all four
    const auto cells_of = [&](std::string_view other) { return other == kind ? cells : cells.first(0); };
    AppendedArrays arrays;
    std::string piece = "<Piece" + attribute("NumberOfPoints", points.size());
    for (const std::string_view element : kinds)
        piece += attribute("NumberOf" + std::string(element), cells_of(element).size());
    piece += ">\n";
    piece += arrays.add_fields("PointData", point_fields, points.size());
    piece += arrays.add_fields("CellData", cell_fields, cells.size());
    piece += arrays.add_points(points);
    for (const std::string_view element : kinds) {
        const std::string name(element);
        piece += "<" + name + ">\n" + add_cells(arrays, cells_of(element)) + "</" + name + ">\n";
    }
    write_vtk(path, "PolyData", "", piece + "</Piece>\n", arrays.data());
}

} // namespace

SymmetricEntries symmetric_entries(const Mat3& t)
{
    const auto mean = [&](int i, int j) { return 0.5 * (t(i, j) + t(j, i)); };
    return {t(0, 0), t(1, 1), t(2, 2), mean(0, 1), mean(1, 2), mean(0, 2)};
}

void write_vtu(const std::filesystem::path& path, const TetFrame& frame)
{
    constexpr unsigned char vtk_tetra = 10;
    AppendedArrays arrays;
    std::string piece = "<Piece" + attribute("NumberOfPoints", frame.points.size())
        + attribute("NumberOfCells", frame.tets.size()) + ">\n";
    piece += arrays.add_fields("PointData", frame.point_fields, frame.points.size());
    piece += arrays.add_fields("CellData", frame.cell_fields, frame.tets.size());
    piece += arrays.add_points(frame.points);
    piece += "<Cells>\n" + add_cells(arrays, frame.tets);
    piece += arrays.add("UInt8", "types", 1, std::string(frame.tets.size(), vtk_tetra));
    write_vtk(path, "UnstructuredGrid", "", piece + "</Cells>\n</Piece>\n", arrays.data());
}

void write_vtp(const std::filesystem::path& path, const TriangleFrame& frame)
{
    write_surface(path, "Polys", frame.points, frame.triangles, frame.point_fields, frame.cell_fields);
}

void write_vtp(const std::filesystem::path& path, const LineFrame& frame)
{
    write_surface(path, "Lines", frame.points, frame.lines, frame.point_fields, {});
}

void write_vtp(const std::filesystem::path& path, const PointFrame& frame)
{
    std::vector<std::array<int, 1>> cells(frame.points.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = {static_cast<int>(i)};
    write_surface<1>(path, "Verts", frame.points, cells, frame.point_fields, {});
}

void write_vti(const std::filesystem::path& path, const GridFrame& frame)
{
    std::string extent;
    std::size_t count = 1;
    for (const int n : frame.points) {
        extent += (extent.empty() ? "0 " : " 0 ") + std::to_string(n - 1);
        count *= static_cast<std::size_t>(n);
    }
    char place[256];
    std::snprintf(place, sizeof place, " Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\"", frame.origin.x(),
        frame.origin.y(), frame.origin.z(), frame.spacing, frame.spacing, frame.spacing);
    AppendedArrays arrays;
    const std::string fields = arrays.add_fields("PointData", frame.point_fields, count);
    write_vtk(path, "ImageData", " WholeExtent=\"" + extent + "\"" + place,
        "<Piece Extent=\"" + extent + "\">\n" + fields + "</Piece>\n", arrays.data());
}

} // namespace stickslip
