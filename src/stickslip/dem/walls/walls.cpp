#include "stickslip/dem/walls/walls.h"

#include "stickslip/dem/walls/mesh_walls.h"
#include "stickslip/math/parallel.h"

namespace stickslip {

namespace {

/// Distance from a point to the wall [m] and the direction to it, world axes.
struct SurfaceApproach {
    double distance;
    Vec3 n;
};

SurfaceApproach approach(const LevelSet& solid, const Frame& frame, const Vec3& x)
{
    if (const Plane* plane = std::get_if<Plane>(&solid)) {
        const Vec3 n = frame.R * plane->normal;
        return {n.dot(x - frame.x), -n};
    }
    const LevelSetSample s = sample(solid, frame.to_local(x));
    return {s.phi, -(frame.R * s.n).normalized()};
}

/// Whether the straight way of a sphere's centre in this step meets the solid: found from place to place, as far on as
/// the solid is away.
bool meets_on_its_way(const LevelSet& solid, const Vec3& from, const Vec3& to)
{
    const double length = (to - from).norm();
    for (double gone = 0; gone < length;) {
        const double free = signed_distance(solid, from + gone / length * (to - from));
        if (!(free > 1e-6 * length))
            return true;
        gone += free;
    }
    return false;
}

/// Whether the centre of a sphere that touched a solid has gone into it, or through it: what pushes it now pushes it
/// to another side than in the last step.
bool has_passed(const WallMeeting& w, const LevelSet& solid, int slot, const Vec3& last_n, const SurfaceApproach& to)
{
    if (to.distance < 0)
        return true;
    if (!(last_n.dot(to.n) < 0))
        return false;
    const Vec3 x = place_at_wall(w, slot);
    return meets_on_its_way(solid, w.pose.frame.to_local(x - way_past(w, slot)), w.pose.frame.to_local(x));
}

/// Puts the contacts of the entries [begin, end) of contacts.near with a solid behind `touches`; books those that end.
/// Returns how many spheres have passed.
template <NormalLaw law>
int find_touches(const WallMeeting& w, WallContacts& contacts, std::size_t begin, std::size_t end,
    std::vector<WallTouch>& touches, ContactLosses& losses)
{
    const LevelSet& solid = std::get<LevelSet>(w.wall.shape);
    ContactHistory& history = contacts.history;
    int passed = 0;
    for (std::size_t c = begin; c < end; ++c) {
        const int slot = contacts.near.sphere[c];
        const SpherePlace& a = w.system.spheres.place[slot];
        const PairLaw& pair = wall_law(w, slot);
        const SurfaceApproach to = approach(solid, w.pose.frame, place_at_wall(w, slot));
        const double overlap = a.radius - to.distance;
        const bool fresh = !history.touching[c];
        passed += has_passed(w, solid, slot, fresh ? to.n : contacts.normal[c], to);
        if (overlap > (fresh ? begins_at<law>(pair, a.radius) : ends_at<law>(pair, a.radius))) {
            touches.push_back({.n = to.n,
                .overlap = overlap,
                .slip = history.slip[c],
                .turn = w.system.with_turn ? history.turn[c] : Vec3(Vec3::Zero()),
                .normal_turn = fresh ? Vec3(Vec3::Zero()) : contacts.normal[c].cross(to.n),
                .slot = slot,
                .entry = static_cast<int>(c),
                .fresh = fresh});
            continue;
        }
        if (w.ledger && !fresh)
            book_release<law>(pair, a.radius, wall_stiffness(w, slot), history.slip[c],
                w.system.with_turn ? &history.turn[c] : nullptr, losses);
        history.touching[c] = 0;
    }
    return passed;
}

/// Keeps what find_touches gave, whose springs have been moved on.
void keep(std::span<const WallTouch> touches, WallContacts& contacts)
{
    for (const WallTouch& touch : touches) {
        contacts.history.slip[touch.entry] = touch.slip;
        if (!contacts.history.turn.empty())
            contacts.history.turn[touch.entry] = touch.turn;
        contacts.history.touching[touch.entry] = 1;
        contacts.normal[touch.entry] = touch.n;
    }
}

/// Contacts of the entries [begin, end) of contacts.near.
template <NormalLaw law>
STICKSLIP_WIDE WallForce meet(const WallMeeting& w, WallContacts& contacts, CloseFacets& close, std::size_t begin,
    std::size_t end, std::vector<LoadRows>& sums)
{
    thread_local std::vector<WallTouch> touches;
    thread_local MeshTouches of_mesh;
    touches.clear();
    const bool meshed = !std::holds_alternative<LevelSet>(w.wall.shape);
    ContactLosses ended;
    int passed = 0;
    if (meshed)
        passed = of_mesh.find<law>(w, contacts, close, begin, end, touches, ended);
    else
        passed = find_touches<law>(w, contacts, begin, end, touches, ended);
    WallForce force = touch_all<law>(w, touches, sums);
    force.losses += ended;
    force.passed = passed;
    for (const WallTouch& touch : touches)
        force.deepest = std::max(force.deepest, touch.overlap / w.system.spheres.place[touch.slot].radius);
    if (meshed)
        of_mesh.keep(w.pose.frame, touches, begin, end, contacts);
    else
        keep(touches, contacts);
    return force;
}

} // namespace

namespace {

/// Box in the world around a wall and a margin [m]; infinite around one without end.
Bounds reach_of(const GranularWall& wall, const Frame& frame, double margin)
{
    const auto* mesh = std::get_if<WallTriangles>(&wall.shape);
    const Bounds own = mesh ? (*mesh)->tree.bounds() : bounds(wall);
    const Vec3 half = 0.5 * (own.max - own.min);
    if (!half.allFinite())
        return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
    const Vec3 centre = frame.to_world(own.min + half), reach = frame.R.cwiseAbs() * half + Vec3::Constant(margin);
    return {centre - reach, centre + reach};
}

} // namespace

NearWall near_wall(
    const GranularWall& wall, const Frame& frame, const Spheres& spheres, const SphereBlocks& blocks, double margin)
{
    const std::vector<std::size_t> in_reach = blocks.overlapping(reach_of(wall, frame, margin));
    if (const auto* mesh = std::get_if<WallTriangles>(&wall.shape))
        return near_mesh(**mesh, frame, spheres, in_reach, margin);
    const LevelSet& solid = std::get<LevelSet>(wall.shape);
    std::vector<std::vector<int>> parts(in_reach.size());
    parallel_for(
        parts.size(),
        [&](std::size_t k) {
            const std::size_t begin = in_reach[k] * SphereBlocks::size;
            for (std::size_t i = begin; i < std::min(spheres.size(), begin + SphereBlocks::size); ++i) {
                const SpherePlace& s = spheres.place[i];
                if (signed_distance(solid, frame.to_local(s.x)) < s.radius + margin)
                    parts[k].push_back(static_cast<int>(i));
            }
        },
        8);
    NearWall near;
    for (const std::vector<int>& part : parts) // in the order of the spheres
        near.sphere.insert(near.sphere.end(), part.begin(), part.end());
    return near;
}

WallForce add_wall_forces(const PairSystem& system, bool ledger, const GranularWall& wall,
    const GranularMaterial& material, const WallPose& pose, WallContacts& contacts, CloseFacets& close,
    std::vector<LoadRows>& sums)
{
    constexpr std::size_t block = 256; // spheres
    const bool damped =
        std::any_of(system.laws.begin(), system.laws.end(), [](const PairLaw& pair) { return pair.damping_ratio > 0; });
    const WallMeeting meeting = {system, wall, material, pose, ledger, damped};
    const std::size_t count = contacts.near.sphere.size();
    return with_law(system.law, [&]<NormalLaw law>() {
        return ordered_sum((count + block - 1) / block, WallForce{},
            [&](std::size_t b) {
                return meet<law>(meeting, contacts, close, b * block, std::min(count, (b + 1) * block), sums);
            },
            1);
    });
}

ElasticEnergy wall_energy(const PairSystem& system, const GranularWall& wall, const GranularMaterial& material,
    const WallPose& pose, const WallContacts& contacts)
{
    const WallMeeting w = {system, wall, material, pose, false};
    return with_law(system.law, [&]<NormalLaw law>() {
        ElasticEnergy energy;
        const auto add = [&](int slot, double overlap, const Vec3& slip, const Vec3& turn, double share) {
            const double R = system.spheres.place[slot].radius, stiffness = wall_stiffness(w, slot);
            const PairLaw& pair = wall_law(w, slot);
            const double kt = normal_force<law>(pair, overlap, R, stiffness).shear_stiffness;
            energy.normal += share * normal_energy<law>(pair, overlap, R, stiffness);
            energy.tangential += 0.5 * share * kt * slip.squaredNorm();
            energy.rolling += 0.5 * share * kt * R * R * turn.squaredNorm();
        };
        for (std::size_t c = 0; c < contacts.near.sphere.size(); ++c) {
            const int slot = contacts.near.sphere[c];
            if (contacts.is_mesh()) {
                for (const FacetContact& contact : contacts.held_by(c))
                    add(slot, contact.overlap, contact.slip, contact.turn, contact.share);
            } else if (contacts.history.touching[c]) {
                const SpherePlace& a = system.spheres.place[slot];
                const SurfaceApproach to = approach(std::get<LevelSet>(wall.shape), pose.frame, place_at_wall(w, slot));
                add(slot, a.radius - to.distance, contacts.history.slip[c],
                    system.with_turn ? contacts.history.turn[c] : Vec3(Vec3::Zero()), 1);
            }
        }
        return energy;
    });
}

} // namespace stickslip
