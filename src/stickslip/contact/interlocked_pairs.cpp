#include "stickslip/contact/interlocked_pairs.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace stickslip {

namespace {

constexpr double stiffened_in_vain =
    20; // [-] stiffness_scale: what carries a pile of boxes needs less, and impacts are over
constexpr double kept_force = 0.02; // [-] of the force that a contact had
constexpr double least_stiffness_scale = 1e-3; // [-]

bool has_flat_faces(const LevelSet& solid)
{
    return std::holds_alternative<Box>(solid) || std::holds_alternative<std::shared_ptr<const ConvexPolyhedron>>(solid);
}

/// A solid with flat faces where it is after the step.
struct Placed {
    const LevelSet& solid;
    Frame frame;
    std::vector<Vec3> points; // [m, world] its corners among them

    Placed(const ContactBodies& bodies, int body, const Frame& solid_frame)
        : solid(bodies.solid(body))
        , frame(solid_frame)
    {
        const Vec3 centre = bodies.is_rigid(body) ? bodies.rigid(body).centre : Vec3(Vec3::Zero());
        for (const SurfaceSample& sample : bodies.samples(body))
            points.push_back(frame.to_world(sample.z + centre));
    }
    int faces() const { return patch_count(solid); }
    Vec3 normal(int face) const { return frame.R * sample_patch(solid, face, Vec3::Zero()).n; }
    double farthest(const Vec3& n) const
    {
        double most = -infinity;
        for (const Vec3& P : points)
            most = std::max(most, n.dot(P));
        return most;
    }
    int face_towards(const Vec3& n) const
    {
        int best = 0;
        for (int face = 1; face < faces(); ++face)
            if (normal(face).dot(n) > normal(best).dot(n))
                best = face;
        return best;
    }
};

/// The unit way [world] by which the first has to go least to be clear of the second: across a face of either, or
/// across an edge of each, where both are boxes.
Vec3 shortest_way_out(const Placed& first, const Placed& second)
{
    Vec3 way = Vec3::Zero();
    double least = infinity;
    const auto try_way = [&](const Vec3& n) {
        if (const double overlap = second.farthest(n) + first.farthest(-n); overlap < least) {
            least = overlap;
            way = n;
        }
    };
    for (int face = 0; face < first.faces(); ++face)
        try_way(-first.normal(face));
    for (int face = 0; face < second.faces(); ++face)
        try_way(second.normal(face));
    if (!std::holds_alternative<Box>(first.solid) || !std::holds_alternative<Box>(second.solid))
        return way;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const Vec3 n = first.frame.R.col(i).cross(second.frame.R.col(k));
            if (n.norm() < 1e-6) // the edges are parallel: a face's way is as short
                continue;
            try_way(n.normalized());
            try_way(-n.normalized());
        }
    return way;
}

std::pair<int, int> bodies_of(const NextContact& c)
{
    return std::minmax({c.contact->point_body, c.contact->surface_body});
}

/// What the contact does to the body with the lower number [N, world]: its normal force.
Vec3 push_on_first(const NextContact& c)
{
    const Vec3 push = c.contact->k * c.contact->at.depth * c.contact->at.n;
    return c.contact->point_body < c.contact->surface_body ? push : Vec3(-push);
}

/// Whether contacts that are deeper than what is allowed, however firm they grew, press against others.
bool is_interlocked(std::span<NextContact* const> contacts, double allowed)
{
    const auto opposes = [](const Vec3& f, const Vec3& other) {
        return f.dot(other) < -0.5 * f.norm() * other.norm() && other.norm() > 0.1 * f.norm();
    };
    return std::any_of(contacts.begin(), contacts.end(), [&](const NextContact* c) {
        return c->contact->at.depth > 1.1 * allowed && c->attachment.stiffness_scale > stiffened_in_vain
            && std::any_of(contacts.begin(), contacts.end(),
                [&](const NextContact* other) { return opposes(push_on_first(*c), push_on_first(*other)); });
    });
}

void part_pair(const ContactBodies& bodies, std::span<const Frame> solids, std::span<NextContact* const> contacts)
{
    const auto [a, b] = bodies_of(*contacts[0]);
    const auto placed = [&](int body) { return Placed(bodies, body, solids[body - bodies.first_rigid()]); };
    const Placed first = placed(a), second = placed(b);
    const Vec3 way = shortest_way_out(first, second);
    const auto pushes_out = [&](const NextContact& c) {
        const Vec3 push = push_on_first(c);
        return push.dot(way) >= 0.5 * push.norm(); // two that do are no more than 120 degrees apart: not interlocked
    };
    double outward = 0;
    Vec3 all = Vec3::Zero();
    for (const NextContact* c : contacts) {
        all += push_on_first(*c);
        if (pushes_out(*c))
            outward += push_on_first(*c).norm();
    }
    const double keep = outward > 0 ? std::clamp(all.norm() / outward, kept_force, 1.0) : 1.0;
    for (NextContact* c : contacts) {
        const Contact& was = *c->contact;
        if (pushes_out(*c)) {
            const double stiffness_scale = std::max(keep * was.at.stiffness_scale, least_stiffness_scale);
            c->energy *= stiffness_scale / c->attachment.stiffness_scale;
            c->attachment.stiffness_scale = stiffness_scale;
            continue;
        }
        const bool is_first = was.point_body == a;
        const Placed& surface = is_first ? second : first;
        const int face = surface.face_towards(is_first ? way : Vec3(-way));
        const Vec3 U = surface.frame.to_local(was.Z);
        const Projection at = project_to_surface(surface.solid, face, U);
        const double stiffness_scale =
            std::clamp(kept_force * was.at.stiffness_scale * was.at.depth / -at.phi, least_stiffness_scale, 1.0);
        c->energy = 0.5 * was.k * stiffness_scale / was.at.stiffness_scale * at.phi * at.phi;
        c->attachment.patch = face;
        c->attachment.X = at.W;
        c->attachment.stiffness_scale = stiffness_scale;
    }
}

} // namespace

void release_interlocked_pairs(
    const ContactBodies& bodies, std::span<const Frame> solids, double allowed, std::vector<NextContact>& contacts)
{
    std::vector<NextContact*> flat;
    for (NextContact& c : contacts) {
        const auto [a, b] = bodies_of(c);
        if (a >= bodies.first_rigid() && has_flat_faces(bodies.solid(a)) && has_flat_faces(bodies.solid(b)))
            flat.push_back(&c);
    }
    std::stable_sort(flat.begin(), flat.end(),
        [](const NextContact* c, const NextContact* d) { return bodies_of(*c) < bodies_of(*d); });
    for (auto begin = flat.begin(); begin != flat.end();) {
        const auto end =
            std::find_if(begin, flat.end(), [&](const NextContact* c) { return bodies_of(*c) != bodies_of(**begin); });
        if (const std::span<NextContact* const> pair(begin, end); is_interlocked(pair, allowed))
            part_pair(bodies, solids, pair);
        begin = end;
    }
}

} // namespace stickslip
