#pragma once

#include "stickslip/contact/relax/placed_surface.h"
#include "stickslip/geometry/queries/point_triangle.h"

#include <array>
#include <cstdint>
#include <vector>

namespace stickslip {

/// End of a walk over a mesh.
enum class WalkEnd : std::uint8_t {
    stuck, // in the cone where it began
    triangle, // in the cone of a triangle, an edge or a vertex that it came to
    edge,
    vertex,
    boundary, // where the surface has no other side: at a boundary or non-manifold edge or vertex
    outside, // in the cone, but in front of the surface
    own_feature, // at a triangle, edge or vertex that the point itself belongs to
    flat_facet, // at a facet without area
    limit, // after `limit` features
};

/// Whether a contact goes on with the attachment.
inline bool in_contact(WalkEnd end)
{
    return end <= WalkEnd::vertex;
}

/// A point that touches a surface, with its attachment.
struct MeshWalk {
    int facet; // of the attachment X
    Vec3 w; // [-] barycentric weights of X: >= 0, sum 1
    Vec3 Z; // [m]
    double mu; // [-] friction coefficient, 0 to infinity
    std::array<int, 3> own = {-1, -1, -1}; // vertices of the surface that the point itself is, or is between
    int limit = 4096; // features that the walk may visit
};

/// A move of the attachment within a facet, along an edge or to a vertex, and its derivatives:
///   dY = dY_dX dX + dY_dZ dZ + sum_i dY_dx[i] dx[corners[i]]
struct WalkStep {
    TriangleFeature feature;
    int number; // of that facet, edge or vertex
    int left_by; // side of the facet by which the way leaves; -1: the walk ends here or it is no facet
    Triangle corners; // vertices that Y depends on; -1: none
    Vec3 Y; // [m] afterwards
    Mat3 dY_dX, dY_dZ; // [-]
    std::array<Mat3, 3> dY_dx; // [-]; not set without a corner
};

/// The attachment Y that a walk comes to.
struct MeshRelaxation {
    WalkEnd end;
    int facet; // that holds Y
    Vec3 w; // [-] barycentric weights of Y: >= 0, sum 1; stuck: facet and w are those it began with, bit for bit
    Vec3 Y; // [m]
    TriangleFeature feature; // whose cone Y is in, or where the walk ended
    int number; // of that facet, edge or vertex
    Vec3 n; // [-] unit, outward: the cone's axis; zero at a facet without area
    double depth; // [m] of Z behind that feature, n . (Y - Z); negative outside
};

/// Moves the attachment over the surface towards where the friction cone lets it rest: straight towards the projection
/// of Z in each triangle, on through the side that it meets, along an edge that both its facets lead to, from a vertex
/// the way that falls most steeply. The distance to Z never grows. At its end, no way along the surface leads nearer to
/// Z at more than the angle of friction (docs/derivations.md#walk-over-a-mesh).
/// path  replaced by the steps that moved Y, in order. Pre: Z is finite.
/// Paper: Alg 10 RELAX_MESH
MeshRelaxation relax_mesh(const PlacedSurface& surface, const MeshWalk& walk, std::vector<WalkStep>& path);

} // namespace stickslip
