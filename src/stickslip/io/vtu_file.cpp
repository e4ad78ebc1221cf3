#include "stickslip/io/mesh_formats.h"
#include "stickslip/io/vtu_arrays.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

struct Tag {
    std::string name; // with the slash if it closes; empty at the end of the file
    std::map<std::string, std::string> attributes;
    std::size_t end = 0; // first byte behind it
};

/// The tags of an XML file, one after the other: enough of XML for what VTK and its like write.
class TagScanner {
public:
    explicit TagScanner(MeshInput& in)
        : in_(in)
    {
    }

    Tag next()
    {
        for (;;) {
            const std::size_t open = in_.data().find('<', in_.position());
            if (open == std::string_view::npos)
                return {};
            in_.move_to(open + 1);
            if (in_.comes("!--"))
                in_.skip_past("-->");
            else if (in_.comes("?") || in_.comes("!"))
                in_.skip_past(">");
            else
                return read_tag();
        }
    }

private:
    Tag read_tag()
    {
        Tag tag;
        const std::size_t begin = in_.position();
        char quote = 0;
        std::size_t end = begin;
        for (; end < in_.data().size(); ++end) { // '>' may stand inside quotes
            const char c = in_.data()[end];
            if (quote ? c == quote : (c == '"' || c == '\''))
                quote = quote ? 0 : c;
            else if (!quote && c == '>')
                break;
        }
        if (end == in_.data().size())
            in_.fail("'>' at the end of a tag", "the end of the file");
        std::string_view text = in_.data().substr(begin, end - begin);
        if (!text.empty() && text.back() == '/')
            text.remove_suffix(1);
        constexpr std::string_view space = " \t\r\n";
        const std::size_t name_end = std::min(text.find_first_of(space), text.size());
        tag.name = text.substr(0, name_end);
        text.remove_prefix(name_end);
        for (std::size_t key = text.find_first_not_of(space); key != std::string_view::npos;
             key = text.find_first_not_of(space)) {
            text.remove_prefix(key);
            const std::size_t equals = text.find('=');
            const std::size_t first = text.find_first_of("\"'");
            const std::size_t last = first == std::string_view::npos ? first : text.find(text[first], first + 1);
            if (last == std::string_view::npos || equals > first)
                in_.fail("attributes of the form name=\"value\"", "others");
            const std::string_view attribute = text.substr(0, text.find_first_of(" \t\r\n="));
            tag.attributes[std::string(attribute)] = text.substr(first + 1, last - first - 1);
            text.remove_prefix(last + 1);
        }
        tag.end = end + 1;
        in_.move_to(tag.end);
        return tag;
    }

    MeshInput& in_;
};

struct Piece {
    std::int64_t points = 0, cells = 0;
    std::map<std::string, VtuArray> arrays; // Points, connectivity, offsets, types
};

class VtuReader {
public:
    explicit VtuReader(MeshInput& in)
        : in_(in)
    {
    }

    RawTets read()
    {
        scan();
        if (!is_vtk_ || pieces_.empty())
            in_.fail("a <VTKFile> with a <Piece>", "none");
        RawTets mesh;
        for (const Piece& piece : pieces_)
            add_piece(piece, mesh);
        return mesh;
    }

private:
    /// Finds out where everything is. Stops before appended data: what follows may be any bytes.
    void scan()
    {
        TagScanner scanner(in_);
        std::string section;
        for (Tag tag = scanner.next(); !tag.name.empty(); tag = scanner.next()) {
            if (tag.name == "VTKFile")
                read_file_tag(tag);
            else if (tag.name == "Piece")
                pieces_.push_back({.points = whole(tag, "NumberOfPoints"), .cells = whole(tag, "NumberOfCells")});
            else if (tag.name == "Points" || tag.name == "Cells")
                section = tag.name;
            else if (tag.name == "/Points" || tag.name == "/Cells")
                section.clear();
            else if (tag.name == "DataArray" && !section.empty() && !pieces_.empty())
                read_array_tag(tag, section == "Points");
            else if (tag.name == "AppendedData") {
                appended_ = tag.attributes["encoding"] == "raw" ? VtuEncoding::raw : VtuEncoding::base64;
                in_.skip_past("_");
                appended_begin_ = in_.position();
                return;
            }
        }
    }

    void read_file_tag(Tag& tag)
    {
        is_vtk_ = true;
        if (tag.attributes["type"] != "UnstructuredGrid")
            in_.fail("type=\"UnstructuredGrid\"", "'" + tag.attributes["type"] + "'");
        storage_.big_endian = tag.attributes["byte_order"] == "BigEndian";
        storage_.header = tag.attributes["header_type"] == "UInt64" ? Scalar::u64 : Scalar::u32;
        const std::string& compressor = tag.attributes["compressor"];
        if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
            in_.fail("no compressor or vtkZLibDataCompressor", "'" + compressor + "'");
        storage_.zlib = !compressor.empty();
    }

    std::int64_t whole(Tag& tag, const std::string& key) const
    {
        std::int64_t value = -1;
        if (!parse_integer(tag.attributes[key], value) || value < 0)
            in_.fail(key + "=\"a whole number >= 0\"", "'" + tag.attributes[key] + "'");
        return value;
    }

    void read_array_tag(Tag& tag, bool is_points)
    {
        static const std::map<std::string, Scalar> types = {{"Int8", Scalar::i8}, {"UInt8", Scalar::u8},
            {"Int16", Scalar::i16}, {"UInt16", Scalar::u16}, {"Int32", Scalar::i32}, {"UInt32", Scalar::u32},
            {"Int64", Scalar::i64}, {"UInt64", Scalar::u64}, {"Float32", Scalar::f32}, {"Float64", Scalar::f64}};
        const auto type = types.find(tag.attributes["type"]);
        if (type == types.end())
            in_.fail("an array type such as Float64 or Int32", "'" + tag.attributes["type"] + "'");
        if (is_points && tag.attributes["NumberOfComponents"] != "3")
            in_.fail("points of 3 components", "'" + tag.attributes["NumberOfComponents"] + "'");
        VtuArray array = {.name = is_points ? "Points" : tag.attributes["Name"], .type = type->second};
        const std::string& format = tag.attributes["format"];
        array.appended = format == "appended";
        if (format == "binary")
            array.encoding = VtuEncoding::base64;
        else if (format != "ascii" && !array.appended)
            in_.fail("format ascii, binary or appended", "'" + format + "'");
        array.position = array.appended ? static_cast<std::size_t>(whole(tag, "offset")) : tag.end;
        pieces_.back().arrays[array.name] = array;
    }

    MeshInput array(const Piece& piece, const std::string& name, std::int64_t count) const
    {
        const auto found = piece.arrays.find(name);
        if (found == piece.arrays.end())
            in_.fail("an array " + name + " in the piece", "none");
        VtuArray where = found->second;
        if (where.appended) {
            where.appended = false;
            where.encoding = appended_;
            where.position = std::min(where.position, in_.data().size()) + appended_begin_;
        }
        return decode_array(in_, storage_, where, static_cast<std::size_t>(count));
    }

    std::vector<std::int64_t> integers(const Piece& piece, const std::string& name, std::int64_t count) const
    {
        std::vector<std::int64_t> values;
        if (count == 0)
            return values;
        MeshInput in = array(piece, name, count);
        const Scalar type = piece.arrays.at(name).type;
        if (is_real(type))
            in_.fail("whole numbers in the array " + name, "a real type");
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(in.integer(type, "a whole number"));
        return values;
    }

    void add_piece(const Piece& piece, RawTets& mesh) const
    {
        const auto first_node = static_cast<std::int64_t>(mesh.nodes.size());
        if (piece.points > 0) {
            if (piece.points > most_points - first_node)
                in_.fail("at most " + std::to_string(most_points) + " points", "more");
            MeshInput in = array(piece, "Points", 3 * piece.points);
            for (std::int64_t i = 0; i < piece.points; ++i)
                mesh.nodes.push_back(in.point(piece.arrays.at("Points").type));
        }
        VtkCells cells;
        cells.types = integers(piece, "types", piece.cells);
        cells.offsets = integers(piece, "offsets", piece.cells); // of the ends
        cells.offsets.insert(cells.offsets.begin(), 0);
        const std::int64_t length = cells.offsets.back();
        if (length < 0)
            in_.fail("offsets >= 0", std::to_string(length));
        cells.connectivity = integers(piece, "connectivity", length);
        add_vtk_cells(in_, cells, static_cast<int>(first_node), static_cast<int>(piece.points), mesh);
    }

    static constexpr std::int64_t most_points = std::numeric_limits<int>::max();

    MeshInput& in_;
    bool is_vtk_ = false;
    VtuStorage storage_;
    std::vector<Piece> pieces_;
    VtuEncoding appended_ = VtuEncoding::raw;
    std::size_t appended_begin_ = 0;
};

} // namespace

RawTets read_vtu(MeshInput& in)
{
    return VtuReader(in).read();
}

} // namespace stickslip
