#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"

#include "support/numeric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace stickslip {

using Corners = std::vector<std::array<double, 2>>; // [m] of a section in x and y, counter-clockwise

namespace detail {

inline double turn(const std::array<double, 2>& a, const std::array<double, 2>& b, const std::array<double, 2>& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Ears cut off one by one.
inline std::vector<Triangle> triangles_of(const Corners& section)
{
    std::vector<int> left;
    for (std::size_t i = 0; i < section.size(); ++i)
        left.push_back(static_cast<int>(i));
    std::vector<Triangle> triangles;
    const auto is_ear = [&](int a, int b, int c) {
        if (!(turn(section[a], section[b], section[c]) > 0))
            return false;
        for (const int p : left)
            if (p != a && p != b && p != c && turn(section[a], section[b], section[p]) >= 0
                && turn(section[b], section[c], section[p]) >= 0 && turn(section[c], section[a], section[p]) >= 0)
                return false;
        return true;
    };
    while (left.size() > 2) {
        const std::size_t n = left.size();
        std::size_t i = 0;
        while (i < n && !is_ear(left[(i + n - 1) % n], left[i], left[(i + 1) % n]))
            ++i;
        if (i == n)
            return {};
        triangles.push_back({left[(i + n - 1) % n], left[i], left[(i + 1) % n]});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return triangles;
}

} // namespace detail

/// A prism of any section from z = -width/2 to width/2, closed.
inline TriMesh extruded(const Corners& section, double width)
{
    TriMesh mesh;
    const int n = static_cast<int>(section.size());
    for (const double z : {-0.5 * width, 0.5 * width})
        for (const auto& [x, y] : section)
            mesh.vertices.push_back(Vec3(x, y, z));
    for (const auto& [i, j, k] : detail::triangles_of(section)) {
        mesh.triangles.push_back({n + i, n + j, n + k});
        mesh.triangles.push_back({i, k, j});
    }
    for (int i = 0; i < n; ++i) {
        const int next = (i + 1) % n;
        mesh.triangles.push_back({i, next, n + next});
        mesh.triangles.push_back({i, n + next, n + i});
    }
    return mesh;
}

/// Section of a spur gear with involute flanks of 25 degrees: teeth of this module (pitch radius = module teeth / 2)
/// [m], `backlash` [-] of it thinner at the pitch circle.
inline Corners gear_section(double module, int teeth, double backlash = 0.04)
{
    constexpr int flank = 5;
    const double pressure = 25 * std::numbers::pi / 180, pitch = 0.5 * module * teeth;
    const double base = pitch * std::cos(pressure), outer = pitch + module, root = pitch - 1.25 * module;
    const auto involute = [&](double r) {
        const double angle = std::acos(std::min(1.0, base / r));
        return std::tan(angle) - angle;
    };
    const auto half_tooth = [&](double r) {
        return 0.5 * std::numbers::pi / teeth + involute(pitch) - involute(r) - 0.5 * backlash * module / pitch;
    };
    Corners section;
    const auto add = [&](double r, double angle) { section.push_back({r * std::cos(angle), r * std::sin(angle)}); };
    for (int tooth = 0; tooth < teeth; ++tooth)
        for (const int side : {-1, 1}) {
            const double middle = 2 * std::numbers::pi * tooth / teeth, first = std::max(base, root);
            if (side < 0 && root < base)
                add(root, middle - half_tooth(base));
            for (int i = 0; i < flank; ++i) {
                const double r = first + (outer - first) * (side < 0 ? i : flank - 1 - i) / (flank - 1);
                add(r, middle + side * half_tooth(r));
            }
            if (side > 0 && root < base)
                add(root, middle + half_tooth(base));
        }
    return section;
}

/// Each triangle in four.
inline TriMesh refined(const TriMesh& coarse)
{
    TriMesh mesh{coarse.vertices, {}};
    std::map<std::pair<int, int>, int> between;
    const auto middle = [&](int a, int b) {
        const auto [at, fresh] = between.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
        if (fresh)
            mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
        return at->second;
    };
    for (const auto& [i, j, k] : coarse.triangles) {
        const int a = middle(i, j), b = middle(j, k), c = middle(k, i);
        mesh.triangles.push_back({i, a, c});
        mesh.triangles.push_back({a, j, b});
        mesh.triangles.push_back({c, b, k});
        mesh.triangles.push_back({a, b, c});
    }
    return mesh;
}

} // namespace stickslip
