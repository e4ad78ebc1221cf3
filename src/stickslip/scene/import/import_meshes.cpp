#include "stickslip/scene/import/import_meshes.h"

#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/math/disjoint_sets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace stickslip {

namespace {

Vec3 area_vector(const TriMesh& mesh, const Triangle& t)
{
    const Vec3& a = mesh.vertices[t[0]];
    return 0.5 * (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
}

/// The least triangle of those that hang together, for each.
std::vector<int> leaders_over_edges(const std::vector<Triangle>& triangles)
{
    DisjointSets parts(static_cast<int>(triangles.size()));
    std::map<Edge, int> first; // triangle of an edge
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t)
        for (int k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax(triangles[t][k], triangles[t][(k + 1) % 3]);
            parts.join(first.try_emplace(Edge{a, b}, t).first->second, t);
        }
    std::vector<int> leader;
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t)
        leader.push_back(parts.leader(t));
    return leader;
}

/// Distance [m] along the unit vector d from x to the triangle, infinity where it is missed (Moeller and Trumbore).
double ray_distance(const Vec3& x, const Vec3& d, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 e = b - a, f = c - a, p = d.cross(f);
    const double det = e.dot(p);
    if (det == 0)
        return infinity;
    const double u = (x - a).dot(p) / det;
    const Vec3 q = (x - a).cross(e);
    const double v = d.dot(q) / det, s = f.dot(q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && s > 0 ? s : infinity;
}

} // namespace

std::vector<TriMesh> parts_over_edges(const TriMesh& mesh)
{
    const std::vector<int> leader = leaders_over_edges(mesh.triangles);
    std::map<int, TriMesh> parts;
    std::map<int, std::map<int, int>> number; // of a vertex in its part
    for (std::size_t t = 0; t < leader.size(); ++t) {
        TriMesh& part = parts[leader[t]];
        Triangle triangle;
        for (int k = 0; k < 3; ++k) {
            const int v = mesh.triangles[t][k];
            const auto [entry, fresh] = number[leader[t]].try_emplace(v, static_cast<int>(part.vertices.size()));
            if (fresh)
                part.vertices.push_back(mesh.vertices[v]);
            triangle[k] = entry->second;
        }
        part.triangles.push_back(triangle);
    }
    std::vector<TriMesh> result;
    for (auto& [first, part] : parts)
        result.push_back(std::move(part));
    return result;
}

bool is_upright_box(const TriMesh& mesh)
{
    const Bounds box = bounds(mesh.vertices);
    const Vec3 size = box.max - box.min;
    std::set<int> corners;
    for (const Vec3& x : mesh.vertices) {
        int corner = 0;
        for (int i = 0; i < 3; ++i) {
            const double low = x[i] - box.min[i], high = box.max[i] - x[i];
            if (std::min(low, high) > 1e-9 * size.maxCoeff())
                return false;
            corner |= (high < low) << i;
        }
        corners.insert(corner);
    }
    return size.minCoeff() > 0 && corners.size() == 8 && is_closed(mesh.triangles);
}

std::optional<ImportedSheet> as_sheet(const TriMesh& mesh)
{
    ImportedSheet sheet{.box = bounds(mesh.vertices)};
    const Vec3 size = sheet.box.max - sheet.box.min;
    if ((size.array() == 0).count() != 1)
        return std::nullopt;
    size.minCoeff(&sheet.axis);
    double facing = 0; // area that looks along the axis, less what looks back
    for (const Triangle& t : mesh.triangles)
        facing += area_vector(mesh, t)[sheet.axis];
    const double rectangle = size[(sheet.axis + 1) % 3] * size[(sheet.axis + 2) % 3];
    if (std::abs(surface_area(mesh) - rectangle) > 1e-9 * rectangle)
        return std::nullopt;
    sheet.looks_up = facing >= 0;
    return sheet;
}

double smallest_thickness(const TriMesh& mesh)
{
    constexpr std::size_t most_rays = 2000;
    constexpr double away = 0.9; // cosine of 25 degrees
    const Bounds box = bounds(mesh.vertices);
    const double size = (box.max - box.min).norm();
    std::vector<Bounds> boxes(mesh.triangles.size());
    for (std::size_t t = 0; t < boxes.size(); ++t)
        for (const int v : mesh.triangles[t])
            boxes[t].add(mesh.vertices[v]);
    const BoxTree tree(boxes);
    double smallest = (box.max - box.min).minCoeff();
    const std::size_t stride = 1 + mesh.triangles.size() / most_rays;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += stride) {
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec3 x = (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
        const Vec3 in = -area_vector(mesh, mesh.triangles[t]).normalized();
        Bounds reach;
        reach.add(x);
        reach.add(x + std::min(size, smallest) * in);
        double nearest = smallest;
        bool faces_back = false;
        tree.visit_overlapping(reach, [&](int other) {
            const auto& [i, j, k] = mesh.triangles[other];
            const double s = ray_distance(x, in, mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
            if (other == static_cast<int>(t) || !(s > 1e-9 * size && s < nearest))
                return;
            nearest = s;
            faces_back = in.dot(area_vector(mesh, mesh.triangles[other]).normalized()) > away;
        });
        if (faces_back)
            smallest = nearest;
    }
    return smallest;
}

double edge_length(const TriMesh& mesh)
{
    double length = 0;
    for (const Triangle& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            length += 0.5 * (mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm(); // each belongs to two
    return length;
}

double surface_area(const TriMesh& mesh)
{
    double area = 0;
    for (const Triangle& t : mesh.triangles)
        area += area_vector(mesh, t).norm();
    return area;
}

} // namespace stickslip
