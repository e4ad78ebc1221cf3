#include "stickslip/contact/edges/mesh_tubes.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr double least_tube_sine = 0.087; // [-] of 5 degrees

} // namespace

MeshTubes mesh_tubes(const EdgeTopology& surface, bool is_sheet)
{
    MeshTubes found;
    found.of_edge.assign(surface.edges.size(), -1);
    for (std::size_t e = 0; e < surface.edges.size(); ++e) {
        const std::span<const int> sides = surface.sides_of(static_cast<int>(e));
        const auto normal = [&](int side) { return Vec3(surface.orientation[side / 3] * surface.normals[side / 3]); };
        const auto [i, j] = surface.edges[e];
        Tube tube{surface.positions[i], surface.positions[j] - surface.positions[i], 0};
        if (surface.edge_kind[e] == EdgeKind::internal) {
            const Fold& fold = surface.folds[sides[0]];
            const bool bends = fold.c < 0 || std::abs(fold.s) > least_tube_sine;
            const bool convex = fold.s * surface.orientation[sides[0] / 3] < 0;
            if (!bends || (!is_sheet && !convex))
                continue;
            tube.faces = {normal(sides[0]), normal(sides[1])};
        } else if (sides.size() == 1) {
            tube.faces = {normal(sides[0]), normal(sides[0])};
        }
        found.of_edge[e] = static_cast<int>(found.tubes.size());
        tube.is_of_triangles = true;
        found.tubes.push_back(tube);
    }
    return found;
}

Bounds way_of(const RoundSide& side, const Frame& old, const Frame& pose)
{
    Bounds box;
    for (const Frame& frame : {old, pose})
        for (const double y : {-0.5, 0.5})
            box.add(frame.to_world(y * side.height * Vec3::UnitY()));
    return box.grown(side.radius);
}

std::vector<int> tubes_near(const TriangulatedSurface& surface, const MeshTubes& tubes, const RoundSide& side,
    const Frame& old, const Frame& pose)
{
    std::vector<int> near;
    surface.tree.visit_overlapping(way_of(side, old, pose), [&](int facet) {
        for (const int edge : surface.topology.facet_edges[facet])
            if (edge >= 0 && tubes.of_edge[edge] >= 0)
                near.push_back(tubes.of_edge[edge]);
    });
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    return near;
}

double distance_from(const TriangulatedSurface& surface, bool is_sheet, const Vec3& x)
{
    std::vector<int> facets;
    std::vector<SphereSurfaceContact> contacts;
    const NearestOfSurface nearest = nearest_of(surface, x, facets, contacts);
    return is_sheet || is_outside(surface, nearest.contact) ? nearest.distance : -nearest.distance;
}

DistanceToSolid distance_to(const ContactBodies& bodies, int body)
{
    if (bodies.is_of_triangles(body))
        return [surface = bodies.triangles(body), is_sheet = bodies.is_sheet(body)](
                   const Vec3& x) { return distance_from(*surface, is_sheet, x); };
    return [&solid = bodies.solid(body)](const Vec3& x) { return signed_distance(solid, x); };
}

} // namespace stickslip
