#include "stickslip/dem/walls.h"

#include "stickslip/dem/wall_touch.h"
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

template <NormalLaw law>
WallForce meet_solid(const WallMeeting& w, WallContacts& contacts, std::size_t c, std::vector<LoadRows>& sums)
{
    const int slot = contacts.near.sphere[c];
    const SpherePlace& a = w.system.spheres.place[slot];
    const PairLaw& pair = wall_law(w, slot);
    ContactHistory& history = contacts.history;
    const Approach to = approach(std::get<LevelSet>(w.wall.shape), w.pose.frame, a.x);
    const double overlap = a.radius - to.distance;
    const bool fresh = !history.touching[c];
    Vec3* const turn = history.turn.empty() ? nullptr : &history.turn[c];
    WallForce none;
    if (!(overlap > (fresh ? begins_at<law>(pair, a.radius) : ends_at<law>(pair, a.radius)))) {
        if (w.ledger && !fresh)
            book_release<law>(pair, a.radius, wall_stiffness(w, slot), history.slip[c], turn, none.losses);
        history.touching[c] = 0;
        return none;
    }
    const WallTouch at = {.slot = slot,
        .n = to.n,
        .overlap = overlap,
        .normal_turn = fresh ? Vec3(Vec3::Zero()) : contacts.normal[c].cross(to.n),
        .frame_spin = Vec3::Zero(),
        .fresh = fresh};
    contacts.normal[c] = to.n;
    history.touching[c] = 1;
    return w.ledger ? touch<law, true>(w, at, history.slip[c], turn, sums)
                    : touch<law, false>(w, at, history.slip[c], turn, sums);
}

/// Contacts of the entries [begin, end) of contacts.near.
template <NormalLaw law>
STICKSLIP_WIDE WallForce meet_solid(
    const WallMeeting& w, WallContacts& contacts, std::size_t begin, std::size_t end, std::vector<LoadRows>& sums)
{
    WallForce sum;
    for (std::size_t c = begin; c < end; ++c)
        sum += meet_solid<law>(w, contacts, c, sums);
    return sum;
}

} // namespace

WallPose wall_pose(const GranularWall& wall, double end_time, double dt)
{
    return {.frame = frame_at(wall.motion, wall.start, end_time),
        .middle = velocity_at(wall.motion, end_time - 0.5 * dt),
        .end = velocity_at(wall.motion, end_time)};
}

WallPose wall_pose(const RigidBody& body, const BodyMotion& motion, double dt)
{
    WallPose pose{.frame = solid_frame(body, motion.x, motion.rotation())};
    const Vec3 arm = pose.frame.x - motion.x;
    const Vec3& w = motion.w;
    const Vec3 later_w = w + 0.5 * dt * motion.acceleration.angular;
    pose.middle = {motion.v + w.cross(arm - 0.5 * dt * w.cross(arm)), w};
    pose.end = {motion.v + 0.5 * dt * motion.acceleration.linear + later_w.cross(arm), later_w};
    pose.mobility = mobility(body, pose.frame.R);
    pose.centre = motion.x;
    return pose;
}

Bounds bounds(const GranularWall& wall)
{
    if (const auto* mesh = std::get_if<std::shared_ptr<const WallMesh>>(&wall.shape)) {
        Bounds box;
        for (const Vec3& X : (*mesh)->topology.positions)
            box.add(X);
        return box;
    }
    return bounds(std::get<LevelSet>(wall.shape));
}

NearWall near_wall(const GranularWall& wall, const Frame& frame, const Spheres& spheres, double margin)
{
    if (const auto* mesh = std::get_if<std::shared_ptr<const WallMesh>>(&wall.shape))
        return near_mesh(**mesh, frame, spheres, margin);
    NearWall near;
    const LevelSet& solid = std::get<LevelSet>(wall.shape);
    std::vector<std::uint8_t> is_near(spheres.size());
    parallel_for(
        spheres.size(),
        [&](std::size_t i) {
            const SpherePlace& s = spheres.place[i];
            is_near[i] = signed_distance(solid, frame.to_local(s.x)) < s.radius + margin;
        },
        2048);
    for (std::size_t i = 0; i < is_near.size(); ++i) {
        if (is_near[i])
            near.sphere.push_back(static_cast<int>(i));
    }
    return near;
}

WallForce add_wall_forces(const PairSystem& system, bool ledger, const GranularWall& wall,
    const GranularMaterial& material, const WallPose& pose, WallContacts& contacts, std::vector<LoadRows>& sums)
{
    const WallMeeting meeting = {system, wall, material, pose, ledger};
    const bool meshed = std::holds_alternative<std::shared_ptr<const WallMesh>>(wall.shape);
    constexpr std::size_t block = 256; // spheres
    const std::size_t count = contacts.near.sphere.size();
    return with_law(system.law, [&]<NormalLaw law>() {
        return ordered_sum((count + block - 1) / block, WallForce{},
            [&](std::size_t b) {
                const std::size_t begin = b * block, end = std::min(count, begin + block);
                return meshed ? meet_mesh<law>(meeting, contacts, begin, end, sums)
                              : meet_solid<law>(meeting, contacts, begin, end, sums);
            },
            1);
    });
}

ElasticEnergy wall_energy(const PairSystem& system, const GranularWall& wall, const GranularMaterial& material,
    const Frame& frame, const WallContacts& contacts)
{
    const WallPose still = {.frame = frame};
    const WallMeeting w = {system, wall, material, still, false};
    return with_law(system.law, [&]<NormalLaw law>() {
        ElasticEnergy energy;
        const auto add = [&](int slot, double overlap, const Vec3& slip, const Vec3& turn) {
            const double R = system.spheres.place[slot].radius, stiffness = wall_stiffness(w, slot);
            const PairLaw& pair = wall_law(w, slot);
            const double kt = normal_force<law>(pair, overlap, R, stiffness).shear_stiffness;
            energy.normal += normal_energy<law>(pair, overlap, R, stiffness);
            energy.tangential += 0.5 * kt * slip.squaredNorm();
            energy.rolling += 0.5 * kt * R * R * turn.squaredNorm();
        };
        for (std::size_t c = 0; c < contacts.near.sphere.size(); ++c) {
            const int slot = contacts.near.sphere[c];
            if (contacts.is_mesh()) {
                for (const FacetContact& contact : contacts.held_by(c))
                    add(slot, contact.overlap, contact.slip, contact.turn);
            } else if (contacts.history.touching[c]) {
                const SpherePlace& a = system.spheres.place[slot];
                add(slot, a.radius - approach(std::get<LevelSet>(wall.shape), frame, a.x).distance,
                    contacts.history.slip[c], system.with_turn ? contacts.history.turn[c] : Vec3(Vec3::Zero()));
            }
        }
        return energy;
    });
}

} // namespace stickslip
