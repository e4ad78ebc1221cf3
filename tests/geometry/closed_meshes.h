#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/math/types.h"

#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <random>
#include <sstream>
#include <string>

namespace stickslip {

/// Closed meshes for tests, made here so that these tests need no other unit.

inline TriMesh cube_mesh(double edge)
{
    TriMesh mesh;
    for (int v = 0; v < 8; ++v)
        mesh.vertices.push_back(edge * Vec3((v & 1) - 0.5, ((v >> 1) & 1) - 0.5, ((v >> 2) & 1) - 0.5));
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 2, 3},
        {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
}

/// Two cubes, the second shifted, with vertices of their own.
inline TriMesh two_cubes(double edge, const Vec3& shift)
{
    TriMesh mesh = cube_mesh(edge);
    const TriMesh one = mesh;
    for (const Vec3& x : one.vertices)
        mesh.vertices.push_back(x + shift);
    for (const auto& [i, j, k] : one.triangles)
        mesh.triangles.push_back({i + 8, j + 8, k + 8});
    return mesh;
}

/// An octahedron halved `levels` times, radius(direction) from the origin.
template <typename Radius>
TriMesh star_mesh(int levels, const Radius& radius)
{
    TriMesh mesh{
        .vertices = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()},
        .triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [at, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
            if (fresh)
                mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
            return at->second;
        };
        std::vector<Triangle> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        mesh.triangles = finer;
    }
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        mesh.vertices[v] *= radius(mesh.vertices[v], v);
    return mesh;
}

inline TriMesh sphere_mesh(double radius, int levels)
{
    return star_mesh(levels, [&](const Vec3&, std::size_t) { return radius; });
}

/// Every vertex at its own random radius: needles and pits, edges and vertices of every sign of curvature.
inline TriMesh spiky_mesh(int levels)
{
    std::mt19937 engine(11);
    std::uniform_real_distribution<double> radius(0.3, 1.0);
    return star_mesh(levels, [&](const Vec3&, std::size_t) { return radius(engine); });
}

/// A bowl about the y axis whose inside is a cone of n trapezoids, 10 times as wide above as below, each in two
/// triangles by the one diagonal or by the other.
inline TriMesh cone_bowl(int n, bool other_diagonal)
{
    constexpr std::array<std::array<double, 2>, 5> profile = {
        {{0.2, 0.15}, {0.02, 0}, {0.02, -0.05}, {0.22, -0.05}, {0.22, 0.15}}}; // radius and height [m]
    constexpr int rows = static_cast<int>(profile.size());
    TriMesh mesh;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < rows; ++j) {
            const double angle = 2 * std::numbers::pi * i / n, r = profile[j][0];
            mesh.vertices.push_back(Vec3(r * std::cos(angle), profile[j][1], r * std::sin(angle)));
            const int next = (i + 1) % n, a = i * rows + j, b = i * rows + (j + 1) % rows, c = next * rows + j,
                      d = next * rows + (j + 1) % rows;
            if (other_diagonal)
                mesh.triangles.insert(mesh.triangles.end(), {{a, d, c}, {a, b, d}});
            else
                mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {b, d, c}});
        }
    return mesh;
}

/// A hill about the y axis: cones that fall by 10 degrees to a radius of 1 m and by 30 to 2 m, with a rim that is
/// nearly level to 3 m, on a body that ends 2 m below its tip.
inline TriMesh cone_hill(int sectors)
{
    const double shallow = std::tan(std::numbers::pi / 18), steep = std::tan(std::numbers::pi / 6);
    const std::array<std::array<double, 2>, 4> profile = {
        {{1, -shallow}, {2, -shallow - steep}, {3, -shallow - steep - 0.02}, {3, -2}}}; // radius and height [m]
    constexpr int rows = static_cast<int>(profile.size());
    TriMesh mesh{{Vec3::Zero(), -2 * Vec3::UnitY()}, {}};
    for (int i = 0; i < sectors; ++i) {
        const double angle = 2 * std::numbers::pi * i / sectors;
        for (const auto& [r, y] : profile)
            mesh.vertices.emplace_back(r * std::cos(angle), y, r * std::sin(angle));
        const int here = 2 + i * rows, next = 2 + (i + 1) % sectors * rows;
        mesh.triangles.insert(mesh.triangles.end(), {{0, next, here}, {1, here + rows - 1, next + rows - 1}});
        for (int j = 0; j + 1 < rows; ++j)
            mesh.triangles.insert(
                mesh.triangles.end(), {{here + j, next + j + 1, here + j + 1}, {here + j, next + j, next + j + 1}});
    }
    return mesh;
}

inline TriMesh torus_mesh(double major, double minor, int around, int across)
{
    TriMesh mesh;
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < across; ++j) {
            const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * j / across;
            const double rho = major + minor * std::cos(v);
            mesh.vertices.emplace_back(rho * std::cos(u), minor * std::sin(v), rho * std::sin(u));
            const int i1 = (i + 1) % around * across, j1 = (j + 1) % across, i0 = i * across;
            mesh.triangles.push_back({i0 + j, i0 + j1, i1 + j1});
            mesh.triangles.push_back({i0 + j, i1 + j1, i1 + j});
        }
    }
    return mesh;
}

/// Positions and triangles of an OBJ file; empty if it cannot be read.
inline TriMesh obj_mesh(const std::string& path)
{
    TriMesh mesh;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            Vec3 x;
            words >> x[0] >> x[1] >> x[2];
            mesh.vertices.push_back(x);
        } else if (kind == "f") {
            std::vector<int> corners;
            for (std::string corner; words >> corner;)
                corners.push_back(std::stoi(corner) - 1);
            for (std::size_t i = 2; i < corners.size(); ++i)
                mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
        }
    }
    return mesh;
}

/// How often the surface winds round x: 1 inside, 0 outside. Sum of the solid angles of all triangles.
inline double winding_number(const TriMesh& mesh, const Vec3& x)
{
    double sum = 0;
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3 a = mesh.vertices[i] - x, b = mesh.vertices[j] - x, c = mesh.vertices[k] - x;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (4 * std::numbers::pi);
}

/// Seeded points.
class RandomPoints {
public:
    explicit RandomPoints(unsigned seed)
        : engine_(seed)
    {
    }
    double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
    Vec3 in_cube(double half) { return {number(-half, half), number(-half, half), number(-half, half)}; }
    Vec3 direction()
    {
        std::normal_distribution<double> normal;
        return Vec3(normal(engine_), normal(engine_), normal(engine_)).normalized();
    }

private:
    std::mt19937 engine_;
};

} // namespace stickslip
