#include "stickslip/geometry/mesh/tet_shapes.h"

#include "stickslip/geometry/mesh/shape_patterns.h"
#include "stickslip/geometry/mesh/shape_sizes.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

constexpr double most_tets = 2e7;

/// Checks the number of tetrahedra before anything is allocated.
void check_tets(double count, double resolution)
{
    check_count(count, most_tets, "tetrahedra", resolution);
}

/// Three tetrahedra of the prism over triangle (a, b, c) with top (A, B, C), counter-clockwise seen from the top. The
/// diagonal of a side goes from the bottom node that comes first in the disc to the other top node, or the other way
/// around if turned, so that neighbours agree.
void add_prism(std::vector<Tetrahedron>& tets, const Triangle& t, const std::array<int, 3>& bottom,
    const std::array<int, 3>& top, bool turned)
{
    std::array<int, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(), [&](int i, int j) { return turned ? t[i] > t[j] : t[i] < t[j]; });
    const auto [i, j, k] = order;
    const bool even = (j - i + 3) % 3 == 1; // the sort kept the sense of rotation
    const auto add = [&](int p0, int p1, int p2, int p3) {
        if (even)
            tets.push_back({p0, p1, p2, p3});
        else
            tets.push_back({p0, p2, p1, p3});
    };
    add(bottom[i], bottom[j], bottom[k], top[k]);
    add(bottom[i], bottom[j], top[k], top[j]);
    add(bottom[i], top[j], top[k], top[i]);
}

/// Prisms between two copies of a disc: node(d) below and above.
template <typename Below, typename Above>
void add_layer(std::vector<Tetrahedron>& tets, const std::vector<Triangle>& disc, const Below& below,
    const Above& above, bool turned)
{
    for (const Triangle& t : disc) {
        add_prism(tets, t, {below(t[0]), below(t[1]), below(t[2])}, {above(t[0]), above(t[1]), above(t[2])}, turned);
    }
}

void add_cell(std::vector<Tetrahedron>& tets, const std::array<int, 8>& c, bool odd)
{
    // Corner number: bit 0 along x, bit 1 along y, bit 2 along z. The regular tetrahedron joins four corners no two of
    // which share an edge.
    constexpr int even_cut[5][4] = {{0, 3, 6, 5}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}};
    for (const auto& t : even_cut) {
        if (odd) // mirrored in x, which turns the sense of rotation
            tets.push_back({c[t[0] ^ 1], c[t[2] ^ 1], c[t[1] ^ 1], c[t[3] ^ 1]});
        else
            tets.push_back({c[t[0]], c[t[1]], c[t[2]], c[t[3]]});
    }
}

TetMesh fill(const Plane&, double)
{
    return {}; // refused by check_sizes
}

TetMesh fill(const Box& box, double resolution)
{
    const Vec3 steps = box.size.unaryExpr([&](double edge) { return step_count(edge, resolution); });
    check_tets(5 * steps.prod(), resolution);
    const std::array<int, 3> n = {static_cast<int>(steps[0]), static_cast<int>(steps[1]), static_cast<int>(steps[2])};
    TetMesh mesh;
    for (int z = 0; z <= n[2]; ++z) {
        for (int y = 0; y <= n[1]; ++y) {
            for (int x = 0; x <= n[0]; ++x) {
                // 2 x - n: opposite nodes are each other's mirror image to the last bit
                const Vec3 odd_steps(2 * x - n[0], 2 * y - n[1], 2 * z - n[2]);
                mesh.nodes.push_back(odd_steps.cwiseProduct(box.size).cwiseQuotient(2 * steps));
            }
        }
    }
    for (int z = 0; z < n[2]; ++z) {
        for (int y = 0; y < n[1]; ++y) {
            for (int x = 0; x < n[0]; ++x) {
                std::array<int, 8> corners;
                for (int i = 0; i < 8; ++i)
                    corners[i] = ((z + (i >> 2)) * (n[1] + 1) + y + (i >> 1 & 1)) * (n[0] + 1) + x + (i & 1);
                add_cell(mesh.tets, corners, (x + y + z) % 2 == 1);
            }
        }
    }
    return mesh;
}

TetMesh fill(const Sphere& sphere, double resolution)
{
    const double n = step_count(sphere.radius, resolution);
    check_tets(20 * n * n * n, resolution);
    TetMesh mesh = refine_cones(icosahedron_patches(), static_cast<int>(n));
    for (Vec3& x : mesh.nodes)
        x *= sphere.radius;
    return mesh;
}

TetMesh fill(const RoundedBox&, double)
{
    throw InputError("shape: a rounded box cannot be cut into tetrahedra yet");
}

TetMesh fill(const Cone&, double)
{
    throw InputError("shape: a cone cannot be cut into tetrahedra yet");
}

TetMesh fill(const Cylinder& cylinder, double resolution)
{
    const double rings = step_count(cylinder.radius, resolution);
    const double layers = step_count(cylinder.height, resolution);
    check_tets(18 * rings * rings * layers, resolution);
    const DiscPattern disc = disc_pattern(static_cast<int>(rings));
    const int size = static_cast<int>(disc.nodes.size());
    TetMesh mesh;
    for (int l = 0; l <= static_cast<int>(layers); ++l) {
        const double y = cylinder.height * (2 * l - layers) / (2 * layers);
        for (const Vec3& x : disc.nodes)
            mesh.nodes.push_back(cylinder.radius * x + y * Vec3::UnitY());
    }
    for (int l = 0; l < static_cast<int>(layers); ++l) {
        add_layer(
            mesh.tets, disc.triangles, [&](int d) { return l * size + d; }, [&](int d) { return (l + 1) * size + d; },
            l % 2 == 1);
    }
    return mesh;
}

/// Adds a half sphere to the nodes of a disc that are in the mesh: cap.nodes with y = 0 are those. side: +1 for y >= 0,
/// -1 for its mirror image.
void add_cap(TetMesh& mesh, const TetMesh& cap, const std::vector<int>& disc_of, int first_disc_node, int side,
    const Capsule& capsule)
{
    std::vector<int> number(cap.nodes.size());
    for (std::size_t i = 0; i < cap.nodes.size(); ++i) {
        if (disc_of[i] >= 0) {
            number[i] = first_disc_node + disc_of[i];
            continue;
        }
        number[i] = static_cast<int>(mesh.nodes.size());
        const Vec3 x = capsule.radius * cap.nodes[i] + 0.5 * capsule.height * Vec3::UnitY();
        mesh.nodes.emplace_back(x[0], side * x[1], x[2]);
    }
    for (const Tetrahedron& t : cap.tets) {
        if (side > 0)
            mesh.tets.push_back({number[t[0]], number[t[1]], number[t[2]], number[t[3]]});
        else
            mesh.tets.push_back({number[t[0]], number[t[2]], number[t[1]], number[t[3]]});
    }
}

TetMesh fill(const Capsule& capsule, double resolution)
{
    const double n = step_count(capsule.radius, resolution);
    // A cylinder shorter than half a step has no layer of its own: the caps share a disc and the elements next to it
    // stretch.
    const double layers = std::round(capsule.height / resolution);
    check_tets(20 * n * n * n + 18 * n * n * layers, resolution);
    const TetMesh cap = refine_cones(half_cuboctahedron_patches(), static_cast<int>(n));

    std::vector<int> disc_of(cap.nodes.size(), -1);
    std::vector<Vec3> disc;
    for (std::size_t i = 0; i < cap.nodes.size(); ++i) {
        if (cap.nodes[i][1] == 0) { // exact: corners on the equator have y = 0
            disc_of[i] = static_cast<int>(disc.size());
            disc.push_back(cap.nodes[i]);
        }
    }
    std::vector<Triangle> triangles;
    for (const Triangle& t : boundary_triangles(cap.tets)) {
        if (disc_of[t[0]] >= 0 && disc_of[t[1]] >= 0 && disc_of[t[2]] >= 0)
            triangles.push_back({disc_of[t[0]], disc_of[t[2]], disc_of[t[1]]}); // seen from above, not from outside
    }

    TetMesh mesh;
    const int size = static_cast<int>(disc.size());
    const int count = static_cast<int>(layers);
    for (int l = 0; l <= count; ++l) {
        const double y = count > 0 ? capsule.height * (2 * l - count) / (2 * layers) : 0;
        for (const Vec3& x : disc)
            mesh.nodes.push_back(capsule.radius * x + y * Vec3::UnitY());
    }
    for (int l = 0; l < count; ++l) {
        add_layer(
            mesh.tets, triangles, [&](int d) { return l * size + d; }, [&](int d) { return (l + 1) * size + d; },
            l % 2 == 1);
    }
    add_cap(mesh, cap, disc_of, count * size, +1, capsule);
    add_cap(mesh, cap, disc_of, 0, -1, capsule);
    return mesh;
}

TetMesh fill(const Torus& torus, double resolution)
{
    const double rings = step_count(torus.minor, resolution);
    // Even: prisms are turned over from section to section. Six: fewer make a prism of a tube.
    const double sections = std::max(6.0, 2 * std::round(std::numbers::pi * torus.major / resolution));
    check_tets(18 * rings * rings * sections, resolution);
    const DiscPattern disc = disc_pattern(static_cast<int>(rings));
    const int size = static_cast<int>(disc.nodes.size());
    const int count = static_cast<int>(sections);
    TetMesh mesh;
    for (int s = 0; s < count; ++s) {
        const double angle = 2 * std::numbers::pi * s / count;
        const Vec3 outward(std::cos(angle), 0, std::sin(angle));
        for (const Vec3& d : disc.nodes) { // z becomes outward, x up, so that the normal y points the way round
            mesh.nodes.push_back((torus.major + torus.minor * d[2]) * outward + torus.minor * d[0] * Vec3::UnitY());
        }
    }
    for (int s = 0; s < count; ++s) {
        const int next = (s + 1) % count;
        add_layer(
            mesh.tets, disc.triangles, [&](int d) { return s * size + d; }, [&](int d) { return next * size + d; },
            s % 2 == 1);
    }
    return mesh;
}

} // namespace

TetMesh tetrahedralize(const Primitive& shape, double resolution)
{
    check_sizes(shape, resolution);
    return std::visit([&](const auto& s) { return fill(s, resolution); }, shape);
}

} // namespace stickslip
