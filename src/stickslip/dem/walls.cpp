#include "stickslip/dem/walls.h"

#include "stickslip/dem/contact_force.h"
#include "stickslip/math/parallel.h"

namespace stickslip {

namespace {

/// Distance from a point to the wall [m] and the direction to it, world axes.
struct Approach {
    double distance;
    Vec3 n;
};

Approach approach(const LevelSet& solid, const Frame& frame, const Vec3& x)
{
    if (const Plane* plane = std::get_if<Plane>(&solid)) {
        const Vec3 n = frame.R * plane->normal;
        return {n.dot(x - frame.x), -n};
    }
    const LevelSetSample s = sample(solid, frame.to_local(x));
    return {s.phi, -(frame.R * s.n).normalized()};
}

template <NormalLaw law, bool ledger>
WallForce meet(const PairSystem& s, const GranularWall& wall, const GranularMaterial& material, const WallPose& pose,
    WallContacts& contacts, std::size_t c, std::vector<Load>& sums)
{
    const int i = contacts.sphere[c];
    const SpherePlace& a = s.spheres.place[i];
    const SphereMotion& p = s.spheres.motion[i];
    const PairLaw& pair = s.laws[s.spheres.material[i] * s.materials + wall.material];
    ContactHistory& history = contacts.history;
    const Approach to = approach(wall.solid, pose.frame, a.x);
    const double overlap = a.radius - to.distance;
    const bool fresh = !history.touching[c];
    const double stiffness = law == NormalLaw::linear ? 1 / (p.compliance + side_compliance(material, a.radius)) : 0;
    Vec3* turn = history.turn.empty() ? nullptr : &history.turn[c];
    WallForce result;
    if (!(overlap > (fresh ? begins_at<law>(pair, a.radius) : ends_at<law>(pair, a.radius)))) {
        if (ledger && !fresh)
            book_release<law>(pair, a.radius, stiffness, history.slip[c], turn, result.losses);
        history.touching[c] = 0;
        return result;
    }
    const Vec3 arm = to.distance * to.n; // from the centre to the contact
    const Vec3 from_frame = a.x + arm - pose.frame.x;
    const Vec3 conveyed = pose.frame.R * wall.surface_velocity;
    const Vec3 carried = conveyed - conveyed.dot(to.n) * to.n;
    const Vec3 wall_v = pose.middle.v + pose.middle.w.cross(from_frame) + carried;
    Meeting<double> m;
    m.n = triple(to.n);
    m.overlap = overlap;
    m.radius = a.radius;
    m.mass = 1 / p.inverse_mass;
    m.velocity = triple(wall_v - p.v - p.w.cross(arm));
    m.separation = (wall_v - p.v).dot(to.n);
    m.spin = triple(pose.middle.w - p.w);
    Vec3 frame_turn = (0.5 * s.dt * (p.w + pose.middle.w).dot(to.n)) * to.n;
    if (!fresh)
        frame_turn += contacts.normal[c].cross(to.n);
    m.frame_turn = triple(frame_turn);
    m.fresh = fresh;
    contacts.normal[c] = to.n;
    history.touching[c] = 1;
    const Vec3 later_wall_v = pose.end.v + pose.end.w.cross(from_frame) + carried;
    if (ledger) {
        const SphereAcceleration& rate = s.spheres.acceleration[i];
        m.later_velocity =
            triple(later_wall_v - p.v - p.w.cross(arm) - 0.5 * s.dt * (rate.linear + rate.angular.cross(arm)));
        m.later_spin = triple(pose.end.w - p.w - 0.5 * s.dt * rate.angular);
    }
    const Elasticity<double> elastic =
        elasticity<law>(pair, overlap, overlap + s.dt * m.separation, a.radius, stiffness);
    Springs<double> springs = {.slip = triple(history.slip[c])};
    if (turn)
        springs.turn = triple(*turn);
    const ContactForce<double> f = turn
        ? contact_force<true, true, ledger>(resistance<law>(pair), elastic, m, s.dt, springs)
        : contact_force<true, false, ledger>(resistance<law>(pair), elastic, m, s.dt, springs);
    history.slip[c] = vec3(springs.slip);
    if (turn)
        *turn = vec3(springs.turn);
    const Vec3 force = vec3(f.force), moment = vec3(f.moment);
    sums[i] += Load{force, arm.cross(force) + moment};
    result.load = {-force, -from_frame.cross(force) - moment};
    result.power = force.dot(later_wall_v) + moment.dot(pose.end.w);
    result.losses += {f.friction_loss, f.rolling_loss, f.damping_loss, 0};
    return result;
}

} // namespace

WallPose wall_pose(const GranularWall& wall, double end_time, double dt)
{
    return {.frame = frame_at(wall.motion, wall.start, end_time),
        .middle = velocity_at(wall.motion, end_time - 0.5 * dt),
        .end = velocity_at(wall.motion, end_time)};
}

std::vector<int> spheres_near(const GranularWall& wall, const Frame& frame, const Spheres& spheres, double margin)
{
    std::vector<std::uint8_t> near(spheres.size());
    parallel_for(
        spheres.size(),
        [&](std::size_t i) {
            const SpherePlace& s = spheres.place[i];
            near[i] = signed_distance(wall.solid, frame.to_local(s.x)) < s.radius + margin;
        },
        2048);
    std::vector<int> slots;
    for (std::size_t i = 0; i < near.size(); ++i) {
        if (near[i])
            slots.push_back(static_cast<int>(i));
    }
    return slots;
}

WallForce add_wall_forces(const PairSystem& system, bool ledger, const GranularWall& wall,
    const GranularMaterial& material, const WallPose& pose, WallContacts& contacts, std::vector<Load>& sums)
{
    return with_law(system.law, [&]<NormalLaw law>() {
        return ordered_sum(
            contacts.sphere.size(), WallForce{},
            [&](std::size_t c) {
                return ledger ? meet<law, true>(system, wall, material, pose, contacts, c, sums)
                              : meet<law, false>(system, wall, material, pose, contacts, c, sums);
            },
            256);
    });
}

ElasticEnergy wall_energy(const PairSystem& s, const GranularWall& wall, const GranularMaterial& material,
    const Frame& frame, const WallContacts& contacts)
{
    return with_law(s.law, [&]<NormalLaw law>() {
        ElasticEnergy energy;
        for (std::size_t c = 0; c < contacts.sphere.size(); ++c) {
            if (!contacts.history.touching[c])
                continue;
            const int i = contacts.sphere[c];
            const SpherePlace& a = s.spheres.place[i];
            const PairLaw& pair = s.laws[s.spheres.material[i] * s.materials + wall.material];
            const double stiffness = 1 / (s.spheres.motion[i].compliance + side_compliance(material, a.radius));
            const double overlap = a.radius - approach(wall.solid, frame, a.x).distance;
            const double kt = normal_force<law>(pair, overlap, a.radius, stiffness).shear_stiffness;
            energy.normal += normal_energy<law>(pair, overlap, a.radius, stiffness);
            energy.tangential += 0.5 * kt * contacts.history.slip[c].squaredNorm();
            if (!contacts.history.turn.empty())
                energy.rolling += 0.5 * kt * a.radius * a.radius * contacts.history.turn[c].squaredNorm();
        }
        return energy;
    });
}

} // namespace stickslip
