#include "stickslip/geometry/mesh/surface_shapes.h"

#include "stickslip/geometry/mesh/shape_patterns.h"
#include "stickslip/geometry/mesh/shape_sizes.h"
#include "stickslip/math/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace stickslip {

namespace {

constexpr double most_triangles = 2e7;

/// Checks the number of triangles before anything is allocated.
void check_triangles(double count, double resolution)
{
    check_count(count, most_triangles, "triangles", resolution);
}

/// Two triangles of a quadrilateral a, b, c, d, counter-clockwise from outside; diagonal b-d if flipped, otherwise a-c.
void add_quad(std::vector<Triangle>& triangles, int a, int b, int c, int d, bool flipped)
{
    if (flipped) {
        triangles.push_back({a, b, d});
        triangles.push_back({b, c, d});
    } else {
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
    }
}

/// Strip between two rings of count vertices each, which run counter-clockwise about the direction from lower to upper.
template <typename Lower, typename Upper>
void add_strip(std::vector<Triangle>& triangles, int count, const Lower& lower, const Upper& upper, bool flipped)
{
    for (int j = 0; j < count; ++j) {
        const int k = (j + 1) % count;
        add_quad(triangles, lower(j), lower(k), upper(k), upper(j), flipped);
    }
}

TriMesh cover(const Plane&, double)
{
    return {}; // refused by check_sizes
}

TriMesh cover(const Box& box, double)
{
    TriMesh mesh;
    for (int i = 0; i < 8; ++i) {
        const Vec3 sign((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
        mesh.vertices.push_back(0.5 * sign.cwiseProduct(box.size));
    }
    // -x, +x, -y, +y, -z, +z; each starts at one of the corners 0 3 5 6, which the diagonals join as in tetrahedralize
    constexpr int faces[6][4] = {{0, 4, 6, 2}, {3, 7, 5, 1}, {0, 1, 5, 4}, {6, 7, 3, 2}, {0, 2, 3, 1}, {5, 7, 6, 4}};
    for (const auto& f : faces)
        add_quad(mesh.triangles, f[0], f[1], f[2], f[3], false);
    return mesh;
}

/// Each face of a cube, its directions turned outwards over the roundings: over a strip of the core they do not turn.
/// `straight`: edges [m] there.
TriMesh cover(const RoundedBox& box, double resolution, double straight)
{
    const Vec3 half = box.core() / 2;
    const double quarter = step_count(std::numbers::pi / 4 * box.radius, resolution); // of a circle, half of it
    std::array<double, 3> flat;
    double count = 0;
    for (int i = 0; i < 3; ++i)
        flat[i] = step_count(2 * half[i], straight);
    for (int i = 0; i < 3; ++i)
        count += 4 * (2 * quarter + flat[i]) * (2 * quarter + flat[(i + 1) % 3]);
    check_triangles(count, resolution);
    struct Step {
        double core, slope; // place on the core; of the direction, to the face's normal
    };
    std::array<std::vector<Step>, 3> steps;
    const int n = static_cast<int>(quarter);
    for (int i = 0; i < 3; ++i) {
        for (int j = n; j > 0; --j)
            steps[i].push_back({-half[i], j == n ? -1 : -std::tan(std::numbers::pi / 4 * j / n)});
        for (int j = 0; j <= flat[i]; ++j)
            steps[i].push_back({half[i] * (2 * j / flat[i] - 1), 0});
        for (int j = 1; j <= n; ++j)
            steps[i].push_back({half[i], j == n ? 1 : std::tan(std::numbers::pi / 4 * j / n)});
    }
    TriMesh mesh;
    std::map<std::array<double, 3>, int> known; // where faces meet they compute the same numbers
    const auto vertex = [&](const Vec3& x) {
        const auto [at, fresh] = known.try_emplace({x[0], x[1], x[2]}, static_cast<int>(mesh.vertices.size()));
        if (fresh)
            mesh.vertices.push_back(x);
        return at->second;
    };
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1., 1.}) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            const auto point = [&](std::size_t i, std::size_t j) {
                Vec3 core, direction;
                core[axis] = side * half[axis];
                direction[axis] = side;
                core[u] = steps[u][i].core;
                direction[u] = steps[u][i].slope;
                core[v] = steps[v][j].core;
                direction[v] = steps[v][j].slope;
                return vertex(core + box.radius / direction.norm() * direction);
            };
            for (std::size_t i = 0; i + 1 < steps[u].size(); ++i)
                for (std::size_t j = 0; j + 1 < steps[v].size(); ++j) {
                    const int a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1), d = point(i, j + 1);
                    if (side > 0)
                        add_quad(mesh.triangles, a, b, c, d, false);
                    else
                        add_quad(mesh.triangles, a, d, c, b, false);
                }
        }
    return mesh;
}

TriMesh cover(const RoundedBox& box, double resolution)
{
    return cover(box, resolution, resolution);
}

TriMesh cover(const Sphere& sphere, double resolution)
{
    const double n = step_count(sphere.radius, resolution);
    check_triangles(20 * n * n, resolution);
    TriMesh mesh = refine_patches(icosahedron_patches(), static_cast<int>(n));
    for (Vec3& x : mesh.vertices)
        x *= sphere.radius;
    return mesh;
}

TriMesh cover(const Cylinder& cylinder, double resolution)
{
    const double rings = step_count(cylinder.radius, resolution);
    const double layers = step_count(cylinder.height, resolution);
    check_triangles(12 * rings * rings + 12 * rings * layers, resolution);
    const DiscPattern disc = disc_pattern(static_cast<int>(rings));
    const int size = static_cast<int>(disc.nodes.size());
    const int around = 6 * static_cast<int>(rings);
    const int rim = size - around; // first node of the outermost ring
    const int count = static_cast<int>(layers);
    TriMesh mesh;
    // whole discs at both ends, rings between: bottom disc, then rings 1 .. count - 1, then top disc
    const auto add = [&](const Vec3& x, int l) {
        mesh.vertices.push_back(
            cylinder.radius * x + cylinder.height * (2 * l - layers) / (2 * layers) * Vec3::UnitY());
    };
    for (const Vec3& x : disc.nodes)
        add(x, 0);
    for (int l = 1; l < count; ++l) {
        for (int j = rim; j < size; ++j)
            add(disc.nodes[j], l);
    }
    const int top = static_cast<int>(mesh.vertices.size());
    for (const Vec3& x : disc.nodes)
        add(x, count);
    for (const Triangle& t : disc.triangles) {
        mesh.triangles.push_back({t[0], t[2], t[1]});
        mesh.triangles.push_back({top + t[0], top + t[1], top + t[2]});
    }
    const auto ring = [&](int l) { return l == 0 ? rim : l == count ? top + rim : size + (l - 1) * around; };
    for (int l = 0; l < count; ++l) {
        add_strip(
            mesh.triangles, around, [&](int j) { return ring(l) + j; }, [&](int j) { return ring(l + 1) + j; },
            l % 2 == 1);
    }
    return mesh;
}

TriMesh cover(const Cone& cone, double resolution)
{
    const double rings = step_count(cone.radius, resolution);
    const double layers = step_count(std::hypot(cone.radius, cone.height), resolution);
    check_triangles(6 * rings * rings + 12 * rings * layers, resolution);
    const DiscPattern disc = disc_pattern(static_cast<int>(rings));
    const int size = static_cast<int>(disc.nodes.size());
    const int around = 6 * static_cast<int>(rings), rim = size - around, count = static_cast<int>(layers);
    TriMesh mesh;
    const auto add = [&](const Vec3& x, int l) {
        const double t = l / layers; // from base to apex
        mesh.vertices.push_back((1 - t) * cone.radius * x + cone.height * (t - 0.5) * Vec3::UnitY());
    };
    for (const Vec3& x : disc.nodes)
        add(x, 0);
    for (int l = 1; l < count; ++l)
        for (int j = rim; j < size; ++j)
            add(disc.nodes[j], l);
    const int apex = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(cone.height / 2 * Vec3::UnitY());
    for (const Triangle& t : disc.triangles)
        mesh.triangles.push_back({t[0], t[2], t[1]});
    const auto ring = [&](int l) { return l == 0 ? rim : size + (l - 1) * around; };
    for (int l = 0; l + 1 < count; ++l)
        add_strip(
            mesh.triangles, around, [&](int j) { return ring(l) + j; }, [&](int j) { return ring(l + 1) + j; },
            l % 2 == 1);
    for (int j = 0; j < around; ++j)
        mesh.triangles.push_back({ring(count - 1) + j, ring(count - 1) + (j + 1) % around, apex});
    return mesh;
}

TriMesh cover(const Capsule& capsule, double resolution)
{
    const double n = step_count(capsule.radius, resolution);
    const double layers =
        std::round(capsule.height / resolution); // none if the cylinder is short: as in tetrahedralize
    check_triangles(20 * n * n + 12 * n * layers, resolution);
    const TriMesh cap = refine_patches(half_cuboctahedron_patches(), static_cast<int>(n));
    std::vector<int> equator;
    for (int i = 0; i < static_cast<int>(cap.vertices.size()); ++i) {
        if (cap.vertices[i][1] == 0) // exact: corners on the equator have y = 0
            equator.push_back(i);
    }
    std::sort(equator.begin(), equator.end(), [&](int i, int j) { // counter-clockwise about y
        const Vec3& a = cap.vertices[i];
        const Vec3& b = cap.vertices[j];
        return std::atan2(a[0], a[2]) < std::atan2(b[0], b[2]);
    });
    const int around = static_cast<int>(equator.size());
    const int count = static_cast<int>(layers);

    TriMesh mesh;
    for (int l = 0; l <= count; ++l) {
        const double y = count > 0 ? capsule.height * (2 * l - count) / (2 * layers) : 0;
        for (int i : equator)
            mesh.vertices.push_back(capsule.radius * cap.vertices[i] + y * Vec3::UnitY());
    }
    for (int l = 0; l < count; ++l) {
        add_strip(
            mesh.triangles, around, [&](int j) { return l * around + j; }, [&](int j) { return (l + 1) * around + j; },
            l % 2 == 1);
    }
    for (int side : {+1, -1}) {
        std::vector<int> number(cap.vertices.size(), -1);
        for (int j = 0; j < around; ++j)
            number[equator[j]] = (side > 0 ? count * around : 0) + j;
        for (std::size_t i = 0; i < cap.vertices.size(); ++i) {
            if (number[i] >= 0)
                continue;
            number[i] = static_cast<int>(mesh.vertices.size());
            const Vec3 x = capsule.radius * cap.vertices[i] + 0.5 * capsule.height * Vec3::UnitY();
            mesh.vertices.emplace_back(x[0], side * x[1], x[2]);
        }
        for (const Triangle& t : cap.triangles) {
            const Triangle up = {number[t[0]], number[t[1]], number[t[2]]};
            mesh.triangles.push_back(side > 0 ? up : Triangle{up[0], up[2], up[1]});
        }
    }
    return mesh;
}

TriMesh cover(const Torus& torus, double resolution)
{
    const double around_tube = 6 * step_count(torus.minor, resolution);
    const double sections = std::max(6.0, 2 * std::round(std::numbers::pi * torus.major / resolution));
    check_triangles(2 * around_tube * sections, resolution);
    const int around = static_cast<int>(around_tube);
    const int count = static_cast<int>(sections);
    TriMesh mesh;
    for (int s = 0; s < count; ++s) {
        const double angle = 2 * std::numbers::pi * s / count;
        const Vec3 outward(std::cos(angle), 0, std::sin(angle));
        for (int j = 0; j < around; ++j) {
            const double turn = 2 * std::numbers::pi * j / around;
            mesh.vertices.push_back(
                (torus.major + torus.minor * std::cos(turn)) * outward + torus.minor * std::sin(turn) * Vec3::UnitY());
        }
    }
    for (int s = 0; s < count; ++s) {
        add_strip(
            mesh.triangles, around, [&](int j) { return s * around + j; },
            [&](int j) { return (s + 1) % count * around + j; }, s % 2 == 1);
    }
    return mesh;
}

} // namespace

TriMesh triangulate(const Primitive& shape, double resolution)
{
    check_sizes(shape, resolution);
    return std::visit([&](const auto& s) { return cover(s, resolution); }, shape);
}

TriMesh triangulate_roundings(const RoundedBox& box, double resolution)
{
    check_sizes(box, resolution);
    return cover(box, resolution, box.size.maxCoeff());
}

TriMesh triangulate_plane(const Plane& plane, double half_extent)
{
    STICKSLIP_ASSERT(half_extent > 0);
    const Vec3 a = half_extent * plane.normal.unitOrthogonal();
    const Vec3 b = plane.normal.cross(a);
    TriMesh mesh = {.vertices = {-a - b, a - b, a + b, b - a}, .triangles = {}};
    add_quad(mesh.triangles, 0, 1, 2, 3, false);
    return mesh;
}

} // namespace stickslip
