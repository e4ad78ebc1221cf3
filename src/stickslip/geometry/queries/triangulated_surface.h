#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/geometry/queries/sphere_surface_contacts.h"
#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A triangulated surface that balls touch, open or closed, with what is needed to find the facets near a place.
struct TriangulatedSurface {
    EdgeTopology topology;
    BoxTree tree; // of the facets, in their order; those left out have boxes as well
    EdgeRule rule = EdgeRule::smooth;

    TriangulatedSurface(const TriMesh& mesh, EdgeRule edge_rule, const EdgeTopologyOptions& options = {});

    /// As EdgeTopology::update.
    void update(const std::vector<Vec3>& vertices);

    /// Facets that may come nearer to x than `reach` [m], ascending. Replaces `facets`.
    void find_near(const Vec3& x, double reach, std::vector<int>& facets) const;
};

/// The straight way goes through the surface an odd number of times: from one of its sides to the other. A way
/// through an edge or a vertex between facets counts once, whatever the winding. `facing`, if not null: only facets
/// that look to that side count.
bool changes_side(const TriangulatedSurface& surface, const Vec3& from, const Vec3& to, const Vec3* facing = nullptr);

/// The place of the surface nearest to x: the contact of a ball that reaches it, with its overlap.
struct NearestOfSurface {
    SphereSurfaceContact contact;
    double distance; // [m]
};
/// Pre: the surface has a facet. `facets`, `contacts`: storage.
NearestOfSurface nearest_of(const TriangulatedSurface& surface, const Vec3& x, std::vector<int>& facets,
    std::vector<SphereSurfaceContact>& contacts);

/// Of the facets that look to the side of `facing`, of which there is one, the nearest place to x.
NearestOfSurface nearest_facing(
    const TriangulatedSurface& surface, const Vec3& x, const Vec3& facing, std::vector<SphereSurfaceContact>& contacts);

/// The centre is on the outer side of the surface of a solid, as the place of contact sees it: by the mean
/// normal there.
bool is_outside(const TriangulatedSurface& surface, const SphereSurfaceContact& contact);

/// Derivative of a normal by the centre [1/m]: the Hessian of the distance along it from what it belongs to (a negative
/// distance: behind it). Where it is the facet's own, as on an edge of a flat surface, or where the centre lies on it,
/// the surface counts as flat.
Mat3 normal_derivative(const EdgeTopology& surface, const ContactNormal& normal);

} // namespace stickslip
