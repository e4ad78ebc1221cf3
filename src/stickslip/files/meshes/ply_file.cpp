#include "stickslip/files/meshes/mesh_formats.h"
#include "stickslip/geometry/mesh/polygon.h"

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

struct Property {
    std::string name;
    Scalar type = Scalar::f32;
    bool is_list = false;
    Scalar count_type = Scalar::u8; // of a list
};

struct Element {
    std::string name;
    std::int64_t count = 0;
    std::vector<Property> properties;
};

class PlyReader {
public:
    explicit PlyReader(MeshInput& in)
        : in_(in)
    {
    }

    TriMeshFile read()
    {
        read_header();
        in_.set_binary(binary_, big_endian_);
        for (const Element& element : elements_) {
            if (element.properties.empty())
                continue; // takes no bytes
            // every number and every length of a list takes at least a byte or a character
            in_.check_count(element.count, element.properties.size(), Scalar::u8, "a number of elements");
            for (std::int64_t i = 0; i < element.count; ++i)
                read_item(element);
        }
        add_faces();
        return {.mesh = std::move(mesh_), .loose_edges = edges_};
    }

private:
    void read_header()
    {
        in_.expect("ply");
        in_.expect("format");
        const std::string_view format = in_.word();
        if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
            in_.fail("format ascii, binary_little_endian or binary_big_endian");
        binary_ = format != "ascii";
        big_endian_ = format == "binary_big_endian";
        in_.expect("1.0");
        for (std::string_view word = in_.word(); word != "end_header"; word = in_.word()) {
            if (word == "comment" || word == "obj_info")
                in_.line();
            else if (word == "element")
                read_element();
            else if (word == "property" && !elements_.empty())
                read_property();
            else
                in_.fail("comment, element, property or end_header");
        }
        in_.line();
    }

    void read_element()
    {
        Element element;
        element.name = in_.word();
        element.count = in_.integer(Scalar::i64, "a number of elements");
        if (element.count < 0)
            in_.fail("a number of elements >= 0");
        elements_.push_back(element);
    }

    Scalar scalar_type()
    {
        static const std::map<std::string_view, Scalar> types = {{"char", Scalar::i8}, {"int8", Scalar::i8},
            {"uchar", Scalar::u8}, {"uint8", Scalar::u8}, {"short", Scalar::i16}, {"int16", Scalar::i16},
            {"ushort", Scalar::u16}, {"uint16", Scalar::u16}, {"int", Scalar::i32}, {"int32", Scalar::i32},
            {"uint", Scalar::u32}, {"uint32", Scalar::u32}, {"float", Scalar::f32}, {"float32", Scalar::f32},
            {"double", Scalar::f64}, {"float64", Scalar::f64}};
        const auto found = types.find(in_.word());
        if (found == types.end())
            in_.fail("a data type such as float or uchar");
        return found->second;
    }

    void read_property()
    {
        Property property;
        const std::size_t before = in_.position();
        property.is_list = in_.word() == "list";
        if (property.is_list) {
            property.count_type = scalar_type();
            if (is_real(property.count_type))
                in_.fail("a whole type for the length of a list");
        } else {
            in_.move_to(before);
        }
        property.type = scalar_type();
        property.name = in_.word();
        elements_.back().properties.push_back(property);
    }

    void read_item(const Element& element)
    {
        Vec3 x = Vec3::Constant(nan);
        for (const Property& p : element.properties) {
            const bool indices = element.name == "face" && (p.name == "vertex_indices" || p.name == "vertex_index");
            if (p.is_list && indices)
                read_face(p);
            else if (p.is_list)
                in_.skip(in_.count(p.count_type, 1, p.type, "a list length"), p.type, "a value of the list");
            else if (element.name == "vertex" && p.name.size() == 1 && p.name >= "x" && p.name <= "z")
                x[p.name[0] - 'x'] = in_.real(p.type, "a coordinate");
            else
                in_.skip(1, p.type, "a value");
        }
        if (element.name == "edge")
            ++edges_;
        if (element.name != "vertex")
            return;
        if (!x.allFinite())
            in_.fail("finite coordinates x, y and z of vertex " + std::to_string(mesh_.vertices.size()), "others");
        mesh_.vertices.push_back(x);
    }

    void read_face(const Property& p)
    {
        if (is_real(p.type))
            in_.fail("a whole type for vertex numbers", "a real type");
        const int count = in_.count(p.count_type, 1, p.type, "a number of corners");
        if (count < 3)
            in_.fail("at least 3 vertices in a face", std::to_string(count));
        for (int i = 0; i < count; ++i) {
            const std::int64_t v = in_.integer(p.type, "a vertex number");
            if (v < 0 || v > std::numeric_limits<int>::max())
                in_.fail("a vertex number >= 0", std::to_string(v));
            corners_.push_back(static_cast<int>(v));
        }
        face_ends_.push_back(corners_.size());
    }

    /// At the end: faces may stand before the vertices.
    void add_faces()
    {
        for (const int v : corners_)
            if (v >= static_cast<int>(mesh_.vertices.size()))
                in_.fail("vertex numbers from 0 to " + std::to_string(mesh_.vertices.size()) + " - 1 in the faces",
                    std::to_string(v));
        std::size_t begin = 0;
        for (const std::size_t end : face_ends_) {
            add_polygon(std::span(corners_).subspan(begin, end - begin), mesh_.vertices, mesh_.triangles);
            begin = end;
        }
    }

    MeshInput& in_;
    bool binary_ = false;
    bool big_endian_ = false;
    std::vector<Element> elements_;
    TriMesh mesh_;
    std::vector<int> corners_; // of all faces
    std::vector<std::size_t> face_ends_; // in corners_
    int edges_ = 0;
};

} // namespace

TriMeshFile read_ply(MeshInput& in)
{
    return PlyReader(in).read();
}

} // namespace stickslip
