#include "stickslip/dem/walls/mesh_walls.h"

#include "stickslip/dem/walls/mesh_side.h"
#include "stickslip/dem/walls/sphere_blocks.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr double successor_cosine =
    0; // a contact hands its springs on to one whose normal is less than 90 degrees away

/// Springs of a contact, from those it continues, their tangent planes turned to its own.
struct Inherited {
    Vec3 slip = Vec3::Zero(), turn = Vec3::Zero();
    bool any = false;

    void add(const FacetContact& old, double part, const Vec3& n, bool with_turn)
    {
        const Vec3& last = old.name.n;
        slip += part * turn_tangential(old.slip, last, n);
        if (with_turn)
            turn += part * (turn_tangential(old.turn, last, n) + old.turn.dot(last) * n);
        any = true;
    }
};

/// Forces add up: a contact alone, whatever its share, keeps its stretch, one that two have handed a contact on to has
/// the mean of theirs, and two whole ones that merge have their sum.
Inherited inherited(
    std::span<const FacetContact> old, const std::vector<int>& successors, int successor, const Vec3& n, bool with_turn)
{
    double shares = 0;
    for (std::size_t k = 0; k < old.size(); ++k)
        shares += successors[k] == successor ? old[k].share : 0;
    Inherited sum;
    for (std::size_t k = 0; k < old.size(); ++k)
        if (successors[k] == successor)
            sum.add(old[k], old[k].share / std::min(shares, 1.0), n, with_turn);
    return sum;
}

/// What a contact begins with that comes in beside others, as deep already: it takes over from the one whose direction
/// is next to its own, the less the farther they are apart.
Inherited taken_over(std::span<const FacetContact> old, const Vec3& n, bool with_turn)
{
    Inherited sum;
    const FacetContact* next = nullptr;
    double cosine = successor_cosine;
    for (const FacetContact& contact : old) {
        if (contact.name.n.dot(n) > cosine) {
            cosine = contact.name.n.dot(n);
            next = &contact;
        }
    }
    if (next)
        sum.add(*next, cosine, n, with_turn);
    return sum;
}

/// What the springs of a contact hold, beside others [J].
template <NormalLaw law>
ElasticEnergy stored(const PairLaw& pair, double radius, double stiffness, double overlap, double share,
    const Vec3& slip, const Vec3& turn)
{
    const double depth = std::max(overlap, ends_at<law>(pair, radius));
    const double kt = share * normal_force<law>(pair, depth, radius, stiffness).shear_stiffness;
    return {.normal = 0,
        .tangential = 0.5 * kt * slip.squaredNorm(),
        .rolling = 0.5 * kt * radius * radius * turn.squaredNorm()};
}

/// Of the depth of a contact, what makes its energy a square: W is as d^2, Hertz's as d^(5/2). With adhesion from where
/// it ends.
double measure_of(NormalLaw law, double depth)
{
    return law == NormalLaw::linear ? depth : std::pow(depth, 1.25);
}

/// Whether the centre of a sphere was so near to the surface that it may be behind it now. The rest is rare.
bool may_be_behind(std::span<const FacetContact> held, double radius, const Vec3& way)
{
    double overlap = 0;
    for (const FacetContact& contact : held)
        overlap = std::max(overlap, contact.overlap);
    const double distance = std::max(radius - overlap, 0.0);
    return distance * distance <= way.squaredNorm();
}

bool is_within(const EdgeTopology& surface, int facet, const Vec3& x, double range)
{
    const auto& [a, b, c] = surface.facets[facet];
    const std::vector<Vec3>& at = surface.positions;
    return (closest_point_on_triangle(x, at[a], at[b], at[c]).point - x).squaredNorm() < range * range;
}

/// Of the facets near the sphere of entry c all that are nearer to its centre than `range` [m], and some others.
///   squared_way  of the sphere in this step [m^2]
std::span<const int> in_reach(const EdgeTopology& surface, const NearWall& near, std::size_t c, const Vec3& centre,
    double range, double squared_way, CloseFacets& close)
{
    constexpr std::size_t few = 16;
    const double square = close.slack * close.slack;
    const std::span<const int> all = near.facets(c);
    if (all.size() <= few || 16 * squared_way > square) // too fast: looked up too often
        return all;
    int* const row = close.facet.data() + near.first_facet[c];
    if (!((centre - close.centre[c]).squaredNorm() < 0.99 * square)) {
        int* end = row;
        for (const int facet : all)
            if (is_within(surface, facet, centre, range + close.slack))
                *end++ = facet;
        close.centre[c] = centre;
        close.count[c] = static_cast<int>(end - row);
    }
    return {row, row + close.count[c]};
}

} // namespace

CloseFacets close_facets(const NearWall& near, double skin)
{
    CloseFacets close{.slack = 0.125 * skin, .centre = {}, .count = {}, .facet = {}};
    if (near.facet.empty())
        return close;
    close.centre.assign(near.sphere.size(), Vec3::Constant(nan));
    close.count.resize(near.sphere.size());
    close.facet.resize(near.facet.size());
    return close;
}

NearWall near_mesh(const TriangulatedSurface& surface, const Frame& frame, const Spheres& spheres,
    const std::vector<std::size_t>& blocks, double margin)
{
    std::vector<NearWall> parts(blocks.size());
    parallel_for(
        parts.size(),
        [&](std::size_t k) {
            NearWall& part = parts[k];
            const std::size_t begin = blocks[k] * SphereBlocks::size;
            for (std::size_t i = begin; i < std::min(spheres.size(), begin + SphereBlocks::size); ++i) {
                const Vec3 centre = frame.to_local(spheres.place[i].x);
                const double range = spheres.place[i].radius + margin;
                const std::size_t before = part.facet.size();
                surface.tree.visit_overlapping(
                    {centre - Vec3::Constant(range), centre + Vec3::Constant(range)}, [&](int facet) {
                        if (!surface.topology.is_left_out(facet) && is_within(surface.topology, facet, centre, range))
                            part.facet.push_back(facet);
                    });
                if (part.facet.size() == before)
                    continue;
                std::sort(part.facet.begin() + static_cast<std::ptrdiff_t>(before), part.facet.end());
                part.sphere.push_back(static_cast<int>(i));
                part.first_facet.push_back(static_cast<int>(part.facet.size()));
            }
        },
        1);
    NearWall near;
    near.first_facet.push_back(0);
    for (const NearWall& part : parts) { // in the order of the spheres
        const int shift = near.first_facet.back();
        for (const int end : part.first_facet)
            near.first_facet.push_back(shift + end);
        near.sphere.insert(near.sphere.end(), part.sphere.begin(), part.sphere.end());
        near.facet.insert(near.facet.end(), part.facet.begin(), part.facet.end());
    }
    return near;
}

/// The contacts of one sphere, from `first` on: leaves out those that others leave nothing to push.
void MeshTouches::share(NormalLaw law, std::size_t first)
{
    touching_.clear();
    for (const SphereSurfaceContact& contact : std::span(found_).subspan(first))
        touching_.push_back({contact.n, measure_of(law, contact.overlap)});
    contact_shares_.find(touching_);
    std::size_t end = first;
    for (std::size_t k = 0; k < touching_.size(); ++k) {
        if (!(touching_[k].push > 0))
            continue;
        found_[end] = found_[first + k];
        shares_[end++] = touching_[k].push / touching_[k].depth;
    }
    found_.resize(end);
    shares_.resize(end);
}

/// Their names too. Returns as find().
int MeshTouches::find_all(
    const WallMeeting& w, const WallContacts& contacts, CloseFacets& close, std::size_t begin, std::size_t end)
{
    const TriangulatedSurface& surface = *std::get<WallTriangles>(w.wall.shape);
    const std::vector<SpherePlace>& place = w.system.spheres.place;
    centres_.clear();
    for (std::size_t c = begin; c < end; ++c)
        centres_.push_back(w.pose.frame.to_local(place_at_wall(w, contacts.near.sphere[c])));
    found_.clear();
    shares_.clear();
    first_found_.assign(1, 0);
    int passed = 0;
    for (std::size_t c = begin; c < end; ++c) {
        const std::span<const FacetContact> held = contacts.held_by(c);
        const int slot = contacts.near.sphere[c];
        const Vec3& centre = centres_[c - begin];
        const double radius = place[slot].radius;
        const FacetContact* before = nullptr; // the one that has the centre behind it
        const Vec3 way = way_past(w, slot);
        if (!held.empty() && may_be_behind(held, radius, way))
            before = gone_through(surface, held, radius, centre - w.pose.frame.R.transpose() * way, centre);
        if (before) {
            found_.push_back(contact_from_behind(surface, *before, centre, radius, storage_));
            passed += found_.back().overlap > 2 * radius;
            found_.back().overlap += w.system.reach;
        } else {
            const double range = radius + w.system.reach;
            const std::span<const int> candidates =
                in_reach(surface.topology, contacts.near, c, centre, range, way.squaredNorm(), close);
            add_sphere_surface_contacts(surface.topology, candidates, centre, range, surface.rule, found_,
                held.empty() ? nullptr : &held.front().name.n);
        }
        shares_.resize(found_.size(), 1);
        if (surface.rule == EdgeRule::smooth && found_.size() > first_found_.back() + 1)
            share(w.system.law, first_found_.back());
        first_found_.push_back(found_.size());
    }
    names_.clear();
    for (const SphereSurfaceContact& contact : found_)
        names_.push_back({contact.n, contact.facet, contact.patch});
    return passed;
}

void MeshTouches::name_heirs(std::span<const FacetContact> held, std::span<const ContactName> names)
{
    old_names_.clear();
    for (const FacetContact& contact : held)
        old_names_.push_back(contact.name);
    heirs_.resize(held.size());
    match_contacts(old_names_, names, successor_cosine, heirs_);
}

template <NormalLaw law>
STICKSLIP_WIDE int MeshTouches::find(const WallMeeting& w, const WallContacts& contacts, CloseFacets& close,
    std::size_t begin, std::size_t end, std::vector<WallTouch>& touches, ContactLosses& losses)
{
    const int passed = find_all(w, contacts, close, begin, end);
    found_of_touch_.clear();
    const Mat3& R = w.pose.frame.R;
    for (std::size_t c = begin; c < end; ++c) {
        const int slot = contacts.near.sphere[c];
        const double radius = w.system.spheres.place[slot].radius;
        const PairLaw& pair = wall_law(w, slot);
        const std::span<const FacetContact> held = contacts.held_by(c);
        const std::size_t first = first_found_[c - begin], last = first_found_[c - begin + 1];
        name_heirs(held, std::span(names_).subspan(first, last - first));
        const auto is_shared = [](double share) { return share != 1; };
        const bool shared = std::any_of(shares_.begin() + static_cast<std::ptrdiff_t>(first),
                                shares_.begin() + static_cast<std::ptrdiff_t>(last), is_shared)
            || std::any_of(held.begin(), held.end(), [&](const FacetContact& old) { return is_shared(old.share); });
        const auto book = [&](double sign, double overlap, double share, const Vec3& slip, const Vec3& turn) {
            const ElasticEnergy e = stored<law>(pair, radius, wall_stiffness(w, slot), overlap, share, slip, turn);
            losses.friction += sign * e.tangential;
            losses.rolling += sign * e.rolling;
        };
        const auto release = [&](const Vec3& slip, const Vec3& turn) {
            if (w.ledger && !shared)
                book_release<law>(
                    pair, radius, wall_stiffness(w, slot), slip, w.system.with_turn ? &turn : nullptr, losses);
        };
        if (w.ledger && shared) // springs are handed on in parts: what they held, and below what becomes of it
            for (const FacetContact& old : held)
                book(1, old.overlap, old.share, old.slip, old.turn);
        for (std::size_t k = first; k < last; ++k) {
            const double overlap = found_[k].overlap - w.system.reach;
            const Vec3& n = names_[k].n;
            Inherited springs = inherited(held, heirs_, static_cast<int>(k - first), n, w.system.with_turn);
            const double earlier = shared ? overlap + (R * n).dot(way_past(w, slot)) : overlap;
            if (shared && !springs.any && earlier > begins_at<law>(pair, radius))
                springs = taken_over(held, n, w.system.with_turn);
            const bool fresh = !springs.any;
            if (overlap > (fresh ? begins_at<law>(pair, radius) : ends_at<law>(pair, radius))) {
                touches.push_back({.n = -(R * n),
                    .overlap = overlap,
                    .slip = R * springs.slip,
                    .turn = R * springs.turn,
                    .normal_turn = Vec3::Zero(),
                    .slot = slot,
                    .entry = static_cast<int>(c),
                    .fresh = fresh,
                    .share = shares_[k]});
                found_of_touch_.push_back(k);
                if (w.ledger && shared && !fresh)
                    book(-1, earlier, shares_[k], springs.slip, springs.turn);
            } else if (!fresh) {
                release(springs.slip, springs.turn);
            }
        }
        for (std::size_t k = 0; k < held.size(); ++k) {
            if (heirs_[k] < 0)
                release(held[k].slip, held[k].turn);
        }
    }
    return passed;
}

void MeshTouches::keep(const Frame& frame, std::span<const WallTouch> touches, std::size_t begin, std::size_t end,
    WallContacts& contacts) const
{
    std::fill(contacts.held_count.begin() + static_cast<std::ptrdiff_t>(begin),
        contacts.held_count.begin() + static_cast<std::ptrdiff_t>(end), 0);
    for (std::size_t t = 0; t < touches.size(); ++t) {
        const WallTouch& touch = touches[t];
        FacetContact* const kept = contacts.hold_one_more(touch.entry);
        if (!kept)
            continue;
        kept->name = names_[found_of_touch_[t]];
        kept->slip = frame.R.transpose() * touch.slip;
        kept->turn = frame.R.transpose() * touch.turn;
        kept->overlap = touch.overlap;
        kept->share = touch.share;
    }
}

template int MeshTouches::find<NormalLaw::linear>(const WallMeeting&, const WallContacts&, CloseFacets&, std::size_t,
    std::size_t, std::vector<WallTouch>&, ContactLosses&);
template int MeshTouches::find<NormalLaw::hertz>(const WallMeeting&, const WallContacts&, CloseFacets&, std::size_t,
    std::size_t, std::vector<WallTouch>&, ContactLosses&);
template int MeshTouches::find<NormalLaw::dmt>(const WallMeeting&, const WallContacts&, CloseFacets&, std::size_t,
    std::size_t, std::vector<WallTouch>&, ContactLosses&);
template int MeshTouches::find<NormalLaw::jkr>(const WallMeeting&, const WallContacts&, CloseFacets&, std::size_t,
    std::size_t, std::vector<WallTouch>&, ContactLosses&);

} // namespace stickslip
