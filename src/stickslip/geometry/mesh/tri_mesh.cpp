#include "stickslip/geometry/mesh/tri_mesh.h"

#include "stickslip/geometry/mesh/defect_list.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace stickslip {

namespace {

struct HalfEdge {
    Edge key; // ascending
    int triangle;
    bool forward; // the triangle runs from key[0] to key[1]
    bool operator<(const HalfEdge& o) const { return std::tie(key, triangle) < std::tie(o.key, o.triangle); }
};

/// All sides of all triangles, those of one edge next to each other.
std::vector<HalfEdge> sorted_half_edges(const std::vector<Triangle>& triangles)
{
    std::vector<HalfEdge> sides(3 * triangles.size());
    parallel_for(triangles.size(), [&](std::size_t t) {
        for (int i = 0; i < 3; ++i) {
            const int a = triangles[t][i];
            const int b = triangles[t][(i + 1) % 3];
            sides[3 * t + i] = {
                .key = {std::min(a, b), std::max(a, b)}, .triangle = static_cast<int>(t), .forward = a < b};
        }
    });
    std::sort(sides.begin(), sides.end());
    return sides;
}

/// Calls group(first, last) for each edge.
template <typename Group>
void for_each_edge(const std::vector<HalfEdge>& sides, const Group& group)
{
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t j = i + 1;
        while (j < sides.size() && sides[j].key == sides[i].key)
            ++j;
        group(i, j);
        i = j;
    }
}

std::string surface_defect_title(MeshDefectKind kind)
{
    switch (kind) {
    case MeshDefectKind::index_out_of_range:
        return "triangles with a vertex number out of range";
    case MeshDefectKind::not_finite:
        return "vertices with a coordinate that is not finite";
    case MeshDefectKind::repeated_node:
        return "triangles with a repeated vertex";
    case MeshDefectKind::flat:
        return "triangles without area";
    case MeshDefectKind::open_edge:
        return "open edges";
    case MeshDefectKind::overfull_edge:
        return "edges of more than two triangles";
    default:
        return "edges whose two triangles face opposite sides";
    }
}

std::string triangle_name(int t)
{
    return "triangle " + std::to_string(t);
}

void check_triangle(const TriMesh& mesh, int t, DefectList& defects)
{
    const Triangle& tri = mesh.triangles[t];
    for (int v : tri) {
        if (v < 0 || v >= static_cast<int>(mesh.vertices.size())) {
            defects.add(
                MeshDefectKind::index_out_of_range, triangle_name(t) + " (vertex " + std::to_string(v) + ")", {t});
            return;
        }
    }
    if (tri[0] == tri[1] || tri[1] == tri[2] || tri[2] == tri[0]) {
        defects.add(MeshDefectKind::repeated_node, triangle_name(t), {t});
        return;
    }
    const Vec3 a = mesh.vertices[tri[1]] - mesh.vertices[tri[0]];
    const Vec3 b = mesh.vertices[tri[2]] - mesh.vertices[tri[0]];
    const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (a - b).squaredNorm()});
    if (a.cross(b).norm() <= 1e-12 * longest)
        defects.add(MeshDefectKind::flat, triangle_name(t), {t});
}

void check_edge(const std::vector<HalfEdge>& sides, std::size_t first, std::size_t last, DefectList& defects)
{
    const HalfEdge& side = sides[first];
    if (side.key[0] == side.key[1])
        return; // repeated vertex: reported
    std::string text = "edge " + std::to_string(side.key[0]) + "-" + std::to_string(side.key[1]) + " of triangle";
    std::vector<int> owners;
    for (std::size_t i = first; i < last; ++i) {
        owners.push_back(sides[i].triangle);
        if (i < first + 5) // enough to find the place
            text += " " + std::to_string(sides[i].triangle);
    }
    if (last - first == 1)
        defects.add(MeshDefectKind::open_edge, text, owners);
    else if (last - first > 2)
        defects.add(MeshDefectKind::overfull_edge, text, owners);
    else if (side.forward == sides[first + 1].forward)
        defects.add(MeshDefectKind::misoriented_edge, text, owners);
}

} // namespace

std::vector<MeshDefect> find_defects(const TriMesh& mesh)
{
    DefectList defects;
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v) {
        if (!mesh.vertices[v].allFinite())
            defects.add(MeshDefectKind::not_finite, "vertex " + std::to_string(v), {v});
    }
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
        check_triangle(mesh, t, defects);
    const std::vector<HalfEdge> sides = sorted_half_edges(mesh.triangles);
    for_each_edge(sides, [&](std::size_t first, std::size_t last) { check_edge(sides, first, last, defects); });
    return defects.finish(surface_defect_title);
}

bool is_closed(const std::vector<Triangle>& triangles)
{
    const std::vector<HalfEdge> sides = sorted_half_edges(triangles);
    bool closed = !triangles.empty();
    for_each_edge(sides, [&](std::size_t first, std::size_t last) {
        closed = closed && last - first == 2 && sides[first].forward != sides[first + 1].forward;
    });
    return closed;
}

double enclosed_volume(const TriMesh& mesh)
{
    if (mesh.vertices.empty())
        return 0;
    const Vec3& origin = mesh.vertices[0]; // near the surface: less cancellation for a mesh far from 0
    return ordered_sum(mesh.triangles.size(), 0.0, [&](std::size_t t) {
        const Triangle& k = mesh.triangles[t];
        const Vec3 a = mesh.vertices[k[0]] - origin;
        return a.cross(mesh.vertices[k[1]] - origin).dot(mesh.vertices[k[2]] - origin) / 6;
    });
}

double mean_thickness(const TriMesh& mesh)
{
    double area = 0;
    for (const auto& [i, j, k] : mesh.triangles)
        area += 0.5 * (mesh.vertices[j] - mesh.vertices[i]).cross(mesh.vertices[k] - mesh.vertices[i]).norm();
    return 2 * enclosed_volume(mesh) / area;
}

Bounds bounds(const std::vector<Vec3>& vertices)
{
    Bounds box;
    for (const Vec3& x : vertices)
        box.add(x);
    return box;
}

} // namespace stickslip
