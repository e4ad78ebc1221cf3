#include "stickslip/dem/sphere_system.h"
#include "stickslip/dem/walls/wall_images.h"
#include "stickslip/math/error.h"
#include "stickslip/math/parallel.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

/// What SphereSystem does with bodies of finite mass.
namespace stickslip {

namespace {

void check_body(const GranularBody& b, int materials)
{
    const auto demand = [&](bool fulfilled, const char* what) {
        if (!fulfilled)
            throw InputError("body '" + b.rigid.name + "': " + what);
    };
    const RigidBody& rigid = b.rigid;
    demand(std::isfinite(rigid.mass) && rigid.mass > 0, "mass must be > 0");
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(rigid.inertia, Eigen::EigenvaluesOnly);
    demand(rigid.inertia.allFinite() && principal.eigenvalues()[0] > 0, "inertia must be positive definite");
    demand(b.start.x.allFinite() && b.start.v.allFinite() && b.start.w.allFinite() && b.start.R.norm() > 0,
        "place and velocity must be finite");
    demand(
        rigid.force.allFinite() && rigid.torque.allFinite() && rigid.acceleration.allFinite(), "loads must be finite");
    if (!b.is_clump)
        return;
    demand(!rigid.rounds.empty(), "a clump must have spheres");
    demand(b.material >= 0 && b.material < materials, "no such material");
    for (const RoundPoint& ball : rigid.rounds)
        demand(ball.centre.allFinite() && std::isfinite(ball.radius) && ball.radius > 0, "radius must be > 0");
}

} // namespace

void check_bodies(const GranularWorld& world)
{
    const int materials = static_cast<int>(world.materials.size()), count = static_cast<int>(world.bodies.size());
    for (const GranularBody& b : world.bodies)
        check_body(b, materials);
    for (const GranularBody& b : world.clumps)
        check_body(b, materials);
    const auto leaves = [](const GranularBody& b) { return b.kind >= 0; };
    if (!std::is_partitioned(world.bodies.rbegin(), world.bodies.rend(), leaves))
        throw InputError("bodies that stay must come before those that may leave");
    for (const GranularWall& w : world.walls) {
        if (w.body < -1 || w.body >= count)
            throw InputError("wall '" + w.name + "': no such body");
        if (w.body >= 0 && leaves(world.bodies[w.body]))
            throw InputError("wall '" + w.name + "': of a body that stays");
        if (w.body >= 0 && !(bounds(w).max - bounds(w).min).allFinite())
            throw InputError("wall '" + w.name + "': a body must be of bounded size");
        if (w.body >= 0 && !(std::isfinite(w.size) && w.size > 0))
            throw InputError("wall '" + w.name + "': a body needs a size > 0");
    }
}

void SphereSystem::add_bodies()
{
    for (const GranularBody& body : world_.bodies)
        add_body_state(body);
    for (const GranularWall& wall : world_.walls) {
        const Vec3 centre = wall.body >= 0 ? world_.bodies[wall.body].rigid.centre : Vec3(Vec3::Zero());
        wall_reach_.push_back(farthest_from(centre, bounds(wall)));
        half_thickness_.push_back(half_thickness(wall));
        if (world_.bodies.empty())
            continue;
        thinnest_ = std::min(thinnest_, half_thickness_.back());
        for (const SurfacePoint& point : wall.points)
            thinnest_ = std::min(thinnest_, point.radius > 0 ? point.radius : infinity);
    }
    clumps_ = find_clumps(world_.bodies, state_.bodies, state_.body_spheres, state_.spheres, world_.box);
    for (std::size_t b = 0; b < state_.bodies.size(); ++b)
        place_spheres(clumps_, b, state_.bodies[b], state_.bodies[b].rotation(), state_.spheres);
}

/// Whether nothing touches two images of a body at once.
void SphereSystem::demand_room_for_bodies()
{
    periodic_range_ = 2 * largest_radius_;
    for (const GranularWall& wall : world_.walls) {
        if (wall.body < 0)
            continue;
        const double range = periodic_range(world_, wall, largest_radius_);
        if (world_.box.size.minCoeff() < 2 * (range + reach_ + state_.skin))
            throw InputError("wall '" + wall.name + "': the periodic box has less than twice its range of "
                + std::to_string(range + reach_ + state_.skin) + " m");
        periodic_range_ = std::max(periodic_range_, range);
    }
}

double SphereSystem::largest_body() const
{
    double largest = 0;
    for (std::size_t w = 0; w < world_.walls.size(); ++w)
        if (world_.walls[w].body >= 0)
            largest = std::max(largest, wall_reach_[w]);
    return largest;
}

void SphereSystem::add_body_state(const GranularBody& body)
{
    state_.bodies.push_back(initial_motion(body));
    state_.body_spheres.push_back({});
    if (!body.is_clump)
        return;
    state_.body_spheres.back() = {.first = state_.next_id, .group = body.group, .kind = body.kind};
    const Mat3 R = state_.bodies.back().rotation();
    for (const RoundPoint& ball : body.rigid.rounds) {
        add({.x = state_.bodies.back().x + R * ball.centre,
            .radius = ball.radius,
            .material = body.material,
            .group = body.group});
        state_.spheres.motion.back().inverse_mass = 1 / body.rigid.mass; // what dashpots take for it
    }
}

/// Their spheres leave with the list to come.
void SphereSystem::drop_bodies(const std::vector<int>& bodies)
{
    const auto drop = [&](auto& all) {
        std::size_t kept = 0;
        for (std::size_t b = 0; b < all.size(); ++b)
            if (!std::binary_search(bodies.begin(), bodies.end(), static_cast<int>(b)))
                all[kept++] = all[b];
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
    };
    drop(world_.bodies);
    drop(state_.bodies);
    drop(state_.body_spheres);
    drop(state_.body_load);
}

Frame SphereSystem::wall_frame(std::size_t w) const
{
    const GranularWall& wall = world_.walls[w];
    if (wall.body < 0)
        return frame_at(wall.motion, wall.start, state_.time);
    const BodyMotion& motion = state_.bodies[wall.body];
    return solid_frame(world_.bodies[wall.body].rigid, motion.x, motion.rotation());
}

WallPose SphereSystem::moving_pose(std::size_t w, double dt) const
{
    const GranularWall& wall = world_.walls[w];
    return wall.body < 0 ? wall_pose(wall, state_.time, dt)
                         : wall_pose(world_.bodies[wall.body].rigid, state_.bodies[wall.body], dt);
}

BodyStep SphereSystem::body_step() const
{
    return {world_.bodies, world_.gravity, world_.local_damping, world_.dt};
}

WallPose SphereSystem::wall_pose_now(std::size_t wall) const
{
    return moving_pose(wall, 0);
}

SolidMeeting SphereSystem::solid_meeting(std::span<const WallPose> poses, double dt) const
{
    return {world_.law, world_.walls, world_.materials, laws_, world_.box, poses, half_thickness_, dt};
}

/// Sum of all of them, about its centre of mass.
Load SphereSystem::contacts_on(std::size_t b) const
{
    Load sum;
    const BodyMotion& motion = state_.bodies[b];
    const Mat3 R = motion.rotation();
    for (int k = clumps_.first[b]; k < clumps_.first[b + 1]; ++k) {
        const ClumpSphere& s = clumps_.spheres[k];
        const Load load = blocks_.total(static_cast<std::size_t>(s.slot)).load();
        const Vec3 arm = R * s.c;
        sum += {load.force, arm.cross(load.force) + load.torque};
    }
    for (std::size_t w = 0; w < world_.walls.size(); ++w) {
        if (world_.walls[w].body != static_cast<int>(b))
            continue;
        const Load& load = state_.wall_load[w];
        const Vec3 arm = -(R * world_.bodies[b].rigid.centre); // to the origin of its frame
        sum += {load.force, load.torque + arm.cross(load.force)};
    }
    return sum;
}

void SphereSystem::finish_bodies()
{
    const std::size_t count = world_.bodies.size();
    parallel_for(
        count, [&](std::size_t b) { state_.body_load[b] = contacts_on(b); }, 64);
    const BodyWork work = finish_step(body_step(), state_.body_load, state_.bodies);
    parallel_for(
        count,
        [&](std::size_t b) {
            place_spheres(clumps_, b, state_.bodies[b], state_.bodies[b].rotation(), state_.spheres);
            accelerate_spheres(clumps_, b, state_.bodies[b], state_.spheres);
        },
        64);
    state_.local_damping_loss += 0.5 * (state_.last_step.body_damping + work.local_damping);
    state_.last_step.body_damping = work.local_damping;
}

/// The most that a sphere of a clump has moved since the list was made [m].
double SphereSystem::start_bodies()
{
    std::vector<Mat3> earlier;
    for (const BodyMotion& motion : state_.bodies)
        earlier.push_back(motion.rotation());
    const BodyWork work = start_step(body_step(), state_.bodies);
    state_.gravity_work += work.gravity;
    state_.load_work += work.loads;
    if (!work.finite)
        return infinity;
    std::vector<double> moved(earlier.size()); // [m^2]
    parallel_for(
        earlier.size(),
        [&](std::size_t b) {
            place_spheres(clumps_, b, state_.bodies[b], earlier[b], state_.spheres);
            for (int k = clumps_.first[b]; k < clumps_.first[b + 1]; ++k) {
                const int slot = clumps_.spheres[k].slot;
                moved[b] = std::max(moved[b], (state_.spheres.place[slot].x - state_.listed_at[slot]).squaredNorm());
            }
        },
        64);
    double most = 0;
    for (const double square : moved)
        most = std::max(most, square);
    return std::sqrt(most);
}

ElasticEnergy SphereSystem::solid_energy() const
{
    if (state_.points.near.empty())
        return {};
    std::vector<WallPose> poses;
    for (std::size_t w = 0; w < world_.walls.size(); ++w)
        poses.push_back(wall_pose_now(w));
    return point_energy(solid_meeting(poses, world_.dt), state_.points);
}

void SphereSystem::list_solid_contacts(std::vector<GranularContact>& contacts) const
{
    if (state_.points.near.empty())
        return;
    std::vector<WallPose> poses;
    for (std::size_t w = 0; w < world_.walls.size(); ++w)
        poses.push_back(wall_pose_now(w));
    list_point_contacts(solid_meeting(poses, world_.dt), state_.points, contacts);
}

std::vector<MovingPart> SphereSystem::moving_parts() const
{
    const Spheres& all = state_.spheres;
    std::vector<MovingPart> parts;
    for (const int i : slots()) {
        if (i < 0 || body_of(i) >= 0)
            continue;
        const double mass = 1 / all.motion[i].inverse_mass, own = 0.4 * mass * std::pow(all.place[i].radius, 2);
        parts.push_back(
            {all.group[i], -1, mass, all.place[i].x, all.motion[i].v, own * Mat3::Identity(), own * all.motion[i].w});
    }
    for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
        const BodyMotion& m = state_.bodies[b];
        const RigidBody& rigid = world_.bodies[b].rigid;
        const Mat3 R = m.rotation();
        parts.push_back({world_.bodies[b].is_clump ? world_.bodies[b].group : -1, static_cast<int>(b), rigid.mass, m.x,
            m.v, R * rigid.inertia * R.transpose(), m.L});
    }
    return parts;
}

} // namespace stickslip
