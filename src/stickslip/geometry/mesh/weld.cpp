#include "stickslip/geometry/mesh/weld.h"

#include "stickslip/geometry/mesh/defect_list.h"
#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace stickslip {

namespace {

constexpr Triangle left_out = {-1, -1, -1};

void require_valid(const TriMesh& mesh)
{
    const int count = static_cast<int>(mesh.vertices.size());
    for (int v = 0; v < count; ++v) {
        if (!mesh.vertices[v].allFinite())
            throw InputError("vertex " + std::to_string(v) + " of the surface is not finite");
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int v : mesh.triangles[t]) {
            if (v < 0 || v >= count) {
                throw InputError("triangle " + std::to_string(t) + " of the surface names vertex " + std::to_string(v)
                    + " of " + std::to_string(count));
            }
        }
    }
}

int root(std::vector<int>& parent, int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/// For each vertex the lowest number at its place.
std::vector<int> lowest_at_place(const std::vector<Vec3>& vertices, double distance)
{
    const Vec3 half = Vec3::Constant(distance / 2);
    std::vector<Bounds> boxes(vertices.size());
    for (std::size_t v = 0; v < vertices.size(); ++v)
        boxes[v] = {.min = vertices[v] - half, .max = vertices[v] + half};
    const BoxTree tree(boxes);
    std::vector<int> parent(vertices.size());
    std::iota(parent.begin(), parent.end(), 0);
    for (int v = 0; v < static_cast<int>(vertices.size()); ++v) {
        tree.visit_overlapping(boxes[v], [&](int other) {
            if (other >= v || !boxes[other].overlaps(boxes[v]))
                return;
            const int a = root(parent, other), b = root(parent, v);
            parent[std::max(a, b)] = std::min(a, b);
        });
    }
    for (int v = 0; v < static_cast<int>(parent.size()); ++v)
        parent[v] = root(parent, v);
    return parent;
}

bool without_area(const Triangle& t, const std::vector<Vec3>& vertices)
{
    const Vec3 a = vertices[t[1]] - vertices[t[0]];
    const Vec3 b = vertices[t[2]] - vertices[t[0]];
    const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (a - b).squaredNorm()});
    return a.cross(b).norm() <= 1e-12 * longest;
}

/// Facets with the same three vertices, two of a kind.
struct Repeats {
    std::vector<std::array<int, 2>> same; // one that is left out, and the first of those like it
    std::vector<std::array<int, 2>> opposite; // both are left out
};

/// Whether its vertices are an even permutation of their order: which way it is wound.
bool is_even(const Triangle& t)
{
    return ((t[0] > t[1]) + (t[0] > t[2]) + (t[1] > t[2])) % 2 == 0;
}

/// In the order of the mesh. `encloses`: facets of opposite winding go in pairs.
Repeats find_repeats(const std::vector<Triangle>& facets, bool encloses)
{
    std::map<Triangle, std::array<std::vector<int>, 2>> known; // by their vertices, ascending, and by their winding
    for (int t = 0; t < static_cast<int>(facets.size()); ++t) {
        if (facets[t] == left_out)
            continue;
        Triangle key = facets[t];
        std::sort(key.begin(), key.end());
        known[key][encloses && is_even(facets[t])].push_back(t);
    }
    Repeats repeats;
    for (auto& [key, facing] : known) {
        auto& [these, those] = facing;
        const std::size_t pairs = std::min(these.size(), those.size());
        for (std::size_t i = 0; i < pairs; ++i)
            repeats.opposite.push_back({std::min(these[i], those[i]), std::max(these[i], those[i])});
        for (const std::vector<int>* like : {&these, &those})
            for (std::size_t i = pairs + 1; i < like->size(); ++i)
                repeats.same.push_back({(*like)[i], (*like)[pairs]});
    }
    std::sort(repeats.same.begin(), repeats.same.end());
    std::sort(repeats.opposite.begin(), repeats.opposite.end());
    return repeats;
}

std::string weld_defect_title(MeshDefectKind kind)
{
    switch (kind) {
    case MeshDefectKind::repeated_node:
        return "triangles with a repeated vertex, left out";
    case MeshDefectKind::flat:
        return "triangles without area, left out";
    case MeshDefectKind::duplicate:
        return "triangles given twice, left out";
    case MeshDefectKind::opposite:
        return "pairs of triangles on one another that look to opposite sides, so that they bound nothing, left out";
    default:
        return "vertices at the place of another, not welded";
    }
}

} // namespace

WeldedFacets weld(const TriMesh& mesh, double distance, bool encloses)
{
    require_valid(mesh);
    DefectList defects;
    WeldedFacets result{.vertex = lowest_at_place(mesh.vertices, std::max(distance, 0.0)), .facets = mesh.triangles};
    for (int v = 0; v < static_cast<int>(result.vertex.size()); ++v) {
        if (result.vertex[v] == v)
            continue;
        if (distance >= 0) {
            ++result.welded;
        } else {
            defects.add(MeshDefectKind::unwelded_node,
                "vertex " + std::to_string(v) + " at " + std::to_string(result.vertex[v]), {v});
            result.vertex[v] = v;
        }
    }
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
        Triangle& facet = result.facets[t];
        for (int& v : facet)
            v = result.vertex[v];
        const std::string name = "triangle " + std::to_string(t);
        if (facet[0] == facet[1] || facet[1] == facet[2] || facet[2] == facet[0]) {
            defects.add(MeshDefectKind::repeated_node, name, {t});
            facet = left_out;
        } else if (without_area(facet, mesh.vertices)) {
            defects.add(MeshDefectKind::flat, name, {t});
            facet = left_out;
        }
    }
    const Repeats repeats = find_repeats(result.facets, encloses);
    for (const auto& [again, first] : repeats.same) {
        defects.add(
            MeshDefectKind::duplicate, "triangle " + std::to_string(again) + " like " + std::to_string(first), {again});
        result.facets[again] = left_out;
    }
    for (const auto& [one, other] : repeats.opposite) {
        defects.add(
            MeshDefectKind::opposite, "triangle " + std::to_string(one) + " on " + std::to_string(other), {one, other});
        result.facets[one] = result.facets[other] = left_out;
    }
    result.defects = defects.finish(weld_defect_title);
    return result;
}

TriMesh welded(const TriMesh& mesh, double distance)
{
    require_valid(mesh);
    const std::vector<int> lowest = lowest_at_place(mesh.vertices, distance);
    const int count = static_cast<int>(lowest.size());
    TriMesh result;
    std::vector<int> number(mesh.vertices.size());
    for (int v = 0; v < count; ++v) { // the lowest comes first
        if (lowest[v] == v) {
            number[v] = static_cast<int>(result.vertices.size());
            result.vertices.push_back(mesh.vertices[v]);
        } else {
            number[v] = number[lowest[v]];
        }
    }
    const auto is_narrow = [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; };
    for (const Triangle& before : mesh.triangles) {
        const Triangle t = {number[before[0]], number[before[1]], number[before[2]]};
        if (!is_narrow(t) || is_narrow(before))
            result.triangles.push_back(t);
    }
    return result;
}

double usual_weld(const std::vector<Vec3>& vertices)
{
    if (vertices.empty())
        return 0;
    const Bounds box = bounds(vertices);
    return 1e-6 * (box.max - box.min).norm();
}

} // namespace stickslip
