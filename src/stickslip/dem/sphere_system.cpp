#include "stickslip/dem/sphere_system.h"

#include "stickslip/dem/pairs/rebuild_order.h"
#include "stickslip/dem/pairs/touch_table.h"
#include "stickslip/dem/verlet.h"
#include "stickslip/dem/walls/mesh_walls.h"
#include "stickslip/dem/walls/wall_images.h"
#include "stickslip/dem/walls/walls.h"
#include "stickslip/math/check.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <tuple>

namespace stickslip {

namespace {

constexpr double most_skin = 0.4; // of the mean radius

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double sphere_mass(const Grain& grain, const std::vector<GranularMaterial>& materials)
{
    return 4.0 / 3 * std::numbers::pi * std::pow(grain.radius, 3) * materials[grain.material].density;
}

} // namespace

SphereSystem::SphereSystem(GranularWorld world, const std::vector<Grain>& grains)
    : world_(std::move(world))
{
    check(world_, grains);
    laws_ = pair_laws(world_);
    with_turn_ = resists_turning(world_);
    if (world_.dt == 0)
        world_.dt = stable_time_step(world_, grains);
    double largest = world_.largest_radius, sum = 0;
    for (const Grain& g : grains) {
        add(g);
        largest = std::max(largest, g.radius);
        sum += g.radius;
    }
    for (const GranularBody& body : world_.bodies) {
        for (const RoundPoint& ball : body.is_clump ? body.rigid.rounds : std::vector<RoundPoint>{}) {
            largest = std::max(largest, ball.radius);
            sum += ball.radius;
        }
    }
    add_bodies();
    reach_ = adhesive_reach(world_.law, laws_, largest);
    largest_radius_ = largest;
    if (state_.spheres.size() > 0)
        mean_radius_ = sum / static_cast<double>(state_.spheres.size());
    else if (largest > 0)
        mean_radius_ = largest;
    else // bodies alone
        mean_radius_ = 0.2 * largest_body();
    state_.skin = world_.skin > 0 ? world_.skin : least_skin * mean_radius_;
    demand_room_for_bodies();
    state_.walls.resize(world_.walls.size());
    state_.wall_load.resize(world_.walls.size());
    state_.body_load.resize(world_.bodies.size());
    state_.time = world_.start_time;
    rebuild();
    start();
}

/// Forces and accelerations before the first step; no half kick is due.
void SphereSystem::start()
{
    evaluate(0);
    moved_ = 0;
    for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
        state_.body_load[b] = contacts_on(b);
        set_rate(world_.bodies[b], world_.gravity, state_.body_load[b], state_.bodies[b]);
        accelerate_spheres(clumps_, b, state_.bodies[b], state_.spheres);
    }
    for (std::size_t i = 0; i < state_.spheres.size(); ++i) {
        if (clumps_.holds(i))
            continue;
        SphereAcceleration& rate = state_.spheres.acceleration[i];
        const SphereMotion& m = state_.spheres.motion[i];
        const Load load = blocks_.total(i).load();
        const double r = state_.spheres.place[i].radius;
        rate = {m.inverse_mass * load.force + world_.gravity, 2.5 * m.inverse_mass / (r * r) * load.torque};
    }
    state_.first_energy = ledger().stored();
}

void SphereSystem::add(const Grain& g)
{
    const GranularMaterial& material = world_.materials[g.material];
    Spheres& s = state_.spheres;
    s.place.push_back({g.x, g.radius});
    s.motion.push_back({g.v, side_compliance(material, g.radius), g.w, 1 / sphere_mass(g, world_.materials)});
    s.acceleration.push_back({.linear = world_.gravity});
    s.orientation.push_back(g.orientation);
    s.material.push_back(g.material);
    s.id.push_back(state_.next_id++);
    s.group.push_back(g.group);
}

void SphereSystem::insert(const std::vector<Grain>& grains)
{
    if (grains.empty())
        return;
    check(world_, grains);
    catch_passing();
    const double before = ledger().stored();
    for (const Grain& g : grains)
        add(g);
    rebuild();
    moved_ = 0;
    state_.first_energy += ledger().stored() - before;
}

void SphereSystem::insert_clumps(int kind, const std::vector<RigidState>& starts)
{
    if (starts.empty())
        return;
    catch_passing();
    const double before = ledger().stored();
    for (const RigidState& start : starts) {
        if (!start.x.allFinite() || !start.v.allFinite() || !start.w.allFinite() || !(start.R.norm() > 0))
            throw InputError("clump: place and velocity must be finite");
        GranularBody body = world_.clumps[kind];
        body.start = start;
        world_.bodies.push_back(body);
        add_body_state(body);
        set_rate(body, world_.gravity, {}, state_.bodies.back());
        state_.body_load.emplace_back();
    }
    rebuild();
    const std::size_t first = state_.bodies.size() - starts.size();
    for (std::size_t b = first; b < state_.bodies.size(); ++b) {
        place_spheres(clumps_, b, state_.bodies[b], state_.bodies[b].rotation(), state_.spheres);
        accelerate_spheres(clumps_, b, state_.bodies[b], state_.spheres);
    }
    moved_ = 0;
    state_.first_energy += ledger().stored() - before;
}

void SphereSystem::remove(std::vector<int> slots, const std::vector<int>& bodies)
{
    for (const int slot : slots)
        if (body_of(slot) >= 0)
            throw InputError("a sphere of a clump cannot leave by itself");
    for (const int b : bodies) {
        if (state_.body_spheres[b].kind < 0)
            throw InputError("the body '" + world_.bodies[b].rigid.name + "' is none of those that may leave");
        for (int k = clumps_.first[b]; k < clumps_.first[b + 1]; ++k)
            slots.push_back(clumps_.spheres[k].slot);
    }
    if (slots.empty())
        return;
    std::sort(slots.begin(), slots.end());
    catch_passing();
    std::vector<int> gone; // ids
    for (const int slot : slots)
        gone.push_back(state_.spheres.id[slot]);
    std::sort(gone.begin(), gone.end());
    std::erase_if(
        state_.caught, [&](const Caught& one) { return std::binary_search(gone.begin(), gone.end(), one.id); });
    const double before = ledger().stored();
    drop_bodies(bodies);
    rebuild(leave_out(state_.spheres, slots));
    moved_ = 0;
    state_.first_energy += ledger().stored() - before;
}

PairSystem SphereSystem::pair_system(double dt) const
{
    return {.law = world_.law,
        .laws = laws_,
        .materials = world_.materials.size(),
        .spheres = state_.spheres,
        .box = world_.box,
        .list = state_.list,
        .reach = reach_,
        .dt = dt,
        .with_turn = with_turn_};
}

bool SphereSystem::step(int count)
{
    for (int s = 0; s < count; ++s) {
        const double before = now();
        advance(s > 0, true);
        state_.time += world_.dt;
        ++state_.steps;
        times_.motion += now() - before;
        if (!std::isfinite(moved_))
            return false;
        if (list_is_stale() && !list_strays_anew()) {
            const double then = now();
            watch_for_trouble();
            if (trouble_.is_too_fast())
                return false;
            choose_skin();
            catch_passing();
            rebuild();
            times_.rebuild += now() - then;
        }
        evaluate(world_.dt);
        if (trouble_.is_too_fast())
            return false;
    }
    if (count > 0)
        advance(true, false);
    return std::isfinite(moved_);
}

/// Contact forces at the present places, into the sums of the blocks.
void SphereSystem::evaluate(double dt)
{
    double before = now();
    const PairSystem system = pair_system(dt);
    add_pair_forces(system, world_.ledger, state_.pairs, blocks_, of_blocks_);
    ContactLosses losses;
    PairDepth depth;
    for (const PairsOfBlock& of_block : of_blocks_) {
        losses += of_block.losses;
        depth.add(of_block.depth);
    }
    watch_pairs(depth);
    times_.pairs += now() - before;
    before = now();
    double travel = 0, wall_work = 0;
    poses_.resize(world_.walls.size());
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        const GranularWall& wall = world_.walls[w];
        const WallPose& pose = poses_[w] = moving_pose(w, dt);
        const WallForce force = add_wall_forces(system, world_.ledger, wall, world_.materials[wall.material], pose,
            state_.walls[w], close_facets_[w], blocks_.sums);
        state_.wall_load[w] = force.load;
        losses += force.losses;
        if (force.passed > 0)
            trouble_.passed = static_cast<int>(w);
        if (force.deepest > trouble_.deepest) {
            trouble_.deepest = force.deepest;
            trouble_.wall = static_cast<int>(w);
        }
        if (wall.body >= 0) {
            travel = std::max(travel, state_.bodies[wall.body].v.norm() + pose.middle.w.norm() * wall_reach_[w]);
            continue;
        }
        wall_work += dt * force.power;
        // the distance of a place changes no faster than the wall's own places move, nor than the wall moves there
        const double far = std::min(wall_reach_[w], farthest_from(pose.frame.x, listed_bounds_));
        travel = std::max(travel, pose.middle.v.norm() + pose.middle.w.norm() * far);
    }
    if (!state_.points.near.empty()) {
        const WallForce force = add_point_forces(
            solid_meeting(poses_, dt), world_.ledger, state_.points, state_.wall_load, trouble_.points);
        losses += force.losses;
        wall_work += dt * force.power;
    }
    if (2 * dt * travel > thinnest_) // of one towards another
        watch_for_jumps(solid_meeting(poses_, dt), trouble_.points);
    state_.wall_travel += dt * travel;
    const double damping = losses.damping;
    losses.damping = 0.5 * (state_.last_step.damping + damping);
    state_.losses += losses;
    state_.wall_work += 0.5 * (state_.last_step.wall + wall_work);
    state_.last_step.damping = damping;
    state_.last_step.wall = wall_work;
    times_.walls += now() - before;
}

void SphereSystem::advance(bool finish, bool start)
{
    const Advance done = stickslip::advance(world_, finish, start, blocks_, clumps_, state_.listed_at, state_.spheres);
    state_.gravity_work += done.gravity_work;
    if (finish) {
        state_.local_damping_loss += 0.5 * (state_.last_step.local_damping + done.damping_loss);
        state_.last_step.local_damping = done.damping_loss;
    }
    if (start)
        moved_ = done.moved;
    if (finish && !world_.bodies.empty())
        finish_bodies();
    if (start && !world_.bodies.empty())
        moved_ = std::max(moved_, start_bodies());
}

/// Whether the step is short enough to meet whom there is to meet: what moves fast makes new lists often, and then this
/// is looked at.
void SphereSystem::watch_for_trouble()
{
    const Spheres& all = state_.spheres;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double share = world_.dt * all.motion[i].v.norm() / all.place[i].radius;
        if (share > trouble_.travel) {
            trouble_.travel = share;
            trouble_.sphere = all.id[i];
        }
    }
}

void SphereSystem::watch_pairs(const PairDepth& depth)
{
    const std::vector<int>& id = state_.spheres.id;
    if (depth.share > trouble_.deepest_pair) {
        trouble_.deepest_pair = depth.share;
        std::tie(trouble_.first, trouble_.second) = std::minmax({id[depth.first], id[depth.second]});
    }
    if (depth.passed) {
        std::tie(trouble_.passed_first, trouble_.passed_second) =
            std::minmax({id[depth.passed_first], id[depth.passed_second]});
    }
}

bool SphereSystem::list_is_stale() const
{
    return 2 * moved_ > state_.skin || 2 * state_.wall_travel > state_.skin;
}

/// Skin that costs least at the speed at which the last one was used up: docs/derivations.md#granular-spheres.
void SphereSystem::choose_skin()
{
    if (world_.skin > 0)
        return;
    const double steps = static_cast<double>(std::max(1L, state_.steps - state_.listed_step));
    const double best = std::sqrt(10 * mean_radius_ * state_.skin / steps);
    // with the range of the largest spheres and bodies it must fit twice into a periodic box
    const double room = 0.5 * world_.box.size.minCoeff() - periodic_range_ - reach_;
    state_.skin = std::clamp(best, least_skin * mean_radius_, most_skin * mean_radius_);
    state_.skin = std::max(std::min(state_.skin, 0.99 * room), least_skin * mean_radius_);
}

/// Puts spheres back into the periodic box. Clumps go on without end; their spheres follow.
void SphereSystem::wrap_places()
{
    if (!world_.box.any())
        return;
    Spheres& all = state_.spheres;
    std::vector<std::uint8_t> in_clump(static_cast<std::size_t>(state_.next_id), 0); // by id: slots may have changed
    for (std::size_t b = 0; b < state_.body_spheres.size(); ++b)
        if (const int first = state_.body_spheres[b].first; first >= 0)
            std::fill_n(in_clump.begin() + first, world_.bodies[b].rigid.rounds.size(), std::uint8_t(1));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Vec3 x = world_.box.wrapped(all.place[i].x);
        if (x == all.place[i].x)
            continue;
        if (!in_clump[all.id[i]])
            state_.wrapped_work += world_.gravity.dot(x - all.place[i].x) / all.motion[i].inverse_mass;
        all.place[i].x = x;
    }
}

/// before: what has been taken out since the list was made.
void SphereSystem::rebuild(const Reordering& before)
{
    Spheres& all = state_.spheres;
    wrap_places();
    for (Quat& orientation : all.orientation)
        orientation.normalize();
    constexpr long reorder_every = 16; // rebuilds: sorting pays only now and then
    const Reordering order = composed(before, state_.rebuilds % reorder_every == 0 ? reorder(all) : Reordering{});
    ++state_.rebuilds;
    clumps_ = find_clumps(world_.bodies, state_.bodies, state_.body_spheres, all, world_.box);
    NeighbourList list = find_neighbours(all.place, world_.box, state_.skin + reach_);
    drop_pairs_within(clumps_, list);
    const TouchTable table(laws_);
    table.drop_passing(all.material, list);
    state_.pairs = carried(state_.pairs, state_.list, order, list, with_turn_);
    state_.list = std::move(list);
    std::vector<Frame> frames;
    const SphereBlocks blocks = make_sphere_blocks(all);
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        frames.push_back(wall_frame(w));
        NearWall near = near_wall_images(world_, world_.walls[w], frames[w], all, blocks, state_.skin + reach_);
        table.drop_passing(all.material, world_.walls[w].material, near);
        if (leaves_behind(state_.walls[w], order, near, all.place))
            trouble_.passed = static_cast<int>(w);
        state_.walls[w] = carried(state_.walls[w], order, std::move(near), with_turn_);
    }
    if (!world_.bodies.empty()) {
        std::vector<PointPlace> near = near_points(world_.walls, frames, world_.box, state_.skin);
        table.drop_passing(world_.walls, near);
        state_.points = carried(state_.points, std::move(near));
    }
    state_.listed_at.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        state_.listed_at[i] = all.place[i].x;
    state_.bodies_listed_at.clear();
    for (const BodyMotion& motion : state_.bodies)
        state_.bodies_listed_at.push_back(motion.x);
    state_.wall_travel = 0;
    state_.listed_step = state_.steps;
    prepare_list();
}

/// What follows from the list alone.
void SphereSystem::prepare_list()
{
    blocks_ = make_force_blocks(state_.list, state_.spheres.size());
    close_facets_.clear();
    for (const WallContacts& wall : state_.walls)
        close_facets_.push_back(close_facets(wall.near, state_.skin));
    bound_listed();
}

void SphereSystem::bound_listed()
{
    listed_bounds_ = {};
    for (const Vec3& x : state_.listed_at)
        listed_bounds_.add(x);
    for (std::size_t w = 0; w < world_.walls.size(); ++w) { // points of bodies meet walls too
        if (world_.walls[w].body < 0)
            continue;
        const Vec3 reach = Vec3::Constant(wall_reach_[w]);
        const Vec3 x = world_.box.wrapped(state_.bodies[world_.walls[w].body].x);
        listed_bounds_.add(x - reach);
        listed_bounds_.add(x + reach);
    }
}

void SphereSystem::restore(const GranularState& state)
{
    STICKSLIP_ASSERT(state.walls.size() == world_.walls.size());
    std::erase_if(world_.bodies, [](const GranularBody& body) { return body.kind >= 0; });
    for (const BodySpheres& spheres : state.body_spheres)
        if (spheres.kind >= 0) // they came and left meanwhile
            world_.bodies.push_back(world_.clumps[spheres.kind]);
    state_ = state;
    trouble_ = {};
    moved_ = 0;
    clumps_ = find_clumps(world_.bodies, state_.bodies, state_.body_spheres, state_.spheres, world_.box);
    prepare_list();
}

std::vector<int> SphereSystem::slots() const
{
    std::vector<int> slot(static_cast<std::size_t>(state_.next_id), -1);
    for (std::size_t i = 0; i < state_.spheres.size(); ++i)
        slot[state_.spheres.id[i]] = static_cast<int>(i);
    return slot;
}

} // namespace stickslip
