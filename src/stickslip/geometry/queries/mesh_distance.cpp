#include "stickslip/geometry/queries/mesh_distance.h"

#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/angle.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace stickslip {

namespace {

/// One side of one triangle, found by its two vertices.
struct Side {
    Edge ends; // from, to
    int triangle;
    int edge;
};

void require_solid(const TriMesh& mesh)
{
    const std::vector<MeshDefect> defects = find_defects(mesh);
    if (!defects.empty()) {
        std::string text = "mesh does not enclose a solid:";
        for (const MeshDefect& defect : defects)
            text += (text.back() == ':' ? " " : "; ") + defect.text;
        throw InputError(text);
    }
    const double volume = enclosed_volume(mesh);
    if (!(volume > 0)) {
        throw InputError("mesh is inside out or empty: its enclosed volume is " + std::to_string(volume)
            + " m^3; triangles must be counter-clockwise seen from outside");
    }
}

/// across[t][i]: the same edge as seen by the neighbour. Triangle -1: the edge has not just two triangles that run
/// along it in opposite directions.
std::vector<std::array<Side, 3>> neighbour_sides(const std::vector<Triangle>& triangles)
{
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i)
            sides.push_back({{triangles[t][i], triangles[t][(i + 1) % 3]}, static_cast<int>(t), i});
    }
    struct ByEnds {
        bool operator()(const Side& p, const Side& q) const { return p.ends < q.ends; }
    };
    std::sort(sides.begin(), sides.end(), ByEnds());
    std::vector<std::array<Side, 3>> across(triangles.size());
    for (const Side& side : sides) {
        const auto along = std::equal_range(sides.begin(), sides.end(), side, ByEnds());
        const Side back{.ends = {side.ends[1], side.ends[0]}, .triangle = -1, .edge = 0};
        const auto against = std::equal_range(sides.begin(), sides.end(), back, ByEnds());
        const bool are_two = along.second - along.first == 1 && against.second - against.first == 1;
        across[side.triangle][side.edge] = are_two ? *against.first : back;
    }
    return across;
}

/// By vertex: whether its triangles make one closed fan. Two sheets joined only by a vertex have no common pseudonormal
/// there.
std::vector<bool> single_fans(const TriMesh& mesh, const std::vector<std::array<Side, 3>>& across)
{
    std::vector<int> corners(mesh.vertices.size(), 0); // triangles at each vertex
    std::vector<std::array<int, 2>> some(mesh.vertices.size()); // one of them, and its corner
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            ++corners[mesh.triangles[t][i]];
            some[mesh.triangles[t][i]] = {static_cast<int>(t), i};
        }
    }
    std::vector<bool> are_single(mesh.vertices.size(), true);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (corners[v] == 0)
            continue;
        int fan = 0;
        auto [t, i] = some[v];
        do {
            ++fan;
            const Side& next = across[t][i]; // ends at v
            t = next.triangle;
            i = (next.edge + 1) % 3;
        } while (t >= 0 && t != some[v][0]);
        are_single[v] = t >= 0 && fan == corners[v];
    }
    return are_single;
}

void require_single_fans(const std::vector<bool>& are_single)
{
    if (const auto v = std::find(are_single.begin(), are_single.end(), false); v != are_single.end())
        throw InputError("mesh does not enclose a solid: sheets of triangles touch only at vertex "
            + std::to_string(v - are_single.begin()) + "; give each its own vertex");
}

} // namespace

MeshDistance::MeshDistance(const TriMesh& closed_mesh, SharedFeatures shared)
    : mesh_(closed_mesh)
{
    if (shared == SharedFeatures::refused)
        require_solid(mesh_);
    else if (mesh_.triangles.empty())
        throw InputError("mesh does not enclose a solid: it has no triangles");
    const std::vector<std::array<Side, 3>> across = neighbour_sides(mesh_.triangles);
    const std::vector<bool> are_single = single_fans(mesh_, across);
    if (shared == SharedFeatures::refused)
        require_single_fans(are_single);
    std::vector<Bounds> boxes(mesh_.triangles.size());
    face_normal_.resize(mesh_.triangles.size());
    vertex_normal_.assign(mesh_.vertices.size(), Vec3::Zero());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        const Triangle& k = mesh_.triangles[t];
        const std::array<Vec3, 3> x{mesh_.vertices[k[0]], mesh_.vertices[k[1]], mesh_.vertices[k[2]]};
        face_normal_[t] = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
        for (int i = 0; i < 3; ++i) {
            boxes[t].add(x[i]);
            if (are_single[k[i]])
                vertex_normal_[k[i]] += angle_between(x[(i + 1) % 3] - x[i], x[(i + 2) % 3] - x[i]) * face_normal_[t];
        }
    }
    edge_normal_.resize(mesh_.triangles.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            const int other = across[t][i].triangle;
            edge_normal_[t][i] = other < 0 ? Vec3(Vec3::Zero()) : Vec3(face_normal_[t] + face_normal_[other]);
        }
    }
    tree_ = BoxTree(boxes);
}

MeshDistance::Sample MeshDistance::sample(const Vec3& x, double bound) const
{
    const auto closest = [&](int t) {
        const Triangle& k = mesh_.triangles[t];
        return closest_point_on_triangle(x, mesh_.vertices[k[0]], mesh_.vertices[k[1]], mesh_.vertices[k[2]]);
    };
    const auto squared = [&](int t) { return (closest(t).point - x).squaredNorm(); };
    BoxTree::Nearest found = tree_.nearest(x, squared, bound * bound);
    if (found.item < 0)
        found = tree_.nearest(x, squared); // the bound was equal to the distance within rounding
    const TrianglePoint nearest = closest(found.item);
    const Vec3& normal = nearest.feature == TriangleFeature::face ? face_normal_[found.item]
        : nearest.feature == TriangleFeature::edge                ? edge_normal_[found.item][nearest.index]
                                                   : vertex_normal_[mesh_.triangles[found.item][nearest.index]];
    const Vec3 away = x - nearest.point;
    const double side = normal.isZero(0) ? (winds_round(x) ? -1 : 1) : away.dot(normal);
    return {.phi = std::copysign(away.norm(), side), .point = nearest.point};
}

/// Whether the solid angles of the triangles add up to more than half of a sphere.
bool MeshDistance::winds_round(const Vec3& x) const
{
    double sum = 0;
    for (const auto& [i, j, k] : mesh_.triangles) {
        const Vec3 a = mesh_.vertices[i] - x, b = mesh_.vertices[j] - x, c = mesh_.vertices[k] - x;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum > 2 * std::numbers::pi;
}

} // namespace stickslip
