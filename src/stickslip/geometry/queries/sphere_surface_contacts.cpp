#include "stickslip/geometry/queries/sphere_surface_contacts.h"

#include "stickslip/geometry/queries/edge_smoothing.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Directions and feet of perpendiculars carry round-off of the coordinates; the rest is of the radius.
constexpr double tie_of_radius = 1e-9; // [-] a neighbour that leads nearer by a shorter way than this is a tie
constexpr double tie_of_coordinates = 4e-15; // [-]
constexpr double same_point = 1e3; // [-] of the tie: covers ties handed on round a vertex, also between slim facets

double tie_of(const Vec3& centre, double radius)
{
    return tie_of_radius * radius + tie_of_coordinates * centre.lpNorm<Eigen::Infinity>();
}

/// [m] Nearer than this the centre is on the surface.
double on_surface(double tie)
{
    return 1e-3 * tie;
}

/// One sphere before one surface.
struct Query {
    const EdgeTopology& surface;
    std::span<const int> candidates;
    Vec3 centre;
    double radius;
    double tie; // [m]
    double seam; // [m] facets nearer than this touch one another
    double on_surface; // [m]
    const Vec3* last_normal;
};

/// How steeply the facets at the contact's edge or vertex lead nearer to the centre: the largest part of the way to the
/// centre along one of them [m]. Not above 0 at a local minimum, since each facet is convex.
double rise(const Query& q, const SphereSurfaceContact& contact)
{
    const EdgeTopology& surface = q.surface;
    const Vec3 d = q.centre - contact.point;
    double most = 0;
    if (contact.kind == TriangleFeature::edge) {
        for (int side : surface.sides_of(contact.feature))
            most = std::max(most, -d.dot(surface.outward[side]));
    } else if (contact.kind == TriangleFeature::vertex) {
        for (int neighbour : surface.neighbours_of(contact.feature)) {
            const Vec3 along = surface.positions[neighbour] - contact.point;
            const double steepness = d.dot(along);
            if (steepness > 0)
                most = std::max(most, steepness / along.norm());
        }
    }
    return most;
}

/// Whether a facet that is no neighbour goes through x all the same and leads nearer. Such a facet is a candidate.
bool is_crossed(const Query& q, int facet, const Vec3& x)
{
    for (int other : q.candidates) {
        if (other == facet || q.surface.is_left_out(other))
            continue;
        const auto& [a, b, c] = q.surface.facets[other];
        const std::vector<Vec3>& at = q.surface.positions;
        const Vec3 here = closest_point_on_triangle(x, at[a], at[b], at[c]).point;
        if ((here - x).squaredNorm() > q.seam * q.seam)
            continue;
        const Vec3 nearest = closest_point_on_triangle(q.centre, at[a], at[b], at[c]).point;
        if ((nearest - x).norm() > same_point * q.tie + q.seam
            && (q.centre - nearest).squaredNorm() < (q.centre - x).squaredNorm())
            return true;
    }
    return false;
}

bool is_local_minimum(const Query& q, const SphereSurfaceContact& contact)
{
    if (contact.kind == TriangleFeature::face)
        return true;
    if (rise(q, contact) > q.tie)
        return false;
    const bool surrounded = contact.kind == TriangleFeature::edge
        ? q.surface.edge_kind[contact.feature] == EdgeKind::internal
        : q.surface.vertex_internal[contact.feature] != 0;
    return surrounded || !is_crossed(q, contact.facet, contact.point);
}

/// Normal of a contact whose point is the centre, within round-off.
Vec3 normal_on_surface(const Query& q, const SphereSurfaceContact& contact)
{
    const Vec3 facet_normal = q.surface.orientation[contact.facet] * q.surface.normals[contact.facet];
    if (contact.kind == TriangleFeature::face) {
        const bool other_side = q.last_normal != nullptr && q.last_normal->dot(facet_normal) < 0;
        return other_side ? Vec3(-facet_normal) : facet_normal;
    }
    if (q.last_normal != nullptr)
        return *q.last_normal;
    const Vec3 mean = contact.kind == TriangleFeature::edge ? q.surface.edge_normal(contact.feature)
                                                            : q.surface.vertex_normal(contact.feature);
    return mean.squaredNorm() > 0.5 ? mean : facet_normal; // a doubled sheet has no mean
}

/// Contact with the nearest point of one facet. False if it is out of reach.
bool touch_facet(const Query& q, int facet, SphereSurfaceContact& contact)
{
    const EdgeTopology& surface = q.surface;
    const Triangle& corners = surface.facets[facet];
    const Vec3 &a = surface.positions[corners[0]], &b = surface.positions[corners[1]],
               &c = surface.positions[corners[2]];
    const Vec3& normal = surface.normals[facet];
    const Vec3* outward = &surface.outward[3 * facet];
    const Vec3 from_a = q.centre - a;
    const double height = normal.dot(from_a);
    const Vec3 beyond(outward[0].dot(from_a), outward[1].dot(q.centre - b), outward[2].dot(from_a)); // the three sides
    const double farthest = beyond.maxCoeff();
    const double aside = std::max(farthest, 0.0);
    if (!(height * height + aside * aside < q.radius * q.radius))
        return false; // most candidates end here
    contact.facet = facet;
    contact.patch = surface.patch[facet];
    double distance = std::abs(height);
    if (farthest < 0) {
        const Vec3 altitude(outward[0].dot(c - a), outward[1].dot(a - b), outward[2].dot(b - c)); // negative
        contact.weights = {beyond[1] / altitude[1], beyond[2] / altitude[2], beyond[0] / altitude[0]};
        contact.kind = TriangleFeature::face;
        contact.feature = facet;
        contact.point = q.centre - height * normal;
        contact.n = std::copysign(1.0, height) * normal;
    } else {
        const TrianglePoint nearest = closest_point_on_triangle(q.centre, a, b, c);
        distance = (q.centre - nearest.point).norm();
        if (!(distance < q.radius))
            return false;
        contact.weights = {nearest.weights[0], nearest.weights[1], nearest.weights[2]};
        contact.kind = nearest.feature;
        contact.feature = nearest.feature == TriangleFeature::face ? facet
            : nearest.feature == TriangleFeature::edge             ? surface.facet_edges[facet][nearest.index]
                                                                   : corners[nearest.index];
        contact.point = nearest.point;
        contact.n = (q.centre - nearest.point) / distance;
    }
    contact.overlap = q.radius - distance;
    if (!(distance > q.on_surface))
        contact.n = normal_on_surface(q, contact);
    return true;
}

/// Of the contacts from `first` on, the deepest first; leaves out what is at the place of a deeper one.
void merge(const Query& q, std::size_t first, std::vector<SphereSurfaceContact>& contacts)
{
    if (contacts.size() < first + 2)
        return;
    const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, contacts.end(), [](const SphereSurfaceContact& a, const SphereSurfaceContact& b) {
        return a.overlap != b.overlap ? a.overlap > b.overlap : a.facet < b.facet;
    });
    const double near = same_point * q.tie + q.seam;
    auto end = begin;
    for (const SphereSurfaceContact& contact : std::span(begin, contacts.end())) {
        const auto deeper = std::find_if(begin, end, [&](const SphereSurfaceContact& other) {
            return (other.point - contact.point).squaredNorm() < near * near;
        });
        if (deeper == end)
            *end++ = contact;
        else if ((deeper->point - contact.point).squaredNorm() < 4 * q.tie * q.tie
            && rise(q, contact) < rise(q, *deeper))
            *deeper = contact; // a tie, as deep to round-off: the true minimum has the better normal
    }
    contacts.erase(end, contacts.end());
}

/// The overlap stays: that of the turned normal would not fade as the sphere leaves.
void turn_normal(const Query& q, SphereSurfaceContact& contact)
{
    const ContactNormal turned = normal_by_zones(q.surface, contact, q.centre, q.radius, q.last_normal);
    contact.n = turned.n;
    contact.point = q.centre - turned.distance * turned.n;
}

} // namespace

ContactNormal raw_normal(const SphereSurfaceContact& raw, double radius)
{
    return {raw.n, raw.kind, raw.feature, raw.facet, radius - raw.overlap};
}

ContactNormal normal_by_zones(const EdgeTopology& surface, const SphereSurfaceContact& raw, const Vec3& centre,
    double radius, const Vec3* last_normal)
{
    const ContactNormal unturned = raw_normal(raw, radius);
    const double at_surface = on_surface(tie_of(centre, radius));
    if (!(unturned.distance > at_surface))
        return unturned; // the mean normal
    if (raw.kind == TriangleFeature::edge && surface.edge_kind[raw.feature] == EdgeKind::internal) {
        const std::array<int, 3>& edges = surface.facet_edges[raw.facet];
        const auto k = std::find(edges.begin(), edges.end(), raw.feature) - edges.begin();
        const int side = 3 * raw.facet + static_cast<int>(k);
        const SmoothedNormal smoothed = smooth_edge_normal(
            raw.n, surface.normals[raw.facet], surface.outward[side], surface.folds[side], last_normal);
        if (smoothed.zone == EdgeZone::blue)
            return unturned;
        const int facet = smoothed.zone == EdgeZone::red ? surface.across(side) / 3 : raw.facet;
        return {smoothed.n, TriangleFeature::face, facet, facet, (centre - raw.point).dot(smoothed.n)};
    }
    if (raw.kind == TriangleFeature::vertex && surface.vertex_internal[raw.feature]) {
        const FanPoint nearest = nearest_on_fan(surface, raw.feature, centre);
        const double distance = (centre - nearest.point).norm();
        if (!(distance > at_surface) || nearest.kind == TriangleFeature::vertex)
            return unturned;
        return {(centre - nearest.point) / distance, nearest.kind, nearest.feature, nearest.facet, distance};
    }
    return unturned;
}

void find_sphere_surface_contacts(const EdgeTopology& surface, std::span<const int> candidates, const Vec3& centre,
    double radius, EdgeRule rule, std::vector<SphereSurfaceContact>& contacts, const Vec3* last_normal)
{
    contacts.clear();
    add_sphere_surface_contacts(surface, candidates, centre, radius, rule, contacts, last_normal);
}

void add_sphere_surface_contacts(const EdgeTopology& surface, std::span<const int> candidates, const Vec3& centre,
    double radius, EdgeRule rule, std::vector<SphereSurfaceContact>& contacts, const Vec3* last_normal)
{
    const double tie = tie_of(centre, radius);
    const Query q{.surface = surface,
        .candidates = candidates,
        .centre = centre,
        .radius = radius,
        .tie = tie,
        .seam = std::min(surface.seam, 0.01 * radius),
        .on_surface = on_surface(tie),
        .last_normal = last_normal};
    const std::size_t first = contacts.size();
    for (int facet : candidates) {
        if (surface.is_left_out(facet))
            continue;
        SphereSurfaceContact& contact = contacts.emplace_back(); // in its place: kept or taken back
        if (!touch_facet(q, facet, contact) || (rule == EdgeRule::smooth && !is_local_minimum(q, contact)))
            contacts.pop_back();
        else if (rule == EdgeRule::zones)
            turn_normal(q, contact);
    }
    if (rule == EdgeRule::smooth)
        merge(q, first, contacts);
}

} // namespace stickslip
