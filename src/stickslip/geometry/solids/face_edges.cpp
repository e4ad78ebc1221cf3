#include "stickslip/geometry/solids/face_edges.h"

#include "stickslip/geometry/mesh/edge_topology.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

FaceEdges face_edges(const TriMesh& closed_mesh, std::size_t most)
{
    constexpr double flat = 1e-3; // [rad]
    const EdgeTopology surface(closed_mesh, {.patch_angle = flat});
    FaceEdges edges;
    for (std::size_t f = 0; f < surface.facets.size(); ++f)
        for (int k = 0; k < 3; ++k) {
            const int edge = surface.facet_edges[f][k], side = 3 * static_cast<int>(f) + k;
            if (edge < 0 || surface.edge_kind[edge] != EdgeKind::internal)
                continue;
            const int beyond = surface.across(side) / 3;
            if (surface.patch[beyond] == surface.patch[f])
                continue;
            const Triangle& corners = surface.facets[f];
            const Vec3 &a = surface.positions[corners[k]], &b = surface.positions[corners[(k + 1) % 3]];
            const Vec3 &n = surface.normals[f], &next = surface.normals[beyond];
            if (surface.outward[side].dot(next) > 0)
                edges.outer.push_back({a, b, n, surface.outward[side], fold_between(n, next)});
            else if (static_cast<int>(f) < beyond)
                edges.inner.push_back({a, b, (n - next).normalized(), 0.5 * (n + next).norm()});
            if (edges.outer.size() + edges.inner.size() > most)
                return {.outer = {}, .inner = {}, .too_many = true};
        }
    number_lines(edges.outer);
    return edges;
}

void number_lines(std::vector<FaceEdge>& edges)
{
    constexpr double same = 1e-6; // [-], and of the length of the first
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
        const FaceEdge& own = edges[i];
        const auto is_on = [&](const FaceEdge& first) {
            return (first.n - own.n).norm() < same && (first.out - own.out).norm() < same
                && std::abs(first.out.dot(own.a - first.a)) < same * (first.b - first.a).norm()
                && std::abs(first.n.dot(own.a - first.a)) < same * (first.b - first.a).norm();
        };
        edges[i].line = static_cast<int>(std::find_if(edges.begin(), edges.begin() + i, is_on) - edges.begin());
    }
}

double fold_between(const Vec3& n, const Vec3& next)
{
    return n.dot(next) > 0 ? n.cross(next).norm() : 1;
}

} // namespace stickslip
