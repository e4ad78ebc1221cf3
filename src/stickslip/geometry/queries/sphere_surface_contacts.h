#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/queries/point_triangle.h"
#include "stickslip/math/types.h"

#include <array>
#include <span>
#include <vector>

namespace stickslip {

/// Rule for a sphere at the edges of a triangulation.
enum class EdgeRule {
    smooth, // at the local minima of the distance only, which share what they push (contact_shares.h): no artefacts
    zones, // every facet within reach, normals turned by the page's rule (edge_smoothing.h)
    raw, // every facet within reach, as if it were alone
};

struct SphereSurfaceContact {
    Vec3 point; // [m] on the surface (zones: on the plane or edge the normal belongs to)
    Vec3 n; // [-] unit, from the surface to the centre
    double overlap; // [m] > 0: radius - distance of the nearest point
    int facet; // one that holds the nearest point
    int feature; // number of that facet, edge or vertex
    TriangleFeature kind; // what of the facet the nearest point is on
    int patch; // smooth patch of the facet
    std::array<double, 3> weights; // [-] barycentric, of the nearest point in the facet: >= 0, sum 1
};

/// The normal of a contact, and what it belongs to: not always the feature that is touched.
struct ContactNormal {
    Vec3 n; // [-] unit
    TriangleFeature kind; // it is perpendicular to a facet, or leads from an edge or a vertex to the centre
    int feature; // number of that facet, edge or vertex
    int facet; // one that holds it
    double distance; // [m] of the centre from there along n; facets and edges go on for ever
};

/// The normal of a contact by itself; `raw` as by EdgeRule::raw.
ContactNormal raw_normal(const SphereSurfaceContact& raw, double radius);

/// The normal n by the rule of zones: turned on an internal edge or vertex, else that of the contact by itself. It is
/// the same as well where the centre C lies on the surface, to round-off. Of an edge, the contact point is C projected
/// onto the plane through the edge's nearest point E with this normal: C - d n, d = (C - E).n.
///   raw  as by EdgeRule::raw    last_normal  as below
/// Page: EDGE_CONTACT_POINT
ContactNormal normal_by_zones(const EdgeTopology& surface, const SphereSurfaceContact& raw, const Vec3& centre,
    double radius, const Vec3* last_normal = nullptr);

/// Contacts of a sphere with a triangulated surface, whatever side it is on. Replaces `contacts`, whose storage is used
/// again: no allocation once it has grown to the most contacts of one sphere.
///   candidates  facets, each once: all that are nearer to the centre than the radius, and any others
///   last_normal  normal of the sphere's contact in the last step, or null: decides where the centre is on the surface;
///                without it the angle-weighted mean normal of the facets there does
/// smooth: the deepest first; every contact is a local minimum of the distance from the centre to the surface, the
/// deepest is the global one. Ties are kept and merged, so a shared edge or vertex counts once. In a dent of facets
/// there are several, which share what they push (contact_shares.h). Facets without a common vertex still count as
/// neighbours where they touch (within surface.seam, at most 1 % of the radius), so cracks between a long side and
/// several short ones do no harm. zones, raw: in the order of the candidates.
void find_sphere_surface_contacts(const EdgeTopology& surface, std::span<const int> candidates, const Vec3& centre,
    double radius, EdgeRule rule, std::vector<SphereSurfaceContact>& contacts, const Vec3* last_normal = nullptr);
/// The same behind the contacts that are there already: those of many spheres in one row.
void add_sphere_surface_contacts(const EdgeTopology& surface, std::span<const int> candidates, const Vec3& centre,
    double radius, EdgeRule rule, std::vector<SphereSurfaceContact>& contacts, const Vec3* last_normal = nullptr);

} // namespace stickslip
