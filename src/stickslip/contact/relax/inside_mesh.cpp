#include "stickslip/contact/relax/inside_mesh.h"

#include "stickslip/math/angle.h"

namespace stickslip {

bool inside_edge(const PlacedSurface& surface, int edge, const Vec3& Z)
{
    const std::span<const int> sides = surface.topology.sides_of(edge);
    const std::array<int, 2> facets{sides[0] / 3, sides[1] / 3};
    std::array<bool, 2> behind;
    const Vec3 A = surface.x[surface.topology.edges[edge][0]];
    for (int i = 0; i < 2; ++i)
        behind[i] = plane_of(surface.corners(facets[i]), surface.sign(facets[i])).n.dot(Z - A) <= 0;
    if (behind[0] == behind[1])
        return behind[0];
    const Vec3 far = surface.x[surface.topology.facets[facets[0]][(sides[0] % 3 + 2) % 3]];
    return plane_of(surface.corners(facets[1]), surface.sign(facets[1])).n.dot(far - A) > 0;
}

bool inside_vertex(const PlacedSurface& surface, int vertex, const Vec3& Z)
{
    return outward_of_vertex(surface, vertex).dot(Z - surface.x[vertex]) <= 0;
}

Vec3 outward_of_edge(const PlacedSurface& surface, int edge)
{
    Vec3 sum = Vec3::Zero();
    for (const int side : surface.topology.sides_of(edge))
        sum += plane_of(surface.corners(side / 3), surface.sign(side / 3)).n;
    return sum.stableNormalized();
}

Vec3 outward_of_vertex(const PlacedSurface& surface, int vertex)
{
    Vec3 sum = Vec3::Zero();
    for (const int corner : surface.topology.corners_of(vertex)) {
        const int facet = corner / 3, k = corner % 3;
        const std::array<Vec3, 3> x = surface.corners(facet);
        sum += angle_between(x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]) * plane_of(x, surface.sign(facet)).n;
    }
    return sum.stableNormalized();
}

} // namespace stickslip
