#include "stickslip/geometry/queries/mesh_distance.h"

#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/angle.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
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

/// across[t][i]: the same edge as seen by the neighbour. Pre: closed and oriented.
std::vector<std::array<Side, 3>> neighbours(const std::vector<Triangle>& triangles)
{
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i)
            sides.push_back({{triangles[t][i], triangles[t][(i + 1) % 3]}, static_cast<int>(t), i});
    }
    std::sort(sides.begin(), sides.end(), [](const Side& p, const Side& q) { return p.ends < q.ends; });
    std::vector<std::array<Side, 3>> across(triangles.size());
    for (const Side& side : sides) {
        const Edge back{side.ends[1], side.ends[0]};
        across[side.triangle][side.edge] = *std::lower_bound(
            sides.begin(), sides.end(), back, [](const Side& p, const Edge& ends) { return p.ends < ends; });
    }
    return across;
}

/// Two sheets joined only by a vertex have no common pseudonormal there.
void require_single_fans(const TriMesh& mesh, const std::vector<std::array<Side, 3>>& across)
{
    std::vector<int> corners(mesh.vertices.size(), 0); // triangles at each vertex
    std::vector<std::array<int, 2>> some(mesh.vertices.size()); // one of them, and its corner
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            ++corners[mesh.triangles[t][i]];
            some[mesh.triangles[t][i]] = {static_cast<int>(t), i};
        }
    }
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
        } while (t != some[v][0]);
        if (fan != corners[v]) {
            throw InputError("mesh does not enclose a solid: sheets of triangles touch only at vertex "
                + std::to_string(v) + "; give each its own vertex");
        }
    }
}

} // namespace

MeshDistance::MeshDistance(const TriMesh& closed_mesh)
    : mesh_(closed_mesh)
{
    require_solid(mesh_);
    const std::vector<std::array<Side, 3>> across = neighbours(mesh_.triangles);
    require_single_fans(mesh_, across);
    std::vector<Bounds> boxes(mesh_.triangles.size());
    face_normal_.resize(mesh_.triangles.size());
    vertex_normal_.assign(mesh_.vertices.size(), Vec3::Zero());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        const Triangle& k = mesh_.triangles[t];
        const std::array<Vec3, 3> x{mesh_.vertices[k[0]], mesh_.vertices[k[1]], mesh_.vertices[k[2]]};
        face_normal_[t] = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
        for (int i = 0; i < 3; ++i) {
            boxes[t].add(x[i]);
            vertex_normal_[k[i]] += angle_between(x[(i + 1) % 3] - x[i], x[(i + 2) % 3] - x[i]) * face_normal_[t];
        }
    }
    edge_normal_.resize(mesh_.triangles.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i)
            edge_normal_[t][i] = face_normal_[t] + face_normal_[across[t][i].triangle];
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
    return {.phi = std::copysign(away.norm(), away.dot(normal)), .point = nearest.point};
}

} // namespace stickslip
