#include "stickslip/dem/bodies/point_contacts.h"

#include "stickslip/dem/pairs/static_force.h"
#include "stickslip/geometry/queries/way_through.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace stickslip {

namespace {

/// The image of a place that meets a solid with this centre, in a periodic box.
Vec3 image_in(const GranularWall& solid, const Vec3& centre, const PeriodicBox& box, const Vec3& x)
{
    return solid.body >= 0 ? box.nearest(x, centre) : box.wrapped(x);
}

/// A point and the solid it is near, now.
struct Approach {
    Vec3 x; // [m] centre of its ball, where it meets the solid
    Vec3 shift; // [m] from where it is with its own wall: whole periodic boxes
    Vec3 n; // unit, from the point into the solid, world axes
    double overlap; // [m]
    double radius; // [m] of its ball

    Vec3 place() const { return x + (radius - 0.5 * overlap) * n; } // [m] of the force
};

Approach approach(const SolidMeeting& m, const PointPlace& at)
{
    const SurfacePoint& point = m.walls[at.wall].points[at.point];
    const Frame& frame = m.poses[at.solid].frame;
    const Vec3 own = m.poses[at.wall].frame.to_world(point.z);
    const Vec3 x = image_in(m.walls[at.solid], m.poses[at.solid].centre, m.box, own);
    const LevelSetSample s = sample(*m.walls[at.solid].solid(), frame.to_local(x));
    return {x, x - own, -(frame.R * s.n).normalized(), point.radius - s.phi, point.radius};
}

/// What the answer of a point hangs on.
struct PointLaw {
    PairLaw pair; // weighted
    double R, stiffness; // [m], [N/m]
};

PointLaw point_law(const SolidMeeting& m, const PointPlace& at)
{
    const GranularWall &wall = m.walls[at.wall], &solid = m.walls[at.solid];
    const SurfacePoint& point = wall.points[at.point];
    const double R = point.radius > 0 ? point.radius : std::min(wall.size, solid.size);
    PointLaw law = {m.laws[wall.material * m.materials.size() + solid.material], R, 0};
    law.pair.young *= point.weight;
    law.pair.shear *= point.weight;
    const double compliance =
        side_compliance(m.materials[wall.material], R) + side_compliance(m.materials[solid.material], R);
    law.stiffness = law.pair.stiffness > 0 ? point.weight * law.pair.stiffness : point.weight / compliance;
    return law;
}

/// What the points of one wall that are in the solid of another press with, together.
struct Press {
    int wall, solid;
    double weight = 0; // [-] sum of w
    Vec3 n = Vec3::Zero(); // [-] sum of w n
    Vec3 arm = Vec3::Zero(), arm_of_solid = Vec3::Zero(); // [m] sum of w r, from the centres of mass

    /// And those of the other in the one.
    void add_opposite(const Press& other)
    {
        weight += other.weight;
        n -= other.n;
        arm += other.arm_of_solid;
        arm_of_solid += other.arm;
    }
};

/// Mass that a point is stopped with [kg]. Points that press the same way stop the two bodies together, at their
/// middle, each its share of the stiffness; so a face rebounds as one point does, from any number of points. Nothing
/// where both bodies are held along the normal: then no speed of theirs is to be stopped.
std::optional<double> stopped_mass(const SolidMeeting& m, const PointPlace& at, const Press& press, const Vec3& n,
    const Vec3& arm, const Vec3& arm_of_solid)
{
    constexpr double held = 1e-12; // [-] of what a free body would give way; more than round-off
    const double own = m.walls[at.wall].points[at.point].weight, all = std::max(own, press.n.dot(n));
    const double together = std::min(all / own - 1, 1.0); // 0: alone
    const auto middle = [&](const Vec3& alone, const Vec3& sum) {
        return Vec3(alone + together * (sum / press.weight - alone));
    };
    const Mobility &first = m.poses[at.wall].mobility, &second = m.poses[at.solid].mobility;
    const auto gives_way = [&](const Mobility& body, const Vec3& at_arm) { // [1/kg]
        const double along = body.along(n, at_arm);
        return along > held * body.most(at_arm) ? along : 0;
    };
    const double inverse =
        gives_way(first, middle(arm, press.arm)) + gives_way(second, middle(arm_of_solid, press.arm_of_solid));
    if (!(inverse > 0))
        return std::nullopt;
    return own / all / inverse;
}

/// Velocity of a wall's surface at a place, in the drift.
Vec3 way(const SolidMeeting& m, int wall, const Vec3& x)
{
    const WallPose& pose = m.poses[wall];
    const Vec3 r = x - pose.frame.x;
    return pose.middle.v + pose.middle.w.cross(r - 0.5 * m.dt * pose.middle.w.cross(r));
}
Vec3 later_velocity(const SolidMeeting& m, int wall, const Vec3& x)
{
    return m.poses[wall].end.v + m.poses[wall].end.w.cross(x - m.poses[wall].frame.x);
}
/// Of a surface that moves while its shape stays, which drags along its tangent plane.
Vec3 along_surface(const Vec3& belt, const Vec3& n)
{
    return belt - belt.dot(n) * n;
}

/// Way of a point past a solid in this step, in the solid's frame.
Vec3 way_past(const SolidMeeting& m, const PointPlace& at, const Approach& to)
{
    return m.poses[at.solid].frame.R.transpose() * (m.dt * (way(m, at.wall, to.x - to.shift) - way(m, at.solid, to.x)));
}

/// How far that way leads into the solid [m].
double way_into(const SolidMeeting& m, const PointPlace& at, const Approach& to)
{
    constexpr double at_surface = 1e-3; // [-] of half a thickness: a point counts as a ball that small
    const LevelSet& solid = *m.walls[at.solid].solid();
    const double radius = std::max(to.radius, at_surface * m.half_thickness[at.solid]);
    const Vec3 gone = way_past(m, at, to);
    return approach(solid, radius, m.poses[at.solid].frame.to_local(to.x) - gone, gone, 1).norm();
}

/// Whether a point that touches is pushed out at another side than it came in by, or a ball's centre is in the solid.
/// Near the surface a point may go round an edge.
bool has_passed(const SolidMeeting& m, const PointPlace& at, const Approach& to, bool fresh, PointEntry& entry)
{
    constexpr double well_inside = 0.25; // [-] of half of what the solid is thick
    constexpr double other_side = -0.5; // [-] cosine: more than round one edge of a box
    const Vec3 n = m.poses[at.solid].frame.R.transpose() * to.n;
    if (fresh)
        entry = {n, 0};
    if (to.radius > 0) {
        const Vec3 last = std::exchange(entry.n, n);
        return to.overlap > to.radius || (last.dot(n) < 0 && way_into(m, at, to) > 0);
    }
    const double depth = to.overlap / m.half_thickness[at.solid], last = std::exchange(entry.depth, depth);
    if (std::max(depth, last) < well_inside)
        entry.n = n;
    return entry.n.dot(n) < other_side;
}

/// Of a point that touches.
void watch(const SolidMeeting& m, const PointPlace& at, const Approach& to, bool fresh, PointEntry& entry,
    PointTrouble& trouble)
{
    const double half = to.radius > 0 ? to.radius : std::min(m.half_thickness[at.wall], m.half_thickness[at.solid]);
    if (to.overlap / half > trouble.deepest) {
        trouble.deepest = to.overlap / half;
        trouble.at = at;
    }
    if (has_passed(m, at, to, fresh, entry))
        trouble.passed = at;
}

struct PointForce {
    bool touches = false, fresh = false;
    Vec3 x, force; // [m], [N] on the point; the solid gets the opposite, there
    Vec3 x_of_wall; // [m] the same place with the point's own wall: elsewhere in a periodic box
    double power = 0; // [W] that walls of no body gave
    ContactLosses losses;
};

/// Of sorted presses; null: not among them.
const Press* find(const std::vector<Press>& presses, int wall, int solid)
{
    const auto at = std::lower_bound(presses.begin(), presses.end(), std::pair(wall, solid),
        [](const Press& p, const auto& key) { return std::pair(p.wall, p.solid) < key; });
    return at != presses.end() && at->wall == wall && at->solid == solid ? &*at : nullptr;
}

/// Of each wall and solid that are near, sorted.
std::vector<Press> pressing(
    const SolidMeeting& m, const std::vector<PointPlace>& near, const std::vector<Approach>& approaches)
{
    std::vector<Press> own;
    for (std::size_t c = 0; c < near.size(); ++c) {
        const PointPlace& at = near[c];
        if (own.empty() || own.back().wall != at.wall || own.back().solid != at.solid)
            own.push_back({.wall = at.wall, .solid = at.solid});
        const Approach& to = approaches[c];
        if (!(to.overlap > 0))
            continue;
        const double w = m.walls[at.wall].points[at.point].weight;
        Press& press = own.back();
        press.weight += w;
        press.n += w * to.n;
        press.arm += w * (to.place() - to.shift - m.poses[at.wall].centre);
        press.arm_of_solid += w * (to.place() - m.poses[at.solid].centre);
    }
    std::vector<Press> all = own;
    for (Press& press : all)
        if (const Press* opposite = find(own, press.solid, press.wall))
            press.add_opposite(*opposite);
    return all;
}

template <NormalLaw law>
PointForce meet(const SolidMeeting& m, const PointPlace& at, const Approach& to, const Press& press, bool ledger,
    Vec3& slip, std::uint8_t& touching, Vec3& normal)
{
    const bool fresh = !touching;
    PointForce result;
    if (!(to.overlap > 0)) {
        if (ledger && !fresh) {
            const PointLaw answer = point_law(m, at);
            book_release<law>(answer.pair, answer.R, answer.stiffness, slip, nullptr, result.losses);
        }
        touching = 0;
        return result;
    }
    const PointLaw answer = point_law(m, at);
    const Vec3 x = to.place();
    const Vec3 x_of_wall = x - to.shift;
    const WallPose &first = m.poses[at.wall], &second = m.poses[at.solid];
    const Vec3 belt = along_surface(second.belt_middle - first.belt_middle, to.n);
    const Vec3 v = way(m, at.solid, x) - way(m, at.wall, x_of_wall);
    Meeting<double> now;
    now.n = triple(to.n);
    now.overlap = to.overlap;
    now.separation = v.dot(to.n);
    now.velocity = triple(v + belt);
    now.radius = answer.R;
    Resistance<double> resist = resistance<law>(answer.pair);
    const auto mass = stopped_mass(m, at, press, to.n, x_of_wall - first.centre, x - second.centre);
    if (!mass)
        resist.damping = resist.shear_damping = 0;
    now.mass = mass.value_or(1); // any, where nothing is damped
    now.spin = triple(second.middle.w - first.middle.w);
    const Vec3 spin = 0.5 * (first.middle.w + second.middle.w);
    const Vec3 normal_turn = fresh ? Vec3(Vec3::Zero()) : normal.cross(to.n);
    now.frame_turn = triple(normal_turn + (m.dt * spin.dot(to.n)) * to.n);
    now.fresh = fresh;
    if (ledger) {
        const Vec3 later_belt = along_surface(second.belt_end - first.belt_end, to.n);
        now.later_velocity =
            triple(later_velocity(m, at.solid, x) - later_velocity(m, at.wall, x_of_wall) + later_belt);
        now.later_spin = triple(second.end.w - first.end.w);
    }
    const Elasticity<double> elastic =
        elasticity<law>(answer.pair, to.overlap, to.overlap + m.dt * now.separation, answer.R, answer.stiffness);
    Springs<double> springs = {.slip = triple(slip), .turn = {0, 0, 0}};
    const ContactForce<double> f = contact_force<true, false>(resist, elastic, now, m.dt, ledger, springs);
    slip = vec3(springs.slip);
    normal = to.n;
    touching = 1;
    result.touches = true;
    result.fresh = fresh;
    result.x = x;
    result.x_of_wall = x_of_wall;
    result.force = vec3(f.force);
    if (ledger) {
        result.losses = {f.friction_loss, 0, f.damping_loss, 0};
        if (m.walls[at.wall].body < 0) // gives -v to what pushes it
            result.power -=
                result.force.dot(later_velocity(m, at.wall, x_of_wall) + along_surface(first.belt_end, to.n));
        if (m.walls[at.solid].body < 0)
            result.power += result.force.dot(later_velocity(m, at.solid, x) + along_surface(second.belt_end, to.n));
    }
    return result;
}

/// Laws with adhesion act as hertz.
template <typename Body>
decltype(auto) with_dry_law(NormalLaw law, const Body& body)
{
    return law == NormalLaw::linear ? body.template operator()<NormalLaw::linear>()
                                    : body.template operator()<NormalLaw::hertz>();
}

/// A ball around a wall's shape, world; infinite radius for a plane.
struct Ball {
    Vec3 x;
    double radius;
};

Ball ball_around(const GranularWall& wall, const Frame& frame)
{
    const LevelSet* solid = wall.solid();
    const Bounds box = solid ? bounds(*solid) : bounds(wall);
    if (!box.min.allFinite() || !box.max.allFinite())
        return {frame.x, infinity};
    return {frame.to_world(0.5 * (box.min + box.max)), 0.5 * (box.max - box.min).norm()};
}

} // namespace

double point_depth(
    std::span<const GranularWall> walls, std::span<const Frame> frames, const PeriodicBox& box, const PointPlace& at)
{
    const GranularWall& solid = walls[at.solid];
    const SurfacePoint& point = walls[at.wall].points[at.point];
    const Vec3 x = image_in(solid, ball_around(solid, frames[at.solid]).x, box, frames[at.wall].to_world(point.z));
    return point.radius - signed_distance(*solid.solid(), frames[at.solid].to_local(x));
}

std::vector<PointPlace> near_points(
    std::span<const GranularWall> walls, std::span<const Frame> frames, const PeriodicBox& box, double margin)
{
    std::vector<Ball> balls;
    for (std::size_t w = 0; w < walls.size(); ++w)
        balls.push_back(ball_around(walls[w], frames[w]));
    std::vector<PointPlace> near;
    for (std::size_t p = 0; p < walls.size(); ++p) {
        if (walls[p].points.empty())
            continue;
        for (std::size_t s = 0; s < walls.size(); ++s) {
            const LevelSet* solid = walls[s].solid();
            if (p == s || !solid || walls[p].body == walls[s].body) // also where both have none
                continue;
            const double apart = (box.nearest(balls[p].x, balls[s].x) - balls[s].x).norm();
            if (apart > balls[p].radius + balls[s].radius + margin)
                continue;
            for (std::size_t k = 0; k < walls[p].points.size(); ++k) {
                const SurfacePoint& point = walls[p].points[k];
                const Vec3 x = image_in(walls[s], balls[s].x, box, frames[p].to_world(point.z));
                if (signed_distance(*solid, frames[s].to_local(x)) < point.radius + margin)
                    near.push_back({static_cast<int>(p), static_cast<int>(k), static_cast<int>(s)});
            }
        }
    }
    return near;
}

PointContacts carried(const PointContacts& old, std::vector<PointPlace> near)
{
    PointContacts contacts;
    contacts.near = std::move(near);
    contacts.history.resize(contacts.near.size(), false);
    contacts.normal.assign(contacts.near.size(), Vec3::Zero());
    contacts.entry.resize(contacts.near.size());
    const auto key = [](const PointPlace& at) { return std::tuple(at.wall, at.solid, at.point); };
    std::size_t k = 0;
    for (std::size_t c = 0; c < contacts.near.size(); ++c) {
        while (k < old.near.size() && key(old.near[k]) < key(contacts.near[c]))
            ++k;
        if (k == old.near.size() || key(old.near[k]) != key(contacts.near[c]) || !old.history.touching[k])
            continue;
        contacts.history.take(c, old.history, k, 1);
        contacts.normal[c] = old.normal[k];
        contacts.entry[c] = old.entry[k];
    }
    return contacts;
}

WallForce add_point_forces(
    const SolidMeeting& m, bool ledger, PointContacts& contacts, std::vector<Load>& loads, PointTrouble& trouble)
{
    std::vector<Approach> approaches(contacts.near.size());
    parallel_for(
        approaches.size(), [&](std::size_t c) { approaches[c] = approach(m, contacts.near[c]); }, 64);
    const std::vector<Press> presses = pressing(m, contacts.near, approaches);
    std::vector<PointForce> forces(contacts.near.size());
    with_dry_law(m.law, [&]<NormalLaw law>() {
        parallel_for(
            forces.size(),
            [&](std::size_t c) {
                const PointPlace& at = contacts.near[c];
                const Press& press = *find(presses, at.wall, at.solid);
                Vec3 &slip = contacts.history.slip[c], &normal = contacts.normal[c];
                std::uint8_t& touching = contacts.history.touching[c];
                forces[c] = meet<law>(m, at, approaches[c], press, ledger, slip, touching, normal);
            },
            64);
    });
    WallForce sum;
    for (std::size_t c = 0; c < forces.size(); ++c) {
        const PointForce& f = forces[c];
        sum.power += f.power;
        sum.losses += f.losses;
        if (!f.touches)
            continue;
        const PointPlace& at = contacts.near[c];
        loads[at.wall] += {f.force, (f.x_of_wall - m.poses[at.wall].frame.x).cross(f.force)};
        loads[at.solid] += {-f.force, -(f.x - m.poses[at.solid].frame.x).cross(f.force)};
        watch(m, at, approaches[c], f.fresh, contacts.entry[c], trouble);
    }
    return sum;
}

void watch_for_jumps(const SolidMeeting& m, PointTrouble& trouble)
{
    const std::size_t count = m.walls.size();
    std::vector<Ball> balls;
    for (std::size_t w = 0; w < count; ++w)
        balls.push_back(ball_around(m.walls[w], m.poses[w].frame));
    const auto speed = [&](std::size_t w, const Vec3& x) {
        const WallPose& pose = m.poses[w];
        return Vec3(pose.middle.v + pose.middle.w.cross(x - pose.frame.x));
    };
    for (std::size_t p = 0; p < count; ++p) {
        for (std::size_t s = 0; s < count && !m.walls[p].points.empty(); ++s) {
            if (p == s || !m.walls[s].solid() || m.walls[p].body == m.walls[s].body || std::isinf(balls[s].radius))
                continue;
            const Vec3 moved = m.box.nearest(balls[p].x, balls[s].x);
            const double turn = m.poses[p].middle.w.norm() + m.poses[s].middle.w.norm();
            const double most =
                m.dt * ((speed(p, balls[p].x) - speed(s, moved)).norm() + turn * balls[p].radius); // way of a point
            if ((moved - balls[s].x).norm() > balls[p].radius + balls[s].radius + most)
                continue;
            for (std::size_t k = 0; k < m.walls[p].points.size(); ++k) {
                const double radius = m.walls[p].points[k].radius;
                const double half = radius > 0 ? radius : m.half_thickness[s];
                if (!(most > half))
                    continue;
                const PointPlace at = {static_cast<int>(p), static_cast<int>(k), static_cast<int>(s)};
                const double into = way_into(m, at, approach(m, at));
                if (into > half && into > trouble.jump) {
                    trouble.jump = into;
                    trouble.jumped = at;
                }
            }
        }
    }
}

ElasticEnergy point_energy(const SolidMeeting& m, const PointContacts& contacts)
{
    return with_dry_law(m.law, [&]<NormalLaw law>() {
        ElasticEnergy energy;
        for (std::size_t c = 0; c < contacts.near.size(); ++c) {
            if (!contacts.history.touching[c])
                continue;
            const PointLaw answer = point_law(m, contacts.near[c]);
            const double overlap = approach(m, contacts.near[c]).overlap;
            const double kt = normal_force<law>(answer.pair, overlap, answer.R, answer.stiffness).shear_stiffness;
            energy.normal += normal_energy<law>(answer.pair, overlap, answer.R, answer.stiffness);
            energy.tangential += 0.5 * kt * contacts.history.slip[c].squaredNorm();
        }
        return energy;
    });
}

void list_point_contacts(const SolidMeeting& m, const PointContacts& held, std::vector<GranularContact>& contacts)
{
    with_dry_law(m.law, [&]<NormalLaw law>() {
        for (std::size_t k = 0; k < held.near.size(); ++k) {
            if (!held.history.touching[k])
                continue;
            const PointPlace& at = held.near[k];
            const Approach to = approach(m, at);
            const PointLaw answer = point_law(m, at);
            GranularContact c{.first = -1, .second = -1, .wall = at.solid, .point_wall = at.wall, .point = at.point};
            c.n = to.n;
            c.overlap = to.overlap;
            c.x = m.box.wrapped(to.place());
            set_static_force<law>(answer.pair, answer.R, answer.stiffness, held.history.slip[k], c);
            contacts.push_back(c);
        }
    });
}

} // namespace stickslip
