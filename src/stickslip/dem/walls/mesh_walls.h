#pragma once

#include "stickslip/dem/walls/wall_touch.h"
#include "stickslip/geometry/queries/contact_shares.h"

namespace stickslip {

CloseFacets close_facets(const NearWall& near, double skin);

/// near_wall for triangles: those whose gap to a sphere is below `margin` [m], each sphere's rising. blocks: of
/// SphereBlocks, rising; other spheres are far.
NearWall near_mesh(const TriangulatedSurface& surface, const Frame& frame, const Spheres& spheres,
    const std::vector<std::size_t>& blocks, double margin);

/// Contacts of many spheres with one triangulated wall in one step. All are found, then all are matched with those of
/// the last step: what one pass wrote the next reads long after. Keeps its storage.
class MeshTouches {
public:
    /// Puts the contacts of the entries [begin, end) of contacts.near behind `touches`; books those that end, with the
    /// ledger. Returns how many spheres went all the way through: their centre is more than a radius behind.
    template <NormalLaw law>
    int find(const WallMeeting& w, const WallContacts& contacts, CloseFacets& close, std::size_t begin, std::size_t end,
        std::vector<WallTouch>& touches, ContactLosses& losses);

    /// Keeps what find gave, whose springs have been moved on, until the next step.
    void keep(const Frame& frame, std::span<const WallTouch> touches, std::size_t begin, std::size_t end,
        WallContacts& contacts) const;

private:
    int find_all(
        const WallMeeting& w, const WallContacts& contacts, CloseFacets& close, std::size_t begin, std::size_t end);
    void share(NormalLaw law, std::size_t first);
    void name_heirs(std::span<const FacetContact> held, std::span<const ContactName> names);

    std::vector<Vec3> centres_; // [m] of the entries, wall's frame
    std::vector<SphereSurfaceContact> found_; // of all
    std::vector<double> shares_; // [-] of the forces of found_
    ContactShares contact_shares_;
    std::vector<Touching> touching_; // of one entry
    std::vector<SphereSurfaceContact> storage_;
    std::vector<std::size_t> first_found_; // of each entry
    std::vector<ContactName> names_; // of found_
    std::vector<ContactName> old_names_; // of one entry
    std::vector<int> heirs_; // of its old contacts
    std::vector<std::size_t> found_of_touch_; // index into found_
};

} // namespace stickslip
