#include "stickslip/dem/sphere_system.h"

#include "stickslip/dem/lanes.h"
#include "stickslip/dem/normal_force.h"
#include "stickslip/dem/rebuild_order.h"
#include "stickslip/math/check.h"
#include "stickslip/math/error.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>

namespace stickslip {

namespace {

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double sphere_mass(const Grain& grain, const std::vector<GranularMaterial>& materials)
{
    return 4.0 / 3 * std::numbers::pi * std::pow(grain.radius, 3) * materials[grain.material].density;
}

void check(const GranularWorld& world, const std::vector<Grain>& grains)
{
    if (world.materials.empty())
        throw InputError("granular world: no material");
    for (const GranularMaterial& m : world.materials)
        check(m);
    const int materials = static_cast<int>(world.materials.size());
    const auto demand = [](bool fulfilled, const std::string& message) {
        if (!fulfilled)
            throw InputError(message);
    };
    for (const GranularWall& w : world.walls)
        demand(w.material >= 0 && w.material < materials, "wall '" + w.name + "': no such material");
    for (const PairFriction& pair : world.pair_friction) {
        for (const int m : {pair.first, pair.second})
            demand(m >= 0 && m < materials, "friction of a pair: no such material");
        demand(std::isfinite(pair.friction) && pair.friction >= 0, "friction of a pair must be >= 0");
    }
    for (std::size_t i = 0; i < grains.size(); ++i) {
        const Grain& g = grains[i];
        const std::string name = "sphere " + std::to_string(i);
        demand(g.material >= 0 && g.material < materials, name + ": no such material");
        demand(std::isfinite(g.radius) && g.radius > 0, name + ": radius must be > 0");
        demand(g.x.allFinite() && g.v.allFinite() && g.w.allFinite(), name + ": place and velocity must be finite");
    }
    demand(world.gravity.allFinite(), "granular world: gravity must be finite");
    demand(world.local_damping >= 0 && world.local_damping < 1, "granular world: local_damping must be in [0, 1)");
    demand(std::isfinite(world.dt) && world.dt >= 0, "granular world: dt must be >= 0");
    demand(world.safety > 0 && world.safety < 1, "granular world: safety must be in (0, 1)");
    demand(std::isfinite(world.skin) && world.skin >= 0, "granular world: skin must be >= 0");
    demand((world.box.size.array() > 0).all(), "granular world: sides of the periodic box must be > 0");
}

/// Turns q by twice the small rotation vector h, to third order; its length is put right when the list is made.
void turn(Quat& q, const Triple<double>& h)
{
    const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
    q = Quat(w - (h.x * x + h.y * y + h.z * z), x + w * h.x + h.y * z - h.z * y, y + w * h.y + h.z * x - h.x * z,
        z + w * h.z + h.x * y - h.y * x);
}

/// share |a| with the signs of v: taken off a, less of what speeds up and more of what slows down.
Triple<double> opposing(double share, const Triple<double>& a, const Triple<double>& v)
{
    return {std::copysign(share * a.x, v.x), std::copysign(share * a.y, v.y), std::copysign(share * a.z, v.z)};
}

/// The largest gap that adhesion bridges [m].
double adhesive_reach(NormalLaw law, const std::vector<PairLaw>& laws, double largest_radius)
{
    double reach = 0;
    for (const PairLaw& pair : laws) {
        if (law == NormalLaw::jkr)
            reach = std::max(reach, -jkr_release(pair, largest_radius));
        if (law == NormalLaw::dmt)
            reach = std::max(reach, dmt_range(pair, largest_radius));
    }
    return reach;
}

} // namespace

SphereSystem::SphereSystem(GranularWorld world, const std::vector<Grain>& grains)
    : world_(std::move(world))
{
    check(world_, grains);
    laws_ = pair_laws(world_.materials);
    for (const PairFriction& pair : world_.pair_friction) {
        laws_[pair.first * world_.materials.size() + pair.second].friction = pair.friction;
        laws_[pair.second * world_.materials.size() + pair.first].friction = pair.friction;
    }
    for (const GranularMaterial& m : world_.materials)
        with_turn_ = with_turn_ || m.rolling_friction > 0 || m.twisting_friction > 0;
    if (world_.dt == 0)
        world_.dt = stable_time_step(world_, grains);
    double largest = world_.largest_radius, sum = 0;
    for (const Grain& g : grains) {
        add(g);
        largest = std::max(largest, g.radius);
        sum += g.radius;
    }
    reach_ = adhesive_reach(world_.law, laws_, largest);
    if (world_.skin == 0 && !grains.empty())
        world_.skin = 0.1 * sum / static_cast<double>(grains.size());
    state_.walls.resize(world_.walls.size());
    state_.wall_load.resize(world_.walls.size());
    rebuild();
    evaluate(0);
    moved_ = 0;
    for (std::size_t i = 0; i < grains.size(); ++i) { // no half kick is due before the first step
        SphereAcceleration& rate = state_.spheres.acceleration[i];
        const SphereMotion& m = state_.spheres.motion[i];
        const Load load = blocks_.total(i);
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
    s.orientation.push_back(Quat::Identity());
    s.material.push_back(g.material);
    s.id.push_back(state_.next_id++);
    s.group.push_back(g.group);
}

void SphereSystem::insert(const std::vector<Grain>& grains)
{
    if (grains.empty())
        return;
    check(world_, grains);
    const double before = ledger().stored();
    for (const Grain& g : grains)
        add(g);
    rebuild();
    moved_ = 0;
    state_.first_energy += ledger().stored() - before;
}

void SphereSystem::remove(const std::vector<int>& slots)
{
    if (slots.empty())
        return;
    const double before = ledger().stored();
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
        if (list_is_stale()) {
            const double then = now();
            rebuild();
            times_.rebuild += now() - then;
        }
        evaluate(world_.dt);
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
    add_pair_forces(system, world_.ledger, state_.pairs, blocks_, block_losses_);
    ContactLosses losses;
    for (const ContactLosses& of_block : block_losses_)
        losses += of_block;
    times_.pairs += now() - before;
    before = now();
    double travel = 0, wall_work = 0;
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        const GranularWall& wall = world_.walls[w];
        const WallPose pose = wall_pose(wall, state_.time, dt);
        const WallForce force = add_wall_forces(
            system, world_.ledger, wall, world_.materials[wall.material], pose, state_.walls[w], blocks_.sums);
        state_.wall_load[w] = force.load;
        losses += force.losses;
        wall_work += dt * force.power;
        const Vec3 far =
            (listed_bounds_.max - pose.frame.x).cwiseAbs().cwiseMax((listed_bounds_.min - pose.frame.x).cwiseAbs());
        travel = std::max(travel, pose.end.v.norm() + pose.end.w.norm() * far.norm());
    }
    state_.wall_travel += dt * travel;
    const double damping = losses.damping;
    losses.damping = 0.5 * (state_.last_step.damping + damping);
    state_.losses += losses;
    state_.wall_work += 0.5 * (state_.last_step.wall + wall_work);
    state_.last_step.damping = damping;
    state_.last_step.wall = wall_work;
    times_.walls += now() - before;
}

/// finish: second half of the kick that ends a step. start: first half of the next one, and the drift.
void SphereSystem::advance(bool finish, bool start)
{
    struct Partial {
        double moved = 0, gravity_work = 0, damping_loss = 0; // moved [m^2]
    };
    const double dt = world_.dt;
    Spheres& all = state_.spheres;
    std::vector<Partial> partial(blocks_.blocks());
    const Triple<double> gravity = triple(world_.gravity);
    // In threes of numbers: Eigen's pairs of two would wait for what was stored one by one.
    const auto move = [&](std::size_t i, Partial& part) {
        SpherePlace& place = all.place[i];
        SphereMotion& m = all.motion[i];
        const double r = place.radius, inverse_inertia = 2.5 * m.inverse_mass / (r * r);
        Triple<double> v = triple(m.v), w = triple(m.w), a, alpha;
        if (finish) {
            const Load load = blocks_.total(i);
            a = m.inverse_mass * triple(load.force) + gravity;
            alpha = inverse_inertia * triple(load.torque);
            if (world_.local_damping > 0 && !load.force.isZero(0)) {
                const Triple<double> later_v = v + 0.5 * dt * a, later_w = w + 0.5 * dt * alpha;
                const Triple<double> da = opposing(world_.local_damping, a, later_v);
                const Triple<double> dalpha = opposing(world_.local_damping, alpha, later_w);
                a = a - da;
                alpha = alpha - dalpha;
                if (world_.ledger)
                    part.damping_loss +=
                        dt * (dot(da, later_v) / m.inverse_mass + dot(dalpha, later_w) / inverse_inertia);
            }
            v += 0.5 * dt * a;
            w += 0.5 * dt * alpha;
            if (!start || world_.ledger)
                all.acceleration[i] = {vec3(a), vec3(alpha)};
        } else {
            a = triple(all.acceleration[i].linear);
            alpha = triple(all.acceleration[i].angular);
        }
        if (start) {
            v += 0.5 * dt * a;
            w += 0.5 * dt * alpha;
            const Triple<double> x = triple(place.x) + dt * v, moved = x - triple(state_.listed_at[i]);
            place.x = vec3(x);
            turn(all.orientation[i], 0.5 * dt * w);
            const double square = dot(moved, moved);
            part.moved = std::max(part.moved, square < infinity ? square : infinity);
            if (world_.ledger)
                part.gravity_work += dt / m.inverse_mass * dot(gravity, v);
        }
        m.v = vec3(v);
        m.w = vec3(w);
    };
    parallel_for(
        partial.size(),
        [&](std::size_t b) {
            const std::size_t end = std::min(all.size(), (b + 1) * ForceBlocks::size);
            for (std::size_t i = b * ForceBlocks::size; i < end; ++i)
                move(i, partial[b]);
        },
        1);
    double moved = 0, damped = 0;
    for (const Partial& part : partial) {
        moved = std::max(moved, part.moved);
        state_.gravity_work += part.gravity_work;
        damped += part.damping_loss;
    }
    if (finish) {
        state_.local_damping_loss += 0.5 * (state_.last_step.local_damping + damped);
        state_.last_step.local_damping = damped;
    }
    if (start)
        moved_ = std::sqrt(moved);
}

bool SphereSystem::list_is_stale() const
{
    return 2 * moved_ > world_.skin || 2 * state_.wall_travel > world_.skin;
}

/// before: what has been taken out since the list was made.
void SphereSystem::rebuild(const Reordering& before)
{
    Spheres& all = state_.spheres;
    for (std::size_t i = 0; i < all.size(); ++i) {
        all.place[i].x = world_.box.wrapped(all.place[i].x);
        all.orientation[i].normalize();
    }
    constexpr long reorder_every = 16; // rebuilds: sorting pays only now and then
    const Reordering order = composed(before, state_.rebuilds % reorder_every == 0 ? reorder(all) : Reordering{});
    ++state_.rebuilds;
    NeighbourList list = find_neighbours(all.place, world_.box, world_.skin + reach_);
    state_.pairs = carried(state_.pairs, state_.list, order, list, with_turn_);
    state_.list = std::move(list);
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        const Frame frame = frame_at(world_.walls[w].motion, world_.walls[w].start, state_.time);
        state_.walls[w] =
            carried(state_.walls[w], order, near_wall(world_.walls[w], frame, all, world_.skin + reach_), with_turn_);
    }
    state_.listed_at.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        state_.listed_at[i] = all.place[i].x;
    state_.wall_travel = 0;
    prepare_list();
}

/// What follows from the list alone.
void SphereSystem::prepare_list()
{
    blocks_ = make_force_blocks(state_.list, state_.spheres.size());
    listed_bounds_ = {};
    for (const Vec3& x : state_.listed_at)
        listed_bounds_.add(x);
}

void SphereSystem::restore(const GranularState& state)
{
    STICKSLIP_ASSERT(state.walls.size() == world_.walls.size());
    state_ = state;
    moved_ = 0;
    prepare_list();
}

std::vector<int> SphereSystem::slots() const
{
    std::vector<int> slot(static_cast<std::size_t>(state_.next_id), -1);
    for (std::size_t i = 0; i < state_.spheres.size(); ++i)
        slot[state_.spheres.id[i]] = static_cast<int>(i);
    return slot;
}

EnergyLedger SphereSystem::ledger() const
{
    const Spheres& all = state_.spheres;
    const PairSystem system = pair_system(world_.dt);
    ElasticEnergy elastic = pair_energy(system, state_.pairs);
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        const GranularWall& wall = world_.walls[w];
        elastic += wall_energy(system, wall, world_.materials[wall.material],
            frame_at(wall.motion, wall.start, state_.time), state_.walls[w]);
    }
    EnergyLedger e = {};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const SphereMotion& m = all.motion[i];
        e.kinetic_translation += 0.5 / m.inverse_mass * m.v.squaredNorm();
        e.kinetic_rotation += 0.2 / m.inverse_mass * std::pow(all.place[i].radius, 2) * m.w.squaredNorm();
    }
    e.elastic_normal = elastic.normal;
    e.elastic_tangential = elastic.tangential;
    e.elastic_rolling = elastic.rolling;
    e.gravity_work = state_.gravity_work;
    e.wall_work = state_.wall_work;
    e.friction_loss = state_.losses.friction;
    e.rolling_loss = state_.losses.rolling;
    e.damping_loss = state_.losses.damping;
    e.adhesion_loss = state_.losses.adhesion;
    e.local_damping_loss = state_.local_damping_loss;
    e.first = state_.first_energy;
    return e;
}

std::size_t SphereSystem::touching() const
{
    const auto count = [](const std::vector<std::uint8_t>& flags) {
        return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), std::uint8_t(1)));
    };
    std::size_t total = count(state_.pairs.touching);
    for (const WallContacts& contacts : state_.walls) {
        total += count(contacts.history.touching);
        for (const std::vector<FacetContact>& held : contacts.held)
            total += held.size();
    }
    return total;
}

} // namespace stickslip
