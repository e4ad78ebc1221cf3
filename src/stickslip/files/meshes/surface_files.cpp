#include "stickslip/files/meshes/mesh_formats.h"
#include "stickslip/geometry/mesh/polygon.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace stickslip {

namespace {

/// Takes the first word off a line; empty at its end.
std::string_view take_word(std::string_view& line)
{
    constexpr std::string_view space = " \t";
    line.remove_prefix(std::min(line.find_first_not_of(space), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(space));
    line.remove_prefix(word.size());
    return word;
}

/// The first three numbers of a line.
Vec3 point_of(const MeshInput& in, std::string_view line, const char* expected)
{
    Vec3 x;
    for (int i = 0; i < 3; ++i) {
        const std::string_view word = take_word(line);
        if (!parse_real(word, x[i]) || !std::isfinite(x[i]))
            in.fail(expected);
    }
    return x;
}

/// Behind each slash stands a whole number, or nothing.
bool has_whole_numbers(std::string_view word)
{
    for (std::size_t slash = word.find('/'); slash != std::string_view::npos; slash = word.find('/')) {
        word.remove_prefix(slash + 1);
        std::int64_t number = 0;
        if (const std::string_view part = word.substr(0, word.find('/')); !part.empty() && !parse_integer(part, number))
            return false;
    }
    return true;
}

/// "7", "7/1", "7//3" or "7/1/3"; negative numbers count back from the last vertex so far.
int obj_corner(const MeshInput& in, std::string_view word, std::size_t vertices)
{
    std::int64_t number = 0;
    if (!parse_integer(word.substr(0, word.find('/')), number) || !has_whole_numbers(word))
        in.fail("vertex numbers after f");
    const auto count = static_cast<std::int64_t>(vertices);
    const std::int64_t index = number < 0 ? number + count : number - 1;
    if (index < 0 || index >= count)
        in.fail(
            "vertex numbers between 1 and " + std::to_string(count) + " (or as far below 0)", std::to_string(number));
    return static_cast<int>(index);
}

/// Corners with the same bits are one vertex (-0 equals 0), numbered as they come.
class Welder {
public:
    int add(const Vec3& x)
    {
        std::array<std::uint64_t, 3> key;
        for (int i = 0; i < 3; ++i)
            key[i] = std::bit_cast<std::uint64_t>(x[i] + 0.0);
        const auto [entry, is_new] = numbers_.try_emplace(key, static_cast<int>(vertices.size()));
        if (is_new)
            vertices.push_back(x);
        return entry->second;
    }

    std::vector<Vec3> vertices;

private:
    struct Hash {
        std::size_t operator()(const std::array<std::uint64_t, 3>& key) const
        {
            std::uint64_t h = 0;
            for (std::uint64_t k : key) {
                h = (h ^ k) * 0x9e3779b97f4a7c15u;
                h ^= h >> 29; // coordinates often differ in high bits only
            }
            return h;
        }
    };
    std::unordered_map<std::array<std::uint64_t, 3>, int, Hash> numbers_;
};

constexpr std::size_t stl_header = 80; // bytes of free text
constexpr std::size_t stl_triangle = 50;

/// A text file may begin like a binary one and the other way around; only the size is reliable. A file cut short has
/// the wrong one: text has no zero bytes, while the number of triangles has one below 2^24.
bool is_binary_stl(MeshInput& in)
{
    if (in.data().size() < stl_header + 4)
        return false;
    in.set_binary(true);
    in.move_to(stl_header);
    const std::int64_t count = in.integer(Scalar::u32, "a number of triangles");
    const bool fits = in.data().size() == stl_header + 4 + static_cast<std::size_t>(count) * stl_triangle;
    in.move_to(0);
    in.set_binary(false);
    const bool has_zero = in.data().substr(0, stl_header + 4).find('\0') != std::string_view::npos;
    return fits || has_zero || !(in.comes("solid") || in.comes("SOLID"));
}

TriMesh read_binary_stl(MeshInput& in)
{
    in.set_binary(true);
    in.move_to(stl_header);
    const int count = in.count(Scalar::u32, 12, Scalar::f32, "a number of triangles");
    Welder welder;
    TriMesh mesh;
    for (int t = 0; t < count; ++t) {
        in.skip(3, Scalar::f32, "a normal");
        Triangle triangle;
        for (int& v : triangle)
            v = welder.add(in.point(Scalar::f32));
        in.skip(1, Scalar::u16, "attributes");
        mesh.triangles.push_back(triangle);
    }
    mesh.vertices = std::move(welder.vertices);
    return mesh;
}

/// The next word of a text file, whose keywords may be in capitals.
std::string stl_word(MeshInput& in)
{
    std::string word(in.word());
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
    return word;
}

void expect_stl_word(MeshInput& in, const std::string& text)
{
    if (stl_word(in) != text)
        in.fail("'" + text + "'");
}

TriMesh read_text_stl(MeshInput& in)
{
    Welder welder;
    TriMesh mesh;
    expect_stl_word(in, "solid");
    in.line(); // name
    for (std::string word = stl_word(in); !word.empty(); word = stl_word(in)) {
        if (word == "endsolid") {
            in.line();
            const std::size_t before = in.position();
            if (in.word().empty())
                return {.vertices = std::move(welder.vertices), .triangles = std::move(mesh.triangles)};
            in.move_to(before);
            expect_stl_word(in, "solid"); // another one in the same file
            in.line();
            continue;
        }
        if (word != "facet")
            in.fail("'facet' or 'endsolid'");
        expect_stl_word(in, "normal");
        in.skip(3, Scalar::f32, "a normal"); // of no use, and often nan
        expect_stl_word(in, "outer");
        expect_stl_word(in, "loop");
        Triangle triangle;
        for (int& v : triangle) {
            expect_stl_word(in, "vertex");
            v = welder.add(in.point(Scalar::f32));
        }
        expect_stl_word(in, "endloop");
        expect_stl_word(in, "endfacet");
        mesh.triangles.push_back(triangle);
    }
    in.fail("'facet' or 'endsolid'");
}

/// The next line that says something, without its comment.
std::string_view off_line(MeshInput& in)
{
    while (in.position() < in.data().size()) {
        std::string_view line = in.line();
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t") != std::string_view::npos)
            return line;
    }
    in.fail("another line", "the end of the file");
}

int off_count(const MeshInput& in, std::string_view& line, const char* what)
{
    std::int64_t count = -1;
    if (!parse_integer(take_word(line), count))
        in.fail(what);
    in.check_count(count, 1, Scalar::f64, what);
    return static_cast<int>(count);
}

/// "3 0 1 2", and colours that are passed over.
std::vector<int> off_corners(const MeshInput& in, std::string_view line, int vertices)
{
    std::int64_t count = -1;
    if (!parse_integer(take_word(line), count) || count < 1)
        in.fail("a number of corners");
    std::vector<int> corners;
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t v = -1;
        if (!parse_integer(take_word(line), v) || v < 0 || v >= vertices)
            in.fail("as many vertex numbers from 0 to " + std::to_string(vertices - 1) + " as the face has corners");
        corners.push_back(static_cast<int>(v));
    }
    return corners;
}

/// A line, and those that follow it as long as a backslash ends them, which `whole` then holds. Only lines that begin
/// with v, f or l go on: elsewhere a backslash may be part of a comment or of a file's name.
std::string_view obj_line(MeshInput& in, std::string& whole)
{
    const auto goes_on = [](std::string_view& line) {
        const bool on = line.ends_with('\\') && line.find('#') == std::string_view::npos;
        line.remove_suffix(on);
        return on;
    };
    std::string_view line = in.line(), words = line;
    std::string_view keyword = take_word(words);
    keyword.remove_suffix(keyword.ends_with('\\'));
    if ((keyword != "v" && keyword != "f" && keyword != "l") || !goes_on(line))
        return line;
    whole.clear();
    for (bool on = true; on;) {
        whole.append(line).append(" ");
        line = in.line();
        on = goes_on(line) && in.position() < in.data().size();
    }
    return whole.append(line);
}

} // namespace

TriMeshFile read_obj(MeshInput& in)
{
    TriMeshFile file;
    std::string whole;
    TriMesh& mesh = file.mesh;
    std::vector<int> corners;
    while (in.position() < in.data().size()) {
        std::string_view line = obj_line(in, whole);
        line = line.substr(0, line.find('#'));
        const std::string_view keyword = take_word(line);
        if (keyword == "v")
            mesh.vertices.push_back(point_of(in, line, "three finite coordinates after v"));
        if (keyword == "l") // a line from vertex to vertex
            for (take_word(line); !take_word(line).empty();)
                ++file.loose_edges;
        if (keyword != "f")
            continue; // normals, texture, groups, materials
        corners.clear();
        for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
            corners.push_back(obj_corner(in, word, mesh.vertices.size()));
        if (corners.size() < 3)
            in.fail("at least 3 vertices in a face");
        add_polygon(corners, mesh.vertices, mesh.triangles);
    }
    return file;
}

TriMeshFile read_off(MeshInput& in)
{
    std::string_view line = off_line(in);
    const std::string_view keyword = take_word(line);
    if (!keyword.ends_with("OFF") || keyword.find_first_not_of("STCN") != keyword.size() - 3)
        in.fail("OFF, the keyword of the format (COFF, NOFF, STOFF: with colours, normals, texture)");
    if (line.find_first_not_of(" \t") == std::string_view::npos)
        line = off_line(in); // the counts may stand beside the keyword
    const int vertices = off_count(in, line, "a number of vertices"), faces = off_count(in, line, "a number of faces");
    TriMeshFile file;
    for (int v = 0; v < vertices; ++v)
        file.mesh.vertices.push_back(point_of(in, off_line(in), "three finite coordinates of a vertex"));
    for (int f = 0; f < faces; ++f) {
        const std::vector<int> corners = off_corners(in, off_line(in), vertices);
        file.loose_edges += corners.size() == 2;
        add_polygon(corners, file.mesh.vertices, file.mesh.triangles);
    }
    return file;
}

TriMeshFile read_stl(MeshInput& in)
{
    return {.mesh = is_binary_stl(in) ? read_binary_stl(in) : read_text_stl(in)};
}

} // namespace stickslip
