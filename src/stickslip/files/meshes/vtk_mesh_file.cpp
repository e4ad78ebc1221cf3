#include "stickslip/files/meshes/mesh_formats.h"

#include <cstdint>
#include <string>
#include <utility>

namespace stickslip {

namespace {

constexpr int vtk_tetrahedron = 10;
constexpr int quadratic_tetrahedron = 24;
constexpr int lagrange_tetrahedron = 71;

bool scalar_named(std::string_view name, Scalar& type)
{
    constexpr std::pair<std::string_view, Scalar> names[] = {{"char", Scalar::i8}, {"unsigned_char", Scalar::u8},
        {"short", Scalar::i16}, {"unsigned_short", Scalar::u16}, {"int", Scalar::i32}, {"unsigned_int", Scalar::u32},
        {"long", Scalar::i64}, {"unsigned_long", Scalar::u64}, {"float", Scalar::f32}, {"double", Scalar::f64},
        {"vtktypeint64", Scalar::i64}, {"vtkIdType", Scalar::i64}, {"vtktypeuint64", Scalar::u64}};
    for (const auto& [known, scalar] : names) {
        if (known == name) {
            type = scalar;
            return true;
        }
    }
    return false;
}

class LegacyVtkReader {
public:
    explicit LegacyVtkReader(MeshInput& in)
        : in_(in)
    {
    }

    RawTets read()
    {
        read_header();
        for (std::string_view word = in_.word(); !word.empty(); word = in_.word()) {
            if (word == "CELL_DATA" || word == "POINT_DATA")
                break; // the grid is complete
            if (word == "POINTS")
                read_points();
            else if (word == "CELLS") {
                cells_at_ = in_.position();
                read_cells();
            } else if (word == "CELL_TYPES")
                read_types();
            else if (word == "FIELD")
                skip_field();
            else if (word == "METADATA")
                skip_metadata();
            else
                in_.fail("POINTS, CELLS, CELL_TYPES, FIELD, METADATA, CELL_DATA or POINT_DATA");
        }
        if (cells_.offsets.size() != cells_.types.size() + 1)
            in_.fail("CELLS and CELL_TYPES of the same number of cells", "the end of the grid");
        in_.move_to(cells_at_); // where complaints about them belong
        in_.set_binary(binary_);
        add_vtk_cells(in_, cells_, 0, static_cast<int>(mesh_.nodes.size()), mesh_);
        return std::move(mesh_);
    }

private:
    void read_header()
    {
        if (!in_.line().starts_with("# vtk DataFile"))
            in_.fail("'# vtk DataFile Version ...'");
        in_.line(); // title
        const std::string_view kind = in_.word();
        if (kind != "ASCII" && kind != "BINARY")
            in_.fail("ASCII or BINARY");
        binary_ = kind == "BINARY";
        in_.expect("DATASET");
        in_.expect("UNSTRUCTURED_GRID");
    }

    Scalar scalar_type()
    {
        Scalar type{};
        if (!scalar_named(in_.word(), type))
            in_.fail("a data type such as float or vtktypeint64");
        return type;
    }

    /// Data begin on the next line; binary ones are big endian on every machine.
    template <typename Body>
    void data(const Body& body)
    {
        in_.line();
        in_.set_binary(binary_, /*big_endian=*/true);
        body();
        in_.set_binary(false);
    }

    void read_points()
    {
        const std::int64_t count = in_.integer(Scalar::i64, "a number of points");
        const Scalar type = scalar_type();
        data([&] {
            in_.check_count(count, 3, type, "a number of points");
            for (std::int64_t i = 0; i < count; ++i)
                mesh_.nodes.push_back(in_.point(type));
        });
    }

    void read_cells()
    {
        const std::int64_t first = in_.integer(Scalar::i64, "a number of cells");
        const std::int64_t second = in_.integer(Scalar::i64, "a number of cell numbers");
        cells_ = {.offsets = {}, .connectivity = {}, .types = std::move(cells_.types)};
        const std::size_t before = in_.position();
        if (in_.word() == "OFFSETS") { // since version 5.1
            read_array(first, cells_.offsets);
            in_.expect("CONNECTIVITY");
            read_array(second, cells_.connectivity);
            return;
        }
        in_.move_to(before);
        data([&] {
            in_.check_count(first, 1, Scalar::i32, "a number of cells");
            in_.check_count(second, 1, Scalar::i32, "a number of cell numbers");
            cells_.offsets.push_back(0);
            for (std::int64_t i = 0; i < first; ++i) {
                const int size = in_.count(Scalar::i32, 1, Scalar::i32, "a number of nodes");
                for (int j = 0; j < size; ++j)
                    cells_.connectivity.push_back(in_.integer(Scalar::i32, "a node number"));
                cells_.offsets.push_back(static_cast<std::int64_t>(cells_.connectivity.size()));
            }
        });
    }

    void read_array(std::int64_t count, std::vector<std::int64_t>& values)
    {
        const Scalar type = scalar_type();
        data([&] {
            in_.check_count(count, 1, type, "a number of values");
            for (std::int64_t i = 0; i < count; ++i)
                values.push_back(in_.integer(type, "a whole number"));
        });
    }

    void read_types()
    {
        const std::int64_t count = in_.integer(Scalar::i64, "a number of cells");
        data([&] {
            in_.check_count(count, 1, Scalar::i32, "a number of cells");
            for (std::int64_t i = 0; i < count; ++i)
                cells_.types.push_back(in_.integer(Scalar::i32, "a cell type"));
        });
    }

    void skip_field()
    {
        in_.word(); // name
        const int arrays = in_.count(Scalar::i64, 4, Scalar::i32, "a number of arrays");
        for (int i = 0; i < arrays; ++i) {
            in_.word(); // name
            const int components = in_.count(Scalar::i64, 1, Scalar::i8, "a number of components");
            const int tuples = in_.count(Scalar::i64, 1, Scalar::i8, "a number of tuples");
            const Scalar type = scalar_type();
            data([&] { in_.skip(static_cast<std::size_t>(components) * tuples, type, "a value of the field"); });
        }
    }

    /// Up to an empty line.
    void skip_metadata()
    {
        in_.line();
        while (in_.position() < in_.data().size() && !in_.line().empty()) { }
    }

    MeshInput& in_;
    RawTets mesh_;
    VtkCells cells_;
    std::size_t cells_at_ = 0; // in the file
    bool binary_ = false;
};

} // namespace

void add_vtk_cells(const MeshInput& in, const VtkCells& cells, int first_node, int node_count, RawTets& out)
{
    for (std::size_t i = 0; i < cells.types.size(); ++i) {
        const std::int64_t begin = cells.offsets[i];
        const std::int64_t end = cells.offsets[i + 1];
        const std::string cell = "cell " + std::to_string(i);
        if (begin < 0 || end < begin || end > static_cast<std::int64_t>(cells.connectivity.size()))
            in.fail("offsets that do not decrease or leave the array",
                cell + " from " + std::to_string(begin) + " to " + std::to_string(end));
        const std::int64_t type = cells.types[i];
        if (type == quadratic_tetrahedron || type == lagrange_tetrahedron)
            in.fail(first_order_only("export linear cells, VTK type 10"), cell + " of type " + std::to_string(type));
        if (type != vtk_tetrahedron) {
            ++out.ignored_cells;
            continue;
        }
        if (end - begin != 4)
            in.fail("4 nodes in a tetrahedron", cell + " with " + std::to_string(end - begin));
        Tetrahedron tet;
        for (int j = 0; j < 4; ++j) {
            const std::int64_t n = cells.connectivity[begin + j];
            if (n < 0 || n >= node_count)
                in.fail("node numbers from 0 to " + std::to_string(node_count - 1), std::to_string(n) + " in " + cell);
            tet[j] = first_node + static_cast<int>(n);
        }
        out.tets.push_back(tet);
    }
}

RawTets read_legacy_vtk(MeshInput& in)
{
    return LegacyVtkReader(in).read();
}

} // namespace stickslip
