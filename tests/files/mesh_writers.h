#pragma once

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace stickslip::writers {

/// Bytes of numbers in either order.
class Bytes {
public:
    explicit Bytes(bool big_endian = false)
        : big_endian_(big_endian)
    {
    }
    template <typename T>
    Bytes& put(T value)
    {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T)); // the tests run on little-endian machines
        if (big_endian_)
            std::reverse(raw, raw + sizeof(T));
        text.append(raw, sizeof(T));
        return *this;
    }
    std::string text;

private:
    bool big_endian_;
};

inline std::string number(double x)
{
    std::ostringstream out;
    out.precision(17);
    out << x;
    return out.str();
}

inline std::string words(const Vec3& x)
{
    return number(x[0]) + " " + number(x[1]) + " " + number(x[2]);
}

/// Gmsh numbers from 1; gap spreads the numbers.
inline std::string gmsh_2(const TetMesh& m, bool binary, bool big_endian = false, int gap = 1)
{
    const int nodes = static_cast<int>(m.nodes.size());
    const int tets = static_cast<int>(m.tets.size());
    std::string out = "$MeshFormat\n2.2 " + std::string(binary ? "1" : "0") + " 8\n";
    if (binary)
        out += Bytes(big_endian).put(1).text + "\n";
    out += "$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all of $it\"\n$EndPhysicalNames\n$Nodes\n" + std::to_string(nodes)
        + "\n";
    for (int i = 0; i < nodes; ++i) {
        if (binary)
            out += Bytes(big_endian).put(1 + gap * i).put(m.nodes[i][0]).put(m.nodes[i][1]).put(m.nodes[i][2]).text;
        else
            out += std::to_string(1 + gap * i) + " " + words(m.nodes[i]) + "\n";
    }
    out += "\n$EndNodes\n$Elements\n" + std::to_string(tets + 1) + "\n"; // a triangle comes first
    if (binary) {
        out += Bytes(big_endian).put(2).put(1).put(2).put(1).put(0).put(0).put(1).put(1 + gap).put(1 + 2 * gap).text;
        out += Bytes(big_endian).put(4).put(tets).put(1).text;
    } else {
        out += "1 2 2 0 0 1 " + std::to_string(1 + gap) + " " + std::to_string(1 + 2 * gap) + "\n";
    }
    for (int t = 0; t < tets; ++t) {
        Bytes bytes(big_endian);
        bytes.put(t + 2).put(7);
        std::string text = std::to_string(t + 2) + " 4 1 7";
        for (int n : m.tets[t]) {
            bytes.put(1 + gap * n);
            text += " " + std::to_string(1 + gap * n);
        }
        out += binary ? bytes.text : text + "\n";
    }
    return out + "\n$EndElements\n";
}

/// Version 4.0 (minor 0) or 4.1, text or binary, nodes in two blocks, the second one with parameters; a point element
/// first.
inline std::string gmsh_4(const TetMesh& m, int minor, bool binary, bool big_endian = false)
{
    std::string out = "$MeshFormat\n4." + std::to_string(minor) + (binary ? " 1 8\n" : " 0 8\n");
    if (binary)
        out += Bytes(big_endian).put(1).text + "\n";
    out += "$EndMeshFormat\n$Entities\nanything\n$EndEntities\n$Nodes\n";
    const auto nodes = m.nodes.size();
    const auto tets = m.tets.size();
    const auto put_int = [&](std::int64_t x) {
        out += binary ? Bytes(big_endian).put(static_cast<std::int32_t>(x)).text : std::to_string(x) + " ";
    };
    const auto put_size = [&](std::int64_t x) {
        out += binary ? Bytes(big_endian).put(x).text : std::to_string(x) + " ";
    };
    const auto put_tag = [&](std::int64_t x) { minor == 0 ? put_int(x) : put_size(x); };
    const auto put_real = [&](double x) { out += binary ? Bytes(big_endian).put(x).text : number(x) + " "; };
    const auto header = [&](std::size_t count) {
        put_size(2); // blocks
        put_size(static_cast<std::int64_t>(count));
        if (minor == 1) {
            put_size(1);
            put_size(static_cast<std::int64_t>(count));
        }
    };
    header(nodes);
    const std::size_t split[3] = {0, nodes / 2, nodes};
    for (int b = 0; b < 2; ++b) {
        put_int(minor == 0 ? 9 : 2 + b); // entity tag, dimension or the other way around
        put_int(minor == 0 ? 2 + b : 9);
        put_int(b); // parametric
        put_size(static_cast<std::int64_t>(split[b + 1] - split[b]));
        for (std::size_t i = split[b]; minor == 1 && i < split[b + 1]; ++i)
            put_tag(static_cast<std::int64_t>(i + 1));
        for (std::size_t i = split[b]; i < split[b + 1]; ++i) {
            if (minor == 0)
                put_tag(static_cast<std::int64_t>(i + 1));
            for (double x : m.nodes[i])
                put_real(x);
            for (int p = 0; p < 3 * b; ++p)
                put_real(0.5);
        }
    }
    out += "\n$EndNodes\n$Elements\n";
    header(tets + 1);
    for (int type : {15, 4}) {
        put_int(3);
        put_int(1);
        put_int(type);
        put_size(type == 4 ? static_cast<std::int64_t>(tets) : 1);
        for (std::size_t t = 0; t < (type == 4 ? tets : 1); ++t) {
            put_tag(static_cast<std::int64_t>(t + 1));
            for (int n = 0; n < (type == 4 ? 4 : 1); ++n)
                put_tag(m.tets[t][n] + 1);
        }
    }
    return out + "\n$EndElements\n";
}

/// Legacy VTK of version 2 to 4 (cells as lists) or 5.1 (offsets and connectivity); one VTK vertex comes first.
inline std::string legacy_vtk(const TetMesh& m, bool binary, bool version_5)
{
    std::string out = version_5 ? "# vtk DataFile Version 5.1\n" : "# vtk DataFile Version 3.0\n";
    out += "a title\n" + std::string(binary ? "BINARY" : "ASCII") + "\nDATASET UNSTRUCTURED_GRID\n";
    const auto put_int = [&](int x) { out += binary ? Bytes(true).put(x).text : std::to_string(x) + " "; };
    const auto put_long = [&](std::int64_t x) { out += binary ? Bytes(true).put(x).text : std::to_string(x) + " "; };
    out += "FIELD FieldData 1\nTIME 1 1 double\n" + (binary ? Bytes(true).put(0.25).text : std::string("0.25")) + "\n";
    out += "POINTS " + std::to_string(m.nodes.size()) + " double\n";
    for (const Vec3& x : m.nodes)
        out += binary ? Bytes(true).put(x[0]).put(x[1]).put(x[2]).text : words(x) + "\n";
    const std::size_t cells = m.tets.size() + 1;
    if (version_5) {
        out += "\nMETADATA\nINFORMATION 0\n\nCELLS " + std::to_string(cells + 1) + " " + std::to_string(4 * cells - 3);
        out += "\nOFFSETS vtktypeint64\n";
        put_long(0);
        for (std::size_t i = 0; i < cells; ++i)
            put_long(static_cast<std::int64_t>(1 + 4 * i));
        out += "\nCONNECTIVITY vtktypeint64\n";
        put_long(0);
        for (const Tetrahedron& t : m.tets) {
            for (int n : t)
                put_long(n);
        }
    } else {
        out += "\nCELLS " + std::to_string(cells) + " " + std::to_string(5 * cells - 3) + "\n";
        put_int(1);
        put_int(0);
        for (const Tetrahedron& t : m.tets) {
            put_int(4);
            for (int n : t)
                put_int(n);
        }
    }
    out += "\nCELL_TYPES " + std::to_string(cells) + "\n";
    put_int(1);
    for (std::size_t t = 0; t < m.tets.size(); ++t)
        put_int(10);
    return out + "\nCELL_DATA 3\nSCALARS whatever\n";
}

inline std::string base64(const std::string& bytes)
{
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0);
        for (std::size_t j = 0; j < 4; ++j)
            out += i + j <= bytes.size() ? digits[bits >> (18 - 6 * j) & 63] : '=';
    }
    return out;
}

struct VtuStyle {
    enum Format { ascii, inline_base64, appended_raw, appended_base64 } format = ascii;
    bool zlib = false;
    bool wide = true; // Float64, Int64, UInt64 sizes; otherwise 32 bits
    bool big_endian = false;
};

class VtuWriter {
public:
    explicit VtuWriter(VtuStyle style)
        : style_(style)
    {
    }

    std::string write(const TetMesh& m)
    {
        const std::size_t cells = m.tets.size() + 1; // a VTK vertex comes first
        std::vector<double> x, connectivity = {0}, offsets = {1}, types = {1};
        for (const Vec3& node : m.nodes)
            x.insert(x.end(), node.begin(), node.end());
        for (const Tetrahedron& t : m.tets) {
            connectivity.insert(connectivity.end(), t.begin(), t.end());
            offsets.push_back(offsets.back() + 4);
            types.push_back(10);
        }
        const std::string whole = style_.wide ? "Int64" : "Int32";
        std::string out =
            "<?xml version=\"1.0\"?>\n<!-- <Piece> -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\"";
        out += std::string(" byte_order=\"") + (style_.big_endian ? "BigEndian" : "LittleEndian") + "\" header_type=\"";
        out += style_.wide ? "UInt64\"" : "UInt32\"";
        out += style_.zlib ? " compressor=\"vtkZLibDataCompressor\">\n" : ">\n";
        out += "<UnstructuredGrid><Piece NumberOfPoints=\"" + std::to_string(m.nodes.size()) + "\" NumberOfCells='"
            + std::to_string(cells)
            + "'>\n<PointData><DataArray type=\"String\" Name=\"a>b\"/></PointData>\n<Points>\n";
        out += array("Points", style_.wide ? "Float64" : "Float32", " NumberOfComponents=\"3\"", x);
        out += "</Points>\n<Cells>\n" + array("connectivity", whole, "", connectivity)
            + array("offsets", whole, "", offsets);
        out += array("types", "UInt8", "", types) + "</Cells>\n</Piece></UnstructuredGrid>\n";
        if (style_.format >= VtuStyle::appended_raw)
            out += std::string("<AppendedData encoding=\"")
                + (style_.format == VtuStyle::appended_raw ? "raw" : "base64") + "\">\n _" + appended_
                + "\n</AppendedData>\n";
        return out + "</VTKFile>\n";
    }

private:
    std::string array(
        const std::string& name, const std::string& type, const std::string& more, const std::vector<double>& v)
    {
        const std::string begin = "<DataArray type=\"" + type + "\" Name=\"" + name + "\"" + more + " format=\"";
        if (style_.format == VtuStyle::ascii) {
            std::string text;
            for (double x : v)
                text += number(x) + " ";
            return begin + "ascii\">\n" + text + "\n</DataArray>\n";
        }
        Bytes bytes(style_.big_endian);
        for (double x : v) {
            if (type == "Float64")
                bytes.put(x);
            else if (type == "Float32")
                bytes.put(static_cast<float>(x));
            else if (type == "Int64")
                bytes.put(static_cast<std::int64_t>(x));
            else if (type == "Int32")
                bytes.put(static_cast<std::int32_t>(x));
            else
                bytes.put(static_cast<std::uint8_t>(x));
        }
        const std::string packed = pack(bytes.text);
        if (style_.format == VtuStyle::inline_base64)
            return begin + "binary\">\n  " + packed + "\n</DataArray>\n";
        const std::string offset = std::to_string(appended_.size());
        appended_ += packed;
        return begin + "appended\" offset=\"" + offset + "\"/>\n";
    }

    void put_size(Bytes& header, std::size_t size) const
    {
        if (style_.wide)
            header.put(static_cast<std::uint64_t>(size));
        else
            header.put(static_cast<std::uint32_t>(size));
    }

    std::string pack(const std::string& data) const
    {
        const bool encode = style_.format != VtuStyle::appended_raw;
        Bytes header(style_.big_endian);
        if (!style_.zlib) {
            put_size(header, data.size());
            return encode ? base64(header.text + data) : header.text + data;
        }
        const std::size_t block = 512; // several blocks
        std::vector<std::string> packed;
        for (std::size_t i = 0; i < data.size(); i += block) {
            const std::string part = data.substr(i, block);
            std::string out(compressBound(part.size()), '\0');
            uLongf size = out.size();
            compress(
                reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(part.data()), part.size());
            packed.push_back(out.substr(0, size));
        }
        put_size(header, packed.size());
        put_size(header, block);
        put_size(header, data.size() % block);
        std::string all;
        for (const std::string& p : packed) {
            put_size(header, p.size());
            all += p;
        }
        return encode ? base64(header.text) + base64(all) : header.text + all;
    }

    VtuStyle style_;
    std::string appended_;
};

inline std::string stl(const TriMesh& m, bool binary)
{
    Bytes out;
    std::string text = "solid a name\n";
    out.text = "solid " + std::string(74, ' '); // binary files may begin like text
    out.put(static_cast<std::uint32_t>(m.triangles.size()));
    for (const Triangle& t : m.triangles) {
        text += "facet normal nan nan nan\n outer loop\n";
        for (int i = 0; i < 3; ++i)
            out.put(0.0f);
        for (int v : t) {
            text += "  vertex " + words(m.vertices[v]) + "\n";
            for (double x : m.vertices[v])
                out.put(static_cast<float>(x));
        }
        out.put(static_cast<std::uint16_t>(0));
        text += " endloop\nendfacet\n";
    }
    return binary ? out.text : text + "endsolid a name\n";
}

enum class Ply { ascii, little, big };
inline std::string ply(const TriMesh& m, Ply kind)
{
    const char* names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    std::string out = "ply\nformat " + std::string(names[static_cast<int>(kind)])
        + " 1.0\ncomment element ghost\nelement vertex " + std::to_string(m.vertices.size())
        + "\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\n" + "element face "
        + std::to_string(m.triangles.size())
        + "\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n";
    for (const Vec3& x : m.vertices) {
        Bytes bytes(kind == Ply::big);
        bytes.put(x[0]).put(x[1]).put(x[2]).put(static_cast<std::uint8_t>(255));
        out += kind == Ply::ascii ? words(x) + " 255\n" : bytes.text;
    }
    for (const Triangle& t : m.triangles) {
        Bytes bytes(kind == Ply::big);
        bytes.put(static_cast<std::uint8_t>(3))
            .put(t[0])
            .put(t[1])
            .put(t[2])
            .put(static_cast<std::uint8_t>(1))
            .put(0.5f);
        out += kind == Ply::ascii
            ? "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + " 1 0.5\n"
            : bytes.text;
    }
    return out;
}

} // namespace stickslip::writers
