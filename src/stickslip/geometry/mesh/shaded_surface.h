#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// Normals of a drawn surface: smooth but for creases, where vertices are split so that each has one normal. Creases
/// are found once; the surface may deform then.
class ShadedSurface {
public:
    ShadedSurface() = default;

    /// Faces that meet at a sharper angle than crease_angle [rad] at these points are shaded apart.
    ShadedSurface(const std::vector<Vec3>& points, std::vector<Triangle> faces, double crease_angle = 0.7);

    /// As given, by points.
    const std::vector<Triangle>& faces() const { return faces_; }
    /// The same faces by vertices, and the point of each vertex.
    const std::vector<Triangle>& triangles() const { return triangles_; }
    const std::vector<int>& point_of() const { return point_of_; }

    /// Unit normals of the vertices: of the faces that meet smoothly there, by their areas. Zero where these cancel.
    std::vector<Vec3> normals(const std::vector<Vec3>& points) const;

    /// All normals are those of their faces, as where nothing but creases and flat parts meet.
    bool is_flat(const std::vector<Vec3>& points) const;

private:
    std::vector<Triangle> faces_, triangles_;
    std::vector<int> point_of_;
    std::vector<std::vector<int>> faces_of_; // of each vertex, ascending
};

} // namespace stickslip
