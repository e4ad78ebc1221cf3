#include "stickslip/files/meshes/vtk_xml.h"

#include "stickslip/files/xml_text.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stickslip {

namespace {

constexpr std::string_view sections[] = {
    "Points", "Cells", "Verts", "Lines", "Strips", "Polys", "PointData", "CellData"};

constexpr std::int64_t most_points = std::numeric_limits<int>::max();

} // namespace

struct VtkXmlFile::Tag {
    std::string name; // with the slash if it closes; empty at the end of the file
    std::map<std::string, std::string> attributes;
    std::size_t end = 0; // first byte behind it
};

/// The tags of an XML file, one after the other: enough of XML for what VTK and its like write.
class VtkXmlFile::TagScanner {
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

std::int64_t VtkXmlPiece::count(const std::string& attribute) const
{
    const auto found = counts.find(attribute);
    return found == counts.end() ? 0 : found->second;
}

VtkXmlFile::VtkXmlFile(MeshInput& in, std::string_view type)
    : in_(in)
{
    scan(type);
    if (!is_vtk_ || pieces_.empty())
        in_.fail("a <VTKFile> with a <Piece>", "none");
}

/// Finds out where everything is. Stops before appended data: what follows may be any bytes.
void VtkXmlFile::scan(std::string_view type)
{
    TagScanner scanner(in_);
    std::string section;
    for (Tag tag = scanner.next(); !tag.name.empty(); tag = scanner.next()) {
        const std::string_view opened = std::string_view(tag.name).substr(tag.name[0] == '/' ? 1 : 0);
        if (tag.name == "VTKFile")
            read_file_tag(tag, type);
        else if (tag.name == type)
            attributes_ = tag.attributes;
        else if (tag.name == "Piece")
            read_piece_tag(tag);
        else if (std::find(std::begin(sections), std::end(sections), opened) != std::end(sections)) {
            section = tag.name[0] == '/' ? std::string() : tag.name;
            if (section == "PointData" && !pieces_.empty())
                pieces_.back().scalars = xml_unescape(tag.attributes["Scalars"]);
        } else if (tag.name == "DataArray" && !section.empty() && !pieces_.empty())
            read_array_tag(tag, section);
        else if (tag.name == "AppendedData") {
            appended_ = tag.attributes["encoding"] == "raw" ? VtuEncoding::raw : VtuEncoding::base64;
            in_.skip_past("_");
            appended_begin_ = in_.position();
            return;
        }
    }
}

void VtkXmlFile::read_file_tag(Tag& tag, std::string_view type)
{
    is_vtk_ = true;
    if (tag.attributes["type"] != type)
        in_.fail("type=\"" + std::string(type) + "\"", "'" + tag.attributes["type"] + "'");
    storage_.big_endian = tag.attributes["byte_order"] == "BigEndian";
    storage_.header = tag.attributes["header_type"] == "UInt64" ? Scalar::u64 : Scalar::u32;
    const std::string& compressor = tag.attributes["compressor"];
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
        in_.fail("no compressor or vtkZLibDataCompressor", "'" + compressor + "'");
    storage_.zlib = !compressor.empty();
}

void VtkXmlFile::read_piece_tag(const Tag& tag)
{
    VtkXmlPiece piece;
    for (const auto& [key, text] : tag.attributes)
        if (key.starts_with("NumberOf"))
            piece.counts[key] = whole(key, text);
        else if (key == "Extent")
            piece.extent = text;
    pieces_.push_back(std::move(piece));
}

std::int64_t VtkXmlFile::whole(const std::string& key, const std::string& text) const
{
    std::int64_t value = -1;
    if (!parse_integer(text, value) || value < 0)
        in_.fail(key + "=\"a whole number >= 0\"", "'" + text + "'");
    return value;
}

void VtkXmlFile::read_array_tag(Tag& tag, const std::string& section)
{
    static const std::map<std::string, Scalar> types = {{"Int8", Scalar::i8}, {"UInt8", Scalar::u8},
        {"Int16", Scalar::i16}, {"UInt16", Scalar::u16}, {"Int32", Scalar::i32}, {"UInt32", Scalar::u32},
        {"Int64", Scalar::i64}, {"UInt64", Scalar::u64}, {"Float32", Scalar::f32}, {"Float64", Scalar::f64}};
    const bool is_points = section == "Points";
    const auto type = types.find(tag.attributes["type"]);
    if (type == types.end()) {
        if (section.ends_with("Data"))
            return; // a field of text: nobody here reads it
        in_.fail("an array type such as Float64 or Int32", "'" + tag.attributes["type"] + "'");
    }
    const std::string& components = tag.attributes["NumberOfComponents"];
    if (is_points && components != "3")
        in_.fail("points of 3 components", "'" + components + "'");
    VtkXmlArray array;
    if (!components.empty())
        array.components = static_cast<int>(std::clamp<std::int64_t>(whole("NumberOfComponents", components), 1, 1000));
    array.data = {.name = is_points ? "Points" : xml_unescape(tag.attributes["Name"]), .type = type->second};
    const std::string& format = tag.attributes["format"];
    array.data.appended = format == "appended";
    if (format == "binary")
        array.data.encoding = VtuEncoding::base64;
    else if (format != "ascii" && !array.data.appended)
        in_.fail("format ascii, binary or appended", "'" + format + "'");
    array.data.position =
        array.data.appended ? static_cast<std::size_t>(whole("offset", tag.attributes["offset"])) : tag.end;
    pieces_.back().arrays[section + "/" + array.data.name] = array;
}

MeshInput VtkXmlFile::array(const VtkXmlPiece& piece, const std::string& name, std::int64_t count) const
{
    const auto found = piece.arrays.find(name);
    if (found == piece.arrays.end())
        in_.fail("an array " + name.substr(name.find('/') + 1) + " in the piece", "none");
    VtuArray where = found->second.data;
    if (where.appended) {
        where.appended = false;
        where.encoding = appended_;
        where.position = std::min(where.position, in_.data().size()) + appended_begin_;
    }
    return decode_array(in_, storage_, where, static_cast<std::size_t>(count));
}

std::vector<std::int64_t> VtkXmlFile::integers(
    const VtkXmlPiece& piece, const std::string& name, std::int64_t count) const
{
    std::vector<std::int64_t> values;
    if (count == 0)
        return values;
    MeshInput in = array(piece, name, count);
    values.reserve(static_cast<std::size_t>(count));
    const VtuArray& where = piece.arrays.at(name).data;
    if (is_real(where.type))
        in_.fail("whole numbers in the array " + where.name, "a real type");
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(in.integer(where.type, "a whole number"));
    return values;
}

std::vector<double> VtkXmlFile::reals(const VtkXmlPiece& piece, const std::string& name, std::int64_t count) const
{
    std::vector<double> values;
    if (count == 0)
        return values;
    MeshInput in = array(piece, name, count);
    values.reserve(static_cast<std::size_t>(count));
    const Scalar type = piece.arrays.at(name).data.type;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(
            is_real(type) ? in.real(type, "a number") : static_cast<double>(in.integer(type, "a whole number")));
    if (!in.word().empty())
        in.fail(std::to_string(count) + " numbers", "more");
    return values;
}

std::vector<Vec3> VtkXmlFile::points(const VtkXmlPiece& piece, std::int64_t before) const
{
    std::vector<Vec3> values;
    const std::int64_t count = piece.count("NumberOfPoints");
    if (count == 0)
        return values;
    if (count > most_points - before)
        in_.fail("at most " + std::to_string(most_points) + " points", "more");
    MeshInput in = array(piece, "Points/Points", 3 * count);
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(in.point(piece.arrays.at("Points/Points").data.type));
    return values;
}

} // namespace stickslip
