#include "stickslip/contact/surfaces/ball_on_triangles.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr double successor_cosine = 0; // none carries on one whose normal was a right angle away

} // namespace

void BallOnTriangles::find(const TriangulatedSurface& surface, const Vec3& centre, double radius, bool behind,
    std::span<const Attachment> kept)
{
    places_.clear();
    shares_ = false;
    may_share_ = carries_on_one_ = surface.rule == EdgeRule::smooth;
    if (behind)
        add_nearest(nearest_of(surface, centre, facets_, contacts_), -1);
    else
        add_near(surface, centre, radius, kept.empty() ? nullptr : &kept.front().rolling_on_facet().n, false);
    hand_over(surface, kept);
}

void BallOnTriangles::find_outside(const TriangulatedSurface& surface, const Vec3& centre, double radius, bool behind,
    const Vec3& facing, std::span<const Attachment> kept)
{
    places_.clear();
    shares_ = may_share_ = false;
    carries_on_one_ = surface.rule == EdgeRule::smooth;
    const auto add = [&](const NearestOfSurface& nearest) {
        const double side = is_outside(surface, nearest.contact) ? 1 : -1;
        if (side * nearest.distance < radius)
            add_nearest(nearest, side);
    };
    if (behind) {
        add(nearest_facing(surface, centre, facing, contacts_));
    } else {
        add_near(surface, centre, radius, &facing, true);
        if (places_.empty() && !contacts_.empty())
            add(nearest_of(surface, centre, facets_, contacts_));
    }
    hand_over(surface, kept);
}

// solid: has an inside, from which it does not count
void BallOnTriangles::add_near(
    const TriangulatedSurface& surface, const Vec3& centre, double radius, const Vec3* last_normal, bool solid)
{
    const bool zones = surface.rule == EdgeRule::zones;
    const EdgeRule rule = zones ? EdgeRule::raw : surface.rule;
    surface.find_near(centre, radius, facets_);
    find_sphere_surface_contacts(surface.topology, facets_, centre, radius, rule, contacts_, last_normal);
    for (const SphereSurfaceContact& contact : contacts_) {
        if (solid && !is_outside(surface, contact))
            continue;
        const ContactNormal normal = zones ? normal_by_zones(surface.topology, contact, centre, radius, last_normal)
                                           : raw_normal(contact, radius);
        places_.push_back({contact, normal, contact.n, radius - contact.overlap, -1});
    }
    if (may_share_ && places_.size() > 1)
        share_out(radius);
}

// Leaves out those that others leave nothing to push; the rest in the order of ContactShares::pushing.
void BallOnTriangles::share_out(double radius)
{
    touching_.clear();
    for (const TrianglePlace& place : places_)
        touching_.push_back({place.away, radius - place.distance});
    contact_shares_.find(touching_);
    all_places_.swap(places_);
    places_.clear();
    for (const int i : contact_shares_.pushing()) {
        places_.push_back(all_places_[i]);
        places_.back().share = touching_[i].push / touching_[i].depth;
    }
    shares_ = places_.size() > 1;
    if (shares_)
        slopes_ = contact_shares_.slopes(touching_);
}

void BallOnTriangles::add_nearest(const NearestOfSurface& nearest, double side)
{
    const SphereSurfaceContact& at = nearest.contact;
    const double distance = side * nearest.distance;
    const Vec3 n = side * at.n;
    places_.push_back({at, {n, at.kind, at.feature, at.facet, distance}, n, distance, -1});
}

void BallOnTriangles::hand_over(const TriangulatedSurface& surface, std::span<const Attachment> kept)
{
    names_.clear();
    old_names_.clear();
    for (const TrianglePlace& place : places_)
        names_.push_back({place.normal.n, place.at.facet, place.at.patch});
    for (const Attachment& a : kept) {
        const RollingOnFacet& at = a.rolling_on_facet();
        old_names_.push_back({at.n, at.facet, surface.topology.patch[at.facet]});
    }
    successors_.resize(kept.size());
    match_contacts(old_names_, names_, successor_cosine, successors_);
    number_slots(kept);
}

// What carries on keeps its slot, the lowest of those that have merged; what is new gets one that is free.
void BallOnTriangles::number_slots(std::span<const Attachment> kept)
{
    const auto taken = [&](int slot) {
        return std::any_of(places_.begin(), places_.end(), [&](const TrianglePlace& p) { return p.slot == slot; });
    };
    for (std::size_t i = kept.size(); i-- > 0;)
        if (successors_[i] >= 0)
            places_[successors_[i]].slot = kept[i].slot;
    int free = 0;
    for (TrianglePlace& place : places_)
        if (place.slot < 0) {
            while (taken(free))
                ++free;
            place.slot = free;
        }
}

double distance_along(const Vec3& n, const Vec3& centre, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 from = centre - closest_point_on_triangle(centre, a, b, c).point;
    return from.dot(n) < 0 ? -from.norm() : from.norm();
}

double distance_of_attached(const EdgeTopology& surface, const RollingOnFacet& attachment, const Vec3& centre)
{
    const auto& [a, b, c] = surface.facets[attachment.facet];
    const std::vector<Vec3>& at = surface.positions;
    return distance_along(attachment.n, centre, at[a], at[b], at[c]);
}

} // namespace stickslip
