#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

/// A tube about z, of vertices on the circle, rows turned by half a side.
inline TriMesh pipe_mesh(double radius, int sides, double half_length)
{
    TriMesh mesh;
    const int rows = std::max(2, static_cast<int>(half_length / (radius * std::sin(std::numbers::pi / sides))));
    for (int i = 0; i < sides; ++i)
        for (int j = 0; j <= rows; ++j) {
            const double phi = 2 * std::numbers::pi * (i + 0.5 * (j % 2)) / sides;
            mesh.vertices.emplace_back(
                radius * std::cos(phi), radius * std::sin(phi), (2.0 * j / rows - 1) * half_length);
        }
    for (int i = 0; i < sides; ++i)
        for (int j = 0; j < rows; ++j) {
            const int a = i * (rows + 1) + j, b = (i + 1) % sides * (rows + 1) + j;
            if (j % 2 == 0) {
                mesh.triangles.push_back({a, b, a + 1});
                mesh.triangles.push_back({b, b + 1, a + 1});
            } else {
                mesh.triangles.push_back({a, b, b + 1});
                mesh.triangles.push_back({a, b + 1, a + 1});
            }
        }
    return mesh;
}

/// A funnel z = slope r with its tip at the origin.
inline TriMesh cone_mesh(double slope, int sides, double radius)
{
    constexpr int rings = 6;
    TriMesh mesh{.vertices = {Vec3::Zero()}, .triangles = {}};
    for (int ring = 1; ring <= rings; ++ring)
        for (int i = 0; i < sides; ++i) {
            const double phi = 2 * std::numbers::pi * i / sides, r = radius * ring / rings;
            mesh.vertices.emplace_back(r * std::cos(phi), r * std::sin(phi), slope * r);
        }
    for (int i = 0; i < sides; ++i) {
        const int next = (i + 1) % sides;
        mesh.triangles.push_back({0, 1 + i, 1 + next});
        for (int ring = 0; ring + 1 < rings; ++ring) {
            const int a = 1 + ring * sides + i, b = 1 + ring * sides + next;
            mesh.triangles.push_back({a, a + sides, b + sides});
            mesh.triangles.push_back({a, b + sides, b});
        }
    }
    return mesh;
}

} // namespace stickslip
