#include "stickslip/dem/walls/mesh_side.h"

namespace stickslip {

namespace {

/// Where the outer normals look of the facets that bound the side of a contact: along its n where it is outside of its
/// own facet, against n where it is inside. Zero in the very plane of that facet, beyond a border: no side.
Vec3 facing(const EdgeTopology& topology, const FacetContact& held)
{
    const int facet = held.name.facet;
    const double outside = topology.orientation[facet] * topology.normals[facet].dot(held.name.n);
    return outside > 0 ? held.name.n : outside < 0 ? Vec3(-held.name.n) : Vec3(Vec3::Zero());
}

} // namespace

const FacetContact* gone_through(const TriangulatedSurface& surface, std::span<const FacetContact> held, double radius,
    const Vec3& from, const Vec3& to)
{
    for (const FacetContact& contact : held) {
        const Vec3 side = facing(surface.topology, contact);
        const bool was_behind = contact.overlap > radius;
        if (!side.isZero(0) && was_behind != changes_side(surface, from, to, &side))
            return &contact;
    }
    return nullptr;
}

SphereSurfaceContact contact_from_behind(const TriangulatedSurface& surface, const FacetContact& held,
    const Vec3& centre, double radius, std::vector<SphereSurfaceContact>& storage)
{
    const Vec3 side = facing(surface.topology, held);
    const NearestOfSurface nearest = nearest_facing(surface, centre, side, storage);
    SphereSurfaceContact contact = nearest.contact;
    const bool is_inner = side.dot(held.name.n) < 0;
    const bool in_front = is_outside(surface, contact) != is_inner;
    contact.overlap = in_front ? radius - nearest.distance : radius + nearest.distance;
    if (!in_front)
        contact.n = -contact.n;
    return contact;
}

} // namespace stickslip
