#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace stickslip {

/// Entries xx, yy, zz, xy, yz, xz of a symmetric tensor: the order of VTK.
using SymmetricEntries = std::array<double, 6>;

/// Of the symmetric part of a tensor.
SymmetricEntries symmetric_entries(const Mat3& tensor);

/// A named array of a frame: one value a point, or one a cell. Borrowed, not kept.
struct FrameField {
    std::string name; // with its unit in the documentation, not in the name
    std::variant<std::span<const double>, std::span<const Vec3>, std::span<const int>,
        std::span<const SymmetricEntries>>
        values;
};

/// Tetrahedra with their fields.
struct TetFrame {
    std::span<const Vec3> points; // [m]
    std::span<const Tetrahedron> tets; // indices into points
    std::vector<FrameField> point_fields, cell_fields;
};

/// A triangulated surface with its fields.
struct TriangleFrame {
    std::span<const Vec3> points; // [m]
    std::span<const Triangle> triangles; // indices into points
    std::vector<FrameField> point_fields, cell_fields;
};

/// Straight lines with their fields: force chains.
struct LineFrame {
    std::span<const Vec3> points; // [m]
    std::span<const std::array<int, 2>> lines; // indices into points
    std::vector<FrameField> point_fields;
};

/// Single points with their fields: contacts, spheres. Each point is a cell (a VTK vertex), so that it shows without a
/// filter.
struct PointFrame {
    std::span<const Vec3> points; // [m]
    std::vector<FrameField> point_fields;
};

/// A regular grid of points along the axes with its fields.
struct GridFrame {
    Vec3 origin; // [m] the first point
    double spacing; // [m]
    std::array<int, 3> points; // along x, which runs fastest, y and z
    std::vector<FrameField> point_fields;
};

/// VTK XML of ParaView 5 and VTK 9: appended raw data, zlib blocks, 64-bit headers and integers (fields of int: 32),
/// doubles bit exact. The same input gives the same bytes. Files appear whole or not at all.
///
/// Pre: as many values in a field as points or cells.  Errors: FileError as AtomicFile.
void write_vtu(const std::filesystem::path& path, const TetFrame& frame);
void write_vtp(const std::filesystem::path& path, const TriangleFrame& frame);
void write_vtp(const std::filesystem::path& path, const LineFrame& frame);
void write_vtp(const std::filesystem::path& path, const PointFrame& frame);
void write_vti(const std::filesystem::path& path, const GridFrame& frame);

} // namespace stickslip
