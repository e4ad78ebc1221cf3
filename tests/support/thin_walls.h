#pragma once

#include "support/extruded.h"

#include <cmath>
#include <numbers>

namespace stickslip {

/// A channel of 1 m along z, 1 m wide and 0.4 m high, open above, with walls and a floor of this thickness [m] and its
/// outer side at y = 0; each triangle in four, `times` times: 28 triangles, 112, 448, 1792.
inline TriMesh channel(double thickness, int times)
{
    const double inner = 0.5 - thickness;
    TriMesh mesh = extruded({{-0.5, 0}, {0.5, 0}, {0.5, 0.4}, {inner, 0.4}, {inner, thickness}, {-inner, thickness},
                                {-inner, 0.4}, {-0.5, 0.4}},
        1);
    for (int i = 0; i < times; ++i)
        mesh = refined(mesh);
    return mesh;
}

/// A comb along x, 0.1 m deep along z: 50 slots of this width [m] and as many teeth of 20 mm less that, 40 mm high, on
/// a back from y = -0.1 to 0. The first slot begins at x = 0.
inline TriMesh comb(double slot)
{
    const double pitch = 0.02, high = 0.04;
    const int slots = 50;
    Corners section{{-pitch, -0.1}, {slots * pitch, -0.1}};
    for (int i = slots - 1; i >= 0; --i)
        for (const auto& [x, y] :
            {std::pair{i * pitch + pitch, high}, {i * pitch + slot, high}, {i * pitch + slot, 0.0}, {i * pitch, 0.0}})
            section.push_back({x, y});
    section.push_back({0, high});
    section.push_back({-pitch, high});
    return extruded(section, 0.1);
}

/// A disc of 1 m about the y axis, a prism of so many sides, its lower side at y = 0.
inline TriMesh disc(int sides, double thickness)
{
    Corners section;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        section.push_back({0.5 * std::cos(angle), 0.5 * std::sin(angle)});
    }
    TriMesh mesh = extruded(section, thickness);
    for (Vec3& x : mesh.vertices)
        x = Vec3(x.y(), x.z() + 0.5 * thickness, x.x());
    return mesh;
}

} // namespace stickslip
