#include "stickslip/bodies/deformable.h"

#include "stickslip/math/angle.h"
#include "stickslip/math/lanes.h"

#include <Eigen/LU>

#include <algorithm>
#include <numbers>
#include <set>

namespace stickslip {

namespace {

template <typename Element>
void list_corners(
    const std::vector<Element>& elements, std::size_t nodes, std::vector<int>& begin, std::vector<int>& list)
{
    constexpr int corners = static_cast<int>(std::tuple_size_v<Element>);
    begin.assign(nodes + 1, 0);
    for (const Element& element : elements)
        for (const int node : element)
            ++begin[node + 1];
    for (std::size_t i = 0; i < nodes; ++i)
        begin[i + 1] += begin[i];
    list.assign(begin[nodes], 0);
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (int corner = 0; corner < corners; ++corner)
            list[next[elements[e][corner]]++] = corners * static_cast<int>(e) + corner;
}

double mean_edge_length(const TetMesh& mesh)
{
    std::set<Edge> edges;
    for (const Tetrahedron& t : mesh.tets)
        for (int a = 0; a < 4; ++a)
            for (int b = a + 1; b < 4; ++b)
                edges.insert({std::min(t[a], t[b]), std::max(t[a], t[b])});
    double sum = 0;
    for (const Edge& e : edges)
        sum += (mesh.nodes[e[0]] - mesh.nodes[e[1]]).norm();
    return sum / static_cast<double>(edges.size());
}

void add_elements(DeformableSet& set, DeformableBody& body, const TetMesh& mesh, int material)
{
    const int first = body.nodes.begin;
    const double density = set.materials[material].density;
    for (const Tetrahedron& t : mesh.tets) {
        Mat3 edges;
        for (int c = 0; c < 3; ++c)
            edges.col(c) = mesh.nodes[t[c + 1]] - mesh.nodes[t[0]];
        const double volume = edges.determinant() / 6;
        set.tets.push_back({first + t[0], first + t[1], first + t[2], first + t[3]});
        set.rest_inverse.push_back(edges.inverse());
        set.volume.push_back(volume);
        set.material_of_tet.push_back(material);
        for (const int node : t)
            set.mass[first + node] += 0.25 * density * volume;
        body.mass += density * volume;
    }
}

void add_surface(DeformableSet& set, DeformableBody& body, const TetMesh& mesh)
{
    const int first = body.nodes.begin;
    std::vector<bool> on_surface(mesh.nodes.size(), false);
    for (const Triangle& t : boundary_triangles(mesh.tets)) {
        const double area =
            0.5 * (mesh.nodes[t[1]] - mesh.nodes[t[0]]).cross(mesh.nodes[t[2]] - mesh.nodes[t[0]]).norm();
        body.surface_area += area;
        for (const int node : t) {
            set.nodal_area[first + node] += area / 3;
            on_surface[node] = true;
        }
        set.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    for (std::size_t i = 0; i < on_surface.size(); ++i)
        if (on_surface[i])
            set.surface_nodes.push_back(first + static_cast<int>(i));
}

} // namespace

int add_deformable(DeformableSet& set, const std::string& name, const TetMesh& mesh, const ElasticMaterial& material)
{
    const auto size_of = [](const auto& v) { return static_cast<int>(v.size()); };
    DeformableBody body;
    body.name = name;
    body.nodes.begin = size_of(set.rest);
    body.tets.begin = size_of(set.tets);
    body.triangles.begin = size_of(set.triangles);
    body.surface_nodes.begin = size_of(set.surface_nodes);
    body.element_size = mean_edge_length(mesh);

    set.rest.insert(set.rest.end(), mesh.nodes.begin(), mesh.nodes.end());
    set.mass.resize(set.rest.size(), 0.0);
    set.nodal_area.resize(set.rest.size(), 0.0);
    set.body_of_node.resize(set.rest.size(), size_of(set.bodies));
    set.materials.push_back(material);
    add_elements(set, body, mesh, size_of(set.materials) - 1);
    add_surface(set, body, mesh);

    body.nodes.end = size_of(set.rest);
    body.tets.end = size_of(set.tets);
    body.triangles.end = size_of(set.triangles);
    body.surface_nodes.end = size_of(set.surface_nodes);
    set.bodies.push_back(body);
    return size_of(set.bodies) - 1;
}

void show_triangles(DeformableSet& set, int body, EdgeRule rule)
{
    DeformableBody& b = set.bodies[body];
    const auto first = set.surface_nodes.begin() + b.surface_nodes.begin;
    const auto last = set.surface_nodes.begin() + b.surface_nodes.end;
    TriMesh mesh;
    for (auto node = first; node != last; ++node)
        mesh.vertices.push_back(set.rest[*node]);
    for (int t = b.triangles.begin; t < b.triangles.end; ++t) {
        Triangle& corners = mesh.triangles.emplace_back(set.triangles[t]);
        for (int& corner : corners)
            corner = static_cast<int>(std::lower_bound(first, last, corner) - first);
    }
    constexpr double not_welded = -1, patch_angle = 2 * std::numbers::pi / 180;
    b.surface = std::make_shared<const TriangulatedSurface>(
        mesh, rule, EdgeTopologyOptions{.weld_tolerance = not_welded, .patch_angle = patch_angle});
}

void finish(DeformableSet& set)
{
    list_corners(set.tets, set.rest.size(), set.tet_corners_begin, set.tet_corners);
    list_corners(set.triangles, set.rest.size(), set.triangle_corners_begin, set.triangle_corners);
    set.tet_batches.clear();
    for (const DeformableBody& body : set.bodies)
        for (int t = body.tets.begin; t < body.tets.end; t += lanes)
            set.tet_batches.push_back({t, std::min(t + lanes, body.tets.end)});
}

Vec3 surface_normal(const DeformableSet& set, int node, std::span<const Vec3> x)
{
    Vec3 sum = Vec3::Zero();
    for (int i = set.triangle_corners_begin[node]; i < set.triangle_corners_begin[node + 1]; ++i) {
        const int corner = set.triangle_corners[i] % 3;
        const Triangle& t = set.triangles[set.triangle_corners[i] / 3];
        const Vec3 a = x[t[(corner + 1) % 3]] - x[node], b = x[t[(corner + 2) % 3]] - x[node];
        sum += angle_between(a, b) * a.cross(b).normalized();
    }
    return sum.normalized();
}

double surface_turn(const DeformableSet& set, int node, std::span<const Vec3> x, const Vec3& n)
{
    double least = 1;
    for (int i = set.triangle_corners_begin[node]; i < set.triangle_corners_begin[node + 1]; ++i) {
        const auto& [a, b, c] = set.triangles[set.triangle_corners[i] / 3];
        least = std::min(least, n.dot((x[b] - x[a]).cross(x[c] - x[a]).normalized()));
    }
    return std::acos(std::max(-1.0, least));
}

} // namespace stickslip
