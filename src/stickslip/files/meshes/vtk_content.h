#pragma once

#include "stickslip/math/types.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// A named array as a frame holds it: `components` numbers a point or a cell, one after the other.
struct VtkField {
    std::string name;
    int components = 1;
    std::vector<double> values;
};

/// Content of a .vtu or .vtp file. Other cells than tetrahedra, polygons and single points are left out.
struct VtkContent {
    std::vector<Vec3> points; // [m]
    std::vector<Tetrahedron> tets; // .vtu
    std::vector<Triangle> triangles; // .vtp: polygons cut into triangles
    std::vector<VtkField> point_fields; // one value a point
    std::vector<VtkField> cell_fields; // .vtu: one value a tetrahedron; empty where cells were left out

    /// The field of this name, or null.
    const VtkField* point_field(std::string_view name) const;
    const VtkField* cell_field(std::string_view name) const;
};

/// What of a file is read: all, or only its points and the fields that tell which body they belong to and how large
/// they are: `body`, `radius`.
enum class VtkPart { all, places };

/// Reads what write_vtu and write_vtp write, and the same from other programs.
/// Errors: FileError when it cannot be read, InputError for anything wrong in what is read. Any content is safe.
VtkContent read_vtk_content(const std::filesystem::path& path, VtkPart part = VtkPart::all);

} // namespace stickslip
