#include "stickslip/simulation/inlets_outlets.h"

#include "stickslip/build/granular/build_granular_bodies.h"
#include "stickslip/dem/pairs/touch_table.h"
#include "stickslip/dem/walls/wall_images.h"
#include "stickslip/dem/walls/wall_overlap.h"
#include "stickslip/scene/expand/sphere_sizes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace stickslip {

namespace {

/// Number `draw` of the series of a seed: a count is all that a run has to keep of it.
std::uint64_t seed_of(int seed, std::uint64_t draw)
{
    return static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15u + draw;
}

/// At random in the box of an inlet, wholly inside; its own frame.
Vec3 place_in(const Vec3& box, double radius, std::uint64_t seed)
{
    std::mt19937_64 engine(seed);
    Vec3 x;
    for (int axis = 0; axis < 3; ++axis) {
        const double share = 0x1p-53 * static_cast<double>(engine() >> 11);
        x[axis] = (share - 0.5) * (box[axis] - 2 * radius);
    }
    return x;
}

bool is_free(const Vec3& x, double radius, const std::vector<SpherePlace>& there, const PeriodicBox& box)
{
    return std::none_of(there.begin(), there.end(),
        [&](const SpherePlace& s) { return box.shortest(s.x - x).squaredNorm() < std::pow(s.radius + radius, 2); });
}

bool is_off_walls(const SpherePlace& sphere, int material, const TouchTable& table, const GranularWorld& world,
    const std::vector<Frame>& frames)
{
    for (std::size_t w = 0; w < world.walls.size(); ++w) {
        const GranularWall& wall = world.walls[w];
        const SpherePlace there{image_at_wall(world, wall, frames[w], sphere.x), sphere.radius};
        if (table.touch(material, wall.material) && wall_overlap(wall, frames[w], there) > 1e-9 * sphere.radius)
            return false;
    }
    return true;
}

/// Of the sphere with this number in the order of coming.
double drawn_radius(const BodySettings& body, int number)
{
    const InletSettings& inlet = *body.inlet;
    const Sizes sizes = inlet.sizes ? *inlet.sizes : Sizes(UniformSizes{*body.radius, *body.radius});
    return draw_radii(sizes, inlet.sizes_by, 1, 0, inlet.seed + number).front();
}

/// The same of a clump.
Quat clump_orientation(const ClumpSettings& clump, int number)
{
    return clump.orientation == ClumpOrientation::random ? random_orientations(clump.seed + number, 1).front()
                                                         : Quat(Quat::Identity());
}

} // namespace

std::vector<Departure> InletsOutlets::pass(SphereSystem& system, double interval, RunTotals& totals) const
{
    std::vector<Departure> departures;
    if (!scene_.outlets.empty())
        departures = let_out(system, totals);
    for (std::size_t group = 0; group < granular_.sets.size(); ++group)
        if (scene_.bodies[granular_.sets[group].body].inlet)
            let_in(system, static_cast<int>(group), interval, totals);
    return departures;
}

std::vector<Departure> InletsOutlets::let_out(SphereSystem& system, RunTotals& totals) const
{
    std::vector<Departure> departures;
    system.catch_passing();
    const std::vector<Caught>& caught = system.state().caught;
    if (caught.empty())
        return departures;
    const auto outlet_of = [&](int id) -> const OutletSettings* {
        const auto at = std::lower_bound(
            caught.begin(), caught.end(), id, [](const Caught& one, int other) { return one.id < other; });
        return at != caught.end() && at->id == id ? &scene_.outlets[at->outlet] : nullptr;
    };
    const Spheres& all = system.state().spheres;
    std::vector<int> leaving, leaving_bodies;
    for (const int i : system.slots()) { // in the order of ids
        if (i >= 0 && system.body_of(i) < 0
            && leaves(outlet_of(all.id[i]),
                {.outlet = {},
                    .number = all.id[i],
                    .group = all.group[i],
                    .radius = all.place[i].radius,
                    .mass = 1 / all.motion[i].inverse_mass,
                    .x = all.place[i].x,
                    .v = all.motion[i].v},
                totals, departures))
            leaving.push_back(i);
    }
    for (std::size_t b = 0; b < system.state().bodies.size(); ++b) {
        const BodySpheres& spheres = system.state().body_spheres[b];
        const BodyMotion& motion = system.state().bodies[b];
        if (spheres.kind < 0)
            continue;
        const RigidBody& rigid = granular_.world.clumps[spheres.kind].rigid;
        const double density = granular_.world.materials[granular_.sets[spheres.group].material].density;
        if (leaves(outlet_of(spheres.first),
                {.outlet = {},
                    .number = spheres.first,
                    .group = spheres.group,
                    .radius = std::cbrt(3 * rigid.mass / (4 * std::numbers::pi * density)),
                    .mass = rigid.mass,
                    .x = system.world().box.wrapped(motion.x),
                    .v = motion.v},
                totals, departures))
            leaving_bodies.push_back(static_cast<int>(b));
    }
    std::sort(leaving.begin(), leaving.end());
    system.remove(leaving, leaving_bodies);
    return departures;
}

bool InletsOutlets::leaves(
    const OutletSettings* gate, Departure one, RunTotals& totals, std::vector<Departure>& departures) const
{
    if (!gate)
        return false;
    one.outlet = gate->name;
    OutletRecord& record = totals.outlets[gate->name];
    record.mass += one.mass;
    ++record.count;
    departures.push_back(std::move(one));
    return true;
}

void InletsOutlets::let_in(SphereSystem& system, int group, double interval, RunTotals& totals) const
{
    constexpr int tries = 100; // for one sphere or clump
    const SphereSet& set = granular_.sets[group];
    const BodySettings& body = scene_.bodies[set.body];
    const InletSettings& inlet = *body.inlet;
    const PeriodicBox& space = system.world().box;
    const double now = system.state().time;
    InletRecord& record = totals.inlets[set.name];
    const double open = std::min(now, inlet.end) - std::max(now - interval, inlet.start);
    record.owed += inlet.rate * std::max(open, 0.0);

    const Frame frame{body.position, body.rotation ? rotation_matrix(*body.rotation) : Mat3::Identity()};
    const double density = granular_.world.materials[set.material].density;
    const TouchTable table(system.laws());
    const Spheres& all = system.state().spheres;
    std::vector<SpherePlace> there; // what is in the way
    for (std::size_t i = 0; i < all.size(); ++i)
        if (table.touch(set.material, all.material[i])
            && space.shortest(all.place[i].x - frame.x).norm() < 0.5 * inlet.box.norm() + all.place[i].radius)
            there.push_back(all.place[i]);
    std::vector<Frame> walls;
    for (std::size_t w = 0; w < system.world().walls.size(); ++w)
        walls.push_back(system.wall_pose_now(w).frame);
    std::vector<Grain> coming;
    std::vector<RigidState> coming_clumps;
    for (bool found = true; found;) {
        const int number = static_cast<int>(record.count);
        const double radius = body.clump ? set.reach : drawn_radius(body, number);
        const double mass = body.clump ? granular_.world.clumps[set.clump].rigid.mass
                                       : 4 * std::numbers::pi / 3 * std::pow(radius, 3) * density;
        found = false;
        if (record.owed < mass || record.mass + mass > inlet.mass)
            break;
        Vec3 x;
        for (int left = tries; left > 0 && !found; --left) {
            x = frame.to_world(place_in(inlet.box, radius, seed_of(inlet.seed, record.draws++)));
            found = is_free(x, radius, there, space)
                && is_off_walls({space.wrapped(x), radius}, set.material, table, system.world(), walls);
        }
        record.is_full = !found;
        if (!found)
            break;
        if (body.clump)
            coming_clumps.push_back({.x = x,
                .R = Quat(frame.R) * clump_orientation(*body.clump, number),
                .v = body.velocity,
                .w = body.angular_velocity});
        else
            coming.push_back({.x = x,
                .radius = radius,
                .material = set.material,
                .v = body.velocity,
                .w = body.angular_velocity,
                .group = group});
        if (table.touch(set.material, set.material))
            there.push_back({x, radius});
        record.owed -= mass;
        record.mass += mass;
        ++record.count;
    }
    system.insert(coming);
    if (body.clump)
        system.insert_clumps(set.clump, coming_clumps);
}

void InletsOutlets::finish(RunTotals& totals, const Say& say) const
{
    constexpr double lag = 0.03; // [-] of what is asked
    for (const SphereSet& set : granular_.sets) {
        if (!scene_.bodies[set.body].inlet)
            continue;
        const InletSettings& inlet = *scene_.bodies[set.body].inlet;
        InletRecord& record = totals.inlets[set.name];
        record.asked = std::min(record.mass + record.owed, inlet.mass);
        if (record.is_full && record.mass < (1 - lag) * record.asked)
            say("warning: inlet \"" + set.name + "\" admitted " + short_number(record.mass) + " kg of "
                + short_number(record.asked) + " kg: there was no room. Requested " + short_number(inlet.rate)
                + " kg/s, achieved " + short_number(inlet.rate * record.mass / record.asked) + " kg/s");
    }
}

} // namespace stickslip
