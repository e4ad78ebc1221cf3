#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/geometry/queries/contact_memory.h"
#include "stickslip/geometry/queries/contact_shares.h"
#include "stickslip/geometry/queries/triangulated_surface.h"

#include <algorithm>
#include <span>
#include <vector>

namespace stickslip {

/// One of the places where a ball touches triangles.
struct TrianglePlace {
    SphereSurfaceContact at; // as no rule has turned it
    ContactNormal normal; // to the side that the ball is on: that where its centre was, also once it has gone through
    Vec3 away; // unit, to the same side from the nearest point: the normal, unless the rule of zones has turned it
    double distance; // [m] of the centre along `away`; negative behind the surface
    int slot; // as in Attachment
    double share = 1; // [-] of its force that counts beside the other places, by find() (contact_shares.h); > 0
};

/// Finds where a ball touches triangles, by the rule of the surface, and what of the last step each place carries on.
/// Keeps its memory between calls.
class BallOnTriangles {
public:
    /// By the smooth rule places share what they push.
    /// behind: the centre has gone through the surface. It is then met by its nearest place, however deep.
    /// kept: the attachments of this ball on this surface, with normals in the axes of the surface.
    void find(const TriangulatedSurface& surface, const Vec3& centre, double radius, bool behind,
        std::span<const Attachment> kept);

    /// The same, but whole, of the surface of a solid, which is met from outside alone: places on its far side, that
    /// the ball reaches through it, do not count. behind: the centre has gone in through facets that look to the side
    /// of `facing`. It is then met by the nearest place of those, however deep; a centre inside that came another way,
    /// by the nearest of all.
    void find_outside(const TriangulatedSurface& surface, const Vec3& centre, double radius, bool behind,
        const Vec3& facing, std::span<const Attachment> kept);

    /// Whether x is within the solid that the surface encloses.
    bool is_inside(const TriangulatedSurface& surface, const Vec3& x)
    {
        return !is_outside(surface, nearest_of(surface, x, facets_, contacts_).contact);
    }

    const std::vector<TrianglePlace>& places() const { return places_; }

    /// Of the shares of places by each other's depths and normals, both numbered alike; where there are several and
    /// they share.
    const ShareSlopes& slopes() const { return slopes_; }
    bool shares() const { return shares_; }

    /// Calls visit(attachment) for each of those given to find() that place `index` carries on (match_contacts). By the
    /// smooth rule, where contacts fade beside others, it carries on one: what ends has nothing left to push, and what
    /// took over from it has its offset already.
    template <typename Visit>
    void for_each_carried(std::size_t index, std::span<const Attachment> kept, const Visit& visit) const
    {
        const Attachment* own = nullptr;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (successors_[i] != static_cast<int>(index))
                continue;
            if (!carries_on_one_)
                visit(kept[i]);
            else if (!own || nearer(index, kept[i].rolling_on_facet(), own->rolling_on_facet()))
                own = &kept[i];
        }
        if (own)
            visit(*own);
    }

    /// Where places share, the attachment from which one that carries on none takes over, if it is as deep already:
    /// that whose direction is next to its own, by the cosine between them; null where none is above 0.
    template <typename Cosine>
    const Attachment* source(std::span<const Attachment> kept, const Cosine& cosine) const
    {
        const Attachment* next = nullptr;
        double nearest = 0;
        for (const Attachment& a : kept)
            if (const double c = cosine(a.rolling_on_facet()); shares_ && c > nearest) {
                nearest = c;
                next = &a;
            }
        return next;
    }

private:
    void add_near(
        const TriangulatedSurface& surface, const Vec3& centre, double radius, const Vec3* last_normal, bool solid);
    void add_nearest(const NearestOfSurface& nearest, double side);
    void share_out(double radius);
    bool nearer(std::size_t index, const RollingOnFacet& a, const RollingOnFacet& b) const
    {
        const ContactName& name = names_[index];
        if ((a.facet == name.facet) != (b.facet == name.facet))
            return a.facet == name.facet;
        return a.n.dot(name.n) > b.n.dot(name.n);
    }
    void hand_over(const TriangulatedSurface& surface, std::span<const Attachment> kept);
    void number_slots(std::span<const Attachment> kept);

    std::vector<int> facets_, successors_;
    std::vector<SphereSurfaceContact> contacts_;
    std::vector<ContactName> old_names_, names_;
    std::vector<TrianglePlace> places_, all_places_;
    std::vector<Touching> touching_;
    ContactShares contact_shares_;
    ShareSlopes slopes_;
    bool shares_ = false, may_share_ = false, carries_on_one_ = false;
};

/// Distance [m] of the centre from a triangle, along n: negative behind it.
double distance_along(const Vec3& n, const Vec3& centre, const Vec3& a, const Vec3& b, const Vec3& c);

/// Distance [m] of the centre from the facet that an attachment names, along its normal: negative behind the surface.
double distance_of_attached(const EdgeTopology& surface, const RollingOnFacet& attachment, const Vec3& centre);

} // namespace stickslip
