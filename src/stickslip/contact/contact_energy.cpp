#include "stickslip/contact/contact_set.h"
#include "stickslip/contact/relax/entry_point.h"
#include "stickslip/contact/surfaces/facet_axes.h"
#include "stickslip/contact/surfaces/shared_contact.h"
#include "stickslip/geometry/queries/contact_shares.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace stickslip {

namespace {

/// Of a ball's centre from the facet of a deformable body that it is attached to.
struct FromSoft {
    Vec3 n; // unit, world axes
    double distance; // [m] along n

    FromSoft(const DeformableSet& set, std::span<const Vec3> x, const Attachment& attachment, const Vec3& centre)
    {
        const auto& [i, j, k] = set.triangles[set.bodies[attachment.surface_body].triangles.begin + attachment.patch];
        n = facet_axes(x[i], x[j], x[k]) * attachment.n;
        distance = distance_along(n, centre, x[i], x[j], x[k]);
    }
};

/// Attachments of the same ball on the same surface, which follow one another.
std::span<const Attachment> of_same_ball(const std::vector<Attachment>& attachments, const Attachment& own)
{
    const auto name = [](const Attachment& a) { return std::tie(a.point_body, a.surface_body, a.point); };
    Attachment first = own;
    first.slot = std::numeric_limits<int>::min();
    const auto begin = std::lower_bound(attachments.begin(), attachments.end(), first);
    return {begin, std::find_if(begin, attachments.end(), [&](const Attachment& a) { return name(a) != name(own); })};
}

/// Share of its force that an attachment has beside the others of its ball on the same deformable body.
double share_on_soft(const DeformableSet& set, std::span<const Vec3> x, std::span<const Attachment> all,
    const Attachment& own, const Vec3& centre)
{
    const FromSoft from(set, x, own, centre);
    double share = 1;
    for (const Attachment& a : all)
        if (const FromSoft other(set, x, a, centre); &a != &own && from.distance > 0 && other.distance > 0)
            share *= share_beside(from.distance, from.n, other.distance, other.n).share;
    return share;
}

/// The same on triangles that keep their shape. U: the centre in their frame.
double share_on_triangles(const TriangulatedSurface& surface, double radius, std::span<const Attachment> all,
    const Attachment& own, const Vec3& U)
{
    std::vector<Touching> touching;
    std::size_t index = 0;
    for (const Attachment& a : all) {
        const double distance = distance_of_attached(surface.topology, a, U);
        if (&a == &own)
            index = touching.size();
        if (distance >= 0 && distance < radius)
            touching.push_back({a.n, radius - distance});
        else if (&a == &own)
            return 1;
    }
    ContactShares().find(touching);
    return touching[index].push / touching[index].depth;
}

} // namespace

double contact_energy(const ContactBodies& bodies, double t, std::span<const Vec3> x, std::span<const RigidState> rigid,
    const std::vector<Attachment>& attachments)
{
    const auto points_frame = [&](int body) {
        if (bodies.is_obstacle(body))
            return frame_at(bodies.obstacle(body).motion, bodies.obstacle(body).start, t);
        const RigidState& r = rigid[body - bodies.first_rigid()];
        return Frame{r.x, r.R.toRotationMatrix()};
    };
    const auto frame = [&](int body) {
        const Frame of_points = points_frame(body);
        return bodies.is_obstacle(body) ? of_points : solid_frame(bodies.rigid(body), of_points.x, of_points.R);
    };
    double sum = 0;
    for (const Attachment& a : attachments) {
        const double k = a.stiffness_scale * bodies.stiffness(a.point_body, a.surface_body, a.point);
        const Frame points = bodies.is_deformable(a.point_body) ? Frame{} : points_frame(a.point_body);
        if (bodies.is_deformable(a.surface_body)) {
            const RoundPoint& ball = bodies.rounds(a.point_body)[a.point - bodies.first_ball(a.point_body)];
            const Vec3 centre = points.to_world(ball.centre);
            const double d = FromSoft(*bodies.deformables, x, a, centre).distance - ball.radius;
            const bool shares = bodies.triangles(a.surface_body)->rule == EdgeRule::smooth;
            const double share =
                shares ? share_on_soft(*bodies.deformables, x, of_same_ball(attachments, a), a, centre) : 1;
            sum += 0.5 * k * share * (d * d + a.X.squaredNorm());
            continue;
        }
        const Frame surface = frame(a.surface_body);
        const LevelSet& solid = bodies.solid(a.surface_body);
        if (a.point >= bodies.first_rim_point(a.point_body)) {
            const int rim_point = a.point - bodies.first_rim_point(a.point_body);
            const Rim& rim = bodies.rims(a.point_body)[rim_point / Rim::point_count];
            const Frame body{points.to_world(rim.centre), points.R};
            sum += rim_energy(solid, surface, rim, rim_point % Rim::point_count, body, a) * k;
            continue;
        }
        if (a.point >= bodies.first_ball(a.point_body)) {
            const RoundPoint& ball = bodies.rounds(a.point_body)[a.point - bodies.first_ball(a.point_body)];
            const Vec3 U = surface.to_local(points.to_world(ball.centre));
            const TriangulatedSurface* triangles = bodies.is_ball_on_triangles(a.point_body, a.surface_body)
                ? &*bodies.triangles(a.surface_body)
                : nullptr;
            const double d =
                (triangles ? distance_of_attached(triangles->topology, a, U) : signed_distance(solid, U)) - ball.radius;
            const double share = triangles && triangles->rule == EdgeRule::smooth
                ? share_on_triangles(*triangles, ball.radius, of_same_ball(attachments, a), a, U)
                : 1;
            sum += 0.5 * k * share * (d * d + a.X.squaredNorm());
            continue;
        }
        const Vec3 Z = bodies.is_deformable(a.point_body) ? x[surface_node(*bodies.deformables, a.point_body, a.point)]
                                                          : points.to_world(bodies.samples(a.point_body)[a.point].z);
        const Vec3 U = surface.to_local(Z);
        const double share = rim_share(solid, a.patch, a.X, -patch_distance(solid, a.patch, U)).weight;
        sum += 0.5 * k * share * share * (U - a.X).squaredNorm();
    }
    return sum;
}

} // namespace stickslip
