#include "stickslip/geometry/mesh/tet_mesh.h"

#include "stickslip/geometry/mesh/defect_list.h"
#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>

namespace stickslip {

namespace {

constexpr int face_nodes[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}; // outward
constexpr double flat_volume = 1e-12; // [-] 6 V over the cube of the longest edge: below, its sign is rounding
constexpr int edge_nodes[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

struct Face {
    Triangle key; // ascending
    int tet, local;
    bool operator<(const Face& o) const { return std::tie(key, tet, local) < std::tie(o.key, o.tet, o.local); }
};

/// All faces of the tetrahedra, equal ones next to each other.
std::vector<Face> sorted_faces(const std::vector<Tetrahedron>& tets)
{
    std::vector<Face> faces(4 * tets.size());
    parallel_for(tets.size(), [&](std::size_t t) {
        for (int f = 0; f < 4; ++f) {
            Triangle key = {tets[t][face_nodes[f][0]], tets[t][face_nodes[f][1]], tets[t][face_nodes[f][2]]};
            std::sort(key.begin(), key.end());
            faces[4 * t + f] = {.key = key, .tet = static_cast<int>(t), .local = f};
        }
    });
    std::sort(faces.begin(), faces.end());
    return faces;
}

/// Calls group(first, last) for each run of equal faces.
template <typename Group>
void for_each_face(const std::vector<Face>& faces, const Group& group)
{
    for (std::size_t i = 0; i < faces.size();) {
        std::size_t j = i + 1;
        while (j < faces.size() && faces[j].key == faces[i].key)
            ++j;
        group(i, j);
        i = j;
    }
}

/// Interior angles between the faces at the six edges: smallest and largest [rad].
std::array<double, 2> dihedral_range(const std::vector<Vec3>& nodes, const Tetrahedron& tet)
{
    Vec3 normal[4];
    for (int f = 0; f < 4; ++f) {
        const Vec3& a = nodes[tet[face_nodes[f][0]]];
        normal[f] = (nodes[tet[face_nodes[f][1]]] - a).cross(nodes[tet[face_nodes[f][2]]] - a);
    }
    std::array<double, 2> range = {std::numbers::pi, 0};
    for (int f = 0; f < 4; ++f) {
        for (int g = f + 1; g < 4; ++g) {
            const double angle = std::atan2(normal[f].cross(normal[g]).norm(), -normal[f].dot(normal[g]));
            range = {std::min(range[0], angle), std::max(range[1], angle)};
        }
    }
    return range;
}

std::vector<Edge> unique_edges(const std::vector<Tetrahedron>& tets)
{
    std::vector<Edge> edges;
    edges.reserve(6 * tets.size());
    for (const Tetrahedron& t : tets) {
        for (const auto& e : edge_nodes)
            edges.push_back({std::min(t[e[0]], t[e[1]]), std::max(t[e[0]], t[e[1]])});
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

std::string tet_defect_title(MeshDefectKind kind)
{
    switch (kind) {
    case MeshDefectKind::index_out_of_range:
        return "tetrahedra with a node number out of range";
    case MeshDefectKind::not_finite:
        return "nodes with a coordinate that is not finite";
    case MeshDefectKind::repeated_node:
        return "tetrahedra with a repeated node";
    case MeshDefectKind::inverted:
        return "inverted tetrahedra";
    case MeshDefectKind::flat:
        return "tetrahedra without volume";
    case MeshDefectKind::duplicate:
        return "tetrahedra that occur more than once";
    case MeshDefectKind::overfull_face:
        return "faces of more than two tetrahedra";
    case MeshDefectKind::same_side:
        return "tetrahedra on the same side of a face that they share";
    case MeshDefectKind::dangling:
        return "tetrahedra that share no face with the largest piece of the mesh";
    default:
        return "nodes that belong to no tetrahedron";
    }
}

std::string tet_name(int t)
{
    return "tetrahedron " + std::to_string(t);
}

/// One tetrahedron by itself. True if its indices may be used.
bool check_tet(const TetMesh& mesh, int t, DefectList& defects)
{
    const Tetrahedron& tet = mesh.tets[t];
    const int count = static_cast<int>(mesh.nodes.size());
    for (int n : tet) {
        if (n < 0 || n >= count) {
            defects.add(MeshDefectKind::index_out_of_range, tet_name(t) + " (node " + std::to_string(n) + ")", {t});
            return false;
        }
    }
    Tetrahedron sorted = tet;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        defects.add(MeshDefectKind::repeated_node, tet_name(t), {t});
        return true; // it has no volume either: said once
    }
    double longest = 0;
    for (const auto& e : edge_nodes)
        longest = std::max(longest, (mesh.nodes[tet[e[0]]] - mesh.nodes[tet[e[1]]]).norm());
    const double volume = tet_volume(mesh.nodes, tet);
    if (!std::isfinite(volume))
        return true; // its node is reported
    if (6 * std::abs(volume) <= flat_volume * longest * longest * longest)
        defects.add(MeshDefectKind::flat, tet_name(t), {t});
    else if (volume < 0)
        defects.add(MeshDefectKind::inverted, tet_name(t), {t});
    return true;
}

void check_duplicates(const std::vector<Tetrahedron>& tets, DefectList& defects)
{
    std::vector<std::pair<Tetrahedron, int>> keys(tets.size());
    for (std::size_t t = 0; t < tets.size(); ++t) {
        keys[t] = {tets[t], static_cast<int>(t)};
        std::sort(keys[t].first.begin(), keys[t].first.end());
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].first == keys[i - 1].first) {
            const int a = keys[i - 1].second;
            const int b = keys[i].second;
            defects.add(MeshDefectKind::duplicate, tet_name(b) + " (same as " + std::to_string(a) + ")", {a, b});
        }
    }
}

/// Whether the nodes of a face, outward for a tetrahedron of positive volume, are an even permutation of its key.
bool runs_as_key(const Face& face, const std::vector<Tetrahedron>& tets)
{
    const Tetrahedron& t = tets[face.tet];
    const auto& [a, b, c] = face_nodes[face.local];
    const int falls = (t[a] > t[b]) + (t[b] > t[c]) + (t[a] > t[c]);
    return falls % 2 == 0;
}

/// Of two tetrahedra that share a face, with volumes that count.
bool are_on_one_side(const Face& f, const Face& g, const TetMesh& mesh)
{
    const Tetrahedron &t = mesh.tets[f.tet], &u = mesh.tets[g.tet];
    const auto is_tall = [&](const Tetrahedron& tet) { // else it is reported as flat or inverted
        double longest = 0;
        for (const auto& e : edge_nodes)
            longest = std::max(longest, (mesh.nodes[tet[e[0]]] - mesh.nodes[tet[e[1]]]).norm());
        return 6 * tet_volume(mesh.nodes, tet) > flat_volume * longest * longest * longest;
    };
    return runs_as_key(f, mesh.tets) == runs_as_key(g, mesh.tets) && !std::is_permutation(t.begin(), t.end(), u.begin())
        && is_tall(t) && is_tall(u);
}

/// in_range: all numbers of nodes are.
void check_faces(const TetMesh& mesh, bool in_range, DefectList& defects)
{
    const std::vector<Face> faces = sorted_faces(mesh.tets);
    for_each_face(faces, [&](std::size_t first, std::size_t last) {
        if (last - first == 1)
            return;
        if (last - first == 2) {
            const int t = faces[first].tet, u = faces[first + 1].tet;
            if (in_range && are_on_one_side(faces[first], faces[first + 1], mesh))
                defects.add(MeshDefectKind::same_side, tet_name(u) + " (and " + std::to_string(t) + ")", {t, u});
            return;
        }
        const Triangle& k = faces[first].key;
        std::string text =
            "face " + std::to_string(k[0]) + "-" + std::to_string(k[1]) + "-" + std::to_string(k[2]) + " of tetrahedra";
        std::vector<int> owners;
        for (std::size_t i = first; i < last; ++i) {
            owners.push_back(faces[i].tet);
            if (i < first + 5) // enough to find the place
                text += " " + std::to_string(faces[i].tet);
        }
        defects.add(MeshDefectKind::overfull_face, text, owners);
    });
}

/// Pieces of the mesh that hang together over faces; of several as large the one of the first tetrahedron counts.
void check_pieces(const std::vector<Tetrahedron>& tets, DefectList& defects)
{
    std::vector<int> root(tets.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int t) {
        while (root[t] != t)
            t = root[t] = root[root[t]];
        return t;
    };
    const std::vector<Face> faces = sorted_faces(tets);
    for_each_face(faces, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first + 1; i < last; ++i) {
            const int a = find(faces[first].tet), b = find(faces[i].tet);
            root[std::max(a, b)] = std::min(a, b);
        }
    });
    std::vector<int> size(tets.size());
    for (std::size_t t = 0; t < tets.size(); ++t)
        ++size[find(static_cast<int>(t))];
    const int largest = static_cast<int>(std::max_element(size.begin(), size.end()) - size.begin());
    for (int t = 0; t < static_cast<int>(tets.size()); ++t)
        if (find(t) != largest)
            defects.add(MeshDefectKind::dangling, tet_name(t), {t});
}

} // namespace

double tet_volume(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3)
{
    return (p1 - p0).cross(p2 - p0).dot(p3 - p0) / 6;
}

double tet_volume(const std::vector<Vec3>& nodes, const Tetrahedron& tet)
{
    return tet_volume(nodes[tet[0]], nodes[tet[1]], nodes[tet[2]], nodes[tet[3]]);
}

double total_volume(const TetMesh& mesh)
{
    return ordered_sum(mesh.tets.size(), 0.0, [&](std::size_t t) { return tet_volume(mesh.nodes, mesh.tets[t]); });
}

std::vector<Triangle> boundary_triangles(const std::vector<Tetrahedron>& tets)
{
    const std::vector<Face> faces = sorted_faces(tets);
    std::vector<std::array<int, 2>> single; // tetrahedron, face of it
    for_each_face(faces, [&](std::size_t first, std::size_t last) {
        if (last - first == 1)
            single.push_back({faces[first].tet, faces[first].local});
    });
    std::sort(single.begin(), single.end());
    std::vector<Triangle> triangles;
    triangles.reserve(single.size());
    for (const auto& [t, f] : single)
        triangles.push_back({tets[t][face_nodes[f][0]], tets[t][face_nodes[f][1]], tets[t][face_nodes[f][2]]});
    return triangles;
}

std::vector<int> surface_nodes(const std::vector<Tetrahedron>& tets)
{
    std::vector<int> nodes;
    for (const Triangle& t : boundary_triangles(tets))
        nodes.insert(nodes.end(), t.begin(), t.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

double mean_ratio(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3)
{
    const double volume = tet_volume(p0, p1, p2, p3);
    const double squares = (p1 - p0).squaredNorm() + (p2 - p0).squaredNorm() + (p3 - p0).squaredNorm()
        + (p2 - p1).squaredNorm() + (p3 - p1).squaredNorm() + (p3 - p2).squaredNorm();
    return volume > 0 && squares > 0 ? 12 * std::pow(3 * volume, 2.0 / 3) / squares : 0;
}

TetQuality tet_quality(const TetMesh& mesh)
{
    STICKSLIP_ASSERT(!mesh.tets.empty());
    const std::size_t count = mesh.tets.size();
    std::vector<double> ratio(count);
    std::vector<std::array<double, 2>> dihedral(count);
    parallel_for(count, [&](std::size_t t) {
        const Tetrahedron& k = mesh.tets[t];
        ratio[t] = mean_ratio(mesh.nodes[k[0]], mesh.nodes[k[1]], mesh.nodes[k[2]], mesh.nodes[k[3]]);
        dihedral[t] = dihedral_range(mesh.nodes, k);
    });
    TetQuality q = {.min_ratio = 1,
        .mean_ratio = 0,
        .min_dihedral = 180,
        .max_dihedral = 0,
        .min_edge = infinity,
        .mean_edge = 0,
        .max_edge = 0};
    constexpr double degrees = 180 / std::numbers::pi;
    for (std::size_t t = 0; t < count; ++t) {
        q.min_ratio = std::min(q.min_ratio, ratio[t]);
        q.mean_ratio += ratio[t] / static_cast<double>(count);
        q.min_dihedral = std::min(q.min_dihedral, degrees * dihedral[t][0]);
        q.max_dihedral = std::max(q.max_dihedral, degrees * dihedral[t][1]);
    }
    const std::vector<Edge> edges = unique_edges(mesh.tets);
    for (const Edge& e : edges) {
        const double length = (mesh.nodes[e[1]] - mesh.nodes[e[0]]).norm();
        q.min_edge = std::min(q.min_edge, length);
        q.mean_edge += length / static_cast<double>(edges.size());
        q.max_edge = std::max(q.max_edge, length);
    }
    return q;
}

std::vector<MeshDefect> find_defects(const TetMesh& mesh)
{
    DefectList defects;
    std::vector<char> used(mesh.nodes.size(), 0);
    bool in_range = true;
    for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t) {
        if (!check_tet(mesh, t, defects)) {
            in_range = false;
            continue;
        }
        for (int n : mesh.tets[t])
            used[n] = 1;
    }
    for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n) {
        if (!mesh.nodes[n].allFinite())
            defects.add(MeshDefectKind::not_finite, "node " + std::to_string(n), {n});
        if (!used[n] && in_range) // with wrong numbers about, "unused" would be a guess
            defects.add(MeshDefectKind::unused_node, "node " + std::to_string(n), {n});
    }
    check_duplicates(mesh.tets, defects);
    check_faces(mesh, in_range, defects);
    if (in_range)
        check_pieces(mesh.tets, defects);
    return defects.finish(tet_defect_title);
}

} // namespace stickslip
