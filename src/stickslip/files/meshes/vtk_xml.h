#pragma once

#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/files/meshes/vtu_arrays.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// One array of a piece: where it is and what it holds.
struct VtkXmlArray {
    VtuArray data;
    int components = 1;
};

/// A <Piece>: its counts by attribute ("NumberOfPoints") and its arrays by element and name ("Points/Points",
/// "PointData/velocity", "Polys/offsets").
struct VtkXmlPiece {
    std::map<std::string, std::int64_t> counts;
    std::map<std::string, VtkXmlArray> arrays;
    std::string extent; // as the file has it; of images
    std::string scalars; // of the point data, by its name; empty: the file names none

    std::int64_t count(const std::string& attribute) const; // 0 when it is not there
};

/// A VTK XML file of any encoding, taken apart: which arrays there are. Reading an array decodes it.
/// Errors: InputError with the place; any content is safe.
class VtkXmlFile {
public:
    /// Keeps a reference. `type` is what the file must hold: "UnstructuredGrid", "PolyData", "ImageData".
    VtkXmlFile(MeshInput& in, std::string_view type);

    const std::map<std::string, std::string>& attributes() const { return attributes_; } // of the element of its type
    const std::vector<VtkXmlPiece>& pieces() const { return pieces_; }

    /// A reader at the first of exactly `count` numbers of the array.
    MeshInput array(const VtkXmlPiece& piece, const std::string& name, std::int64_t count) const;
    std::vector<std::int64_t> integers(const VtkXmlPiece& piece, const std::string& name, std::int64_t count) const;
    std::vector<double> reals(const VtkXmlPiece& piece, const std::string& name, std::int64_t count) const;
    std::vector<Vec3> points(const VtkXmlPiece& piece, std::int64_t before) const; // before: of other pieces

private:
    struct Tag;
    class TagScanner;

    void scan(std::string_view type);
    void read_file_tag(Tag& tag, std::string_view type);
    void read_piece_tag(const Tag& tag);
    void read_array_tag(Tag& tag, const std::string& section);
    std::int64_t whole(const std::string& key, const std::string& text) const;

    MeshInput& in_;
    bool is_vtk_ = false;
    VtuStorage storage_;
    std::map<std::string, std::string> attributes_;
    std::vector<VtkXmlPiece> pieces_;
    VtuEncoding appended_ = VtuEncoding::raw;
    std::size_t appended_begin_ = 0;
};

} // namespace stickslip
