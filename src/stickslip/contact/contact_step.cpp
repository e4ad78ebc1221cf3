#include "stickslip/contact/contact_step.h"

#include "stickslip/contact/points/posed_circle.h"
#include "stickslip/math/parallel.h"

#include <utility>

namespace stickslip {

namespace {

ContactBodies with_grown_solids(ContactBodies bodies)
{
    bodies.grow_solids();
    return bodies;
}

} // namespace

ContactStep::ContactStep(ContactBodies all)
    : bodies(with_grown_solids(std::move(all)))
    , groups(bodies)
    , start(bodies)
{
}

void ContactStep::move_to(std::span<const Vec3> nodes, std::span<const RigidCandidate> poses)
{
    x.assign(nodes.begin(), nodes.end());
    rigid.assign(poses.begin(), poses.end());
    const std::vector<std::vector<LevelSet>>& grown = bodies.grown->solids;
    surfaces_.clear();
    grown_surfaces_.resize(grown.size());
    for (auto& of_width : grown_surfaces_)
        of_width.clear();
    for (int s = bodies.first_rigid(); s < bodies.count(); ++s) {
        const SurfaceMotionInStep motion = motion_of(s);
        surfaces_.emplace_back(bodies.solid(s), motion, bodies.relaxation);
        for (std::size_t width = 0; width < grown.size(); ++width)
            grown_surfaces_[width].emplace_back(grown[width][s - bodies.first_rigid()], motion, bodies.relaxation);
    }
    boxes.resize(bodies.total());
    parallel_for(
        boxes.size(), [&](std::size_t body) { boxes[body] = box_of_body(static_cast<int>(body)); }, 16);
}

void ContactStep::move_to(std::span<const RigidCandidate> poses, std::span<const int> moved)
{
    for (const int body : moved) {
        const int r = body - bodies.first_rigid();
        rigid[r] = poses[r];
        const SurfaceMotionInStep motion = motion_of(body);
        surfaces_[r].place(motion);
        for (auto& of_width : grown_surfaces_)
            of_width[r].place(motion);
        boxes[body] = box_of_body(body);
    }
}

SurfaceMotionInStep ContactStep::motion_of(int body) const
{
    SurfaceMotionInStep motion;
    motion.dt = start.dt;
    motion.damping = bodies.law->damping;
    motion.old_frame = start.frame(body);
    if (bodies.is_rigid(body)) {
        const RigidCandidate& now = rigid[body - bodies.first_rigid()];
        motion.frame = solid_frame(bodies.rigid(body), now.x, now.R);
    } else {
        motion.frame = start.obstacle_end[body - bodies.first_obstacle()];
        motion.surface_velocity = bodies.obstacle(body).surface_velocity;
    }
    return motion;
}

// All that conveyors do to contacts: the material of either side moves, whichever has the point. A point that stays
// where its belt goes on by b is one that b leaves behind, so its attachment goes by -b. Directions are those at the
// start of the step, or they would depend on the candidate.
SurfaceMotionInStep ContactStep::motion(const CandidatePair& pair) const
{
    SurfaceMotionInStep motion = surfaces_[pair.surface_body - bodies.first_rigid()].motion();
    motion.surface_velocity -= motion.old_frame.R.transpose() * start.surface_velocity(pair.point_body);
    return motion;
}

const LevelSetSurface& ContactStep::surface(const CandidatePair& pair) const
{
    const auto [p, s] = pair;
    const auto& all = bodies.is_mpm(p) ? grown_surfaces_[bodies.width(p)] : surfaces_;
    return all[s - bodies.first_rigid()];
}

LevelSetSurface ContactStep::surface_in_step(const CandidatePair& pair) const
{
    LevelSetSurface at = surface(pair);
    at.place(motion(pair));
    return at;
}

// With where balls, circles and nodes were at the start of the step: what has gone through triangles is met by them
// still.
Bounds ContactStep::box_of_body(int body) const
{
    Bounds box;
    if (!bodies.has_free_points(body)) {
        box = placed(bounds(bodies.solid(body)), frame(body));
        const Frame old = start.point_frame(body);
        for (const auto& balls : {bodies.rounds(body), bodies.soft_balls(body)})
            for (const RoundPoint& ball : balls)
                box.add(old.to_world(ball.centre));
        for (const Rim& rim : bodies.round_rims(body)) {
            const Bounds at = box_of(circle_at(rim, {old.to_world(rim.centre), old.R}));
            box.add(at.min);
            box.add(at.max);
        }
        return box;
    }
    for (int point = 0; point < bodies.points(body); ++point) {
        const int place = bodies.place(body, point);
        box.add(x[place]);
        if (bodies.is_deformable(body))
            box.add(start.x[place]);
    }
    return box.grown(bodies.is_mpm(body) ? bodies.mpm_body(body).half_width : 0);
}

PoseChange ContactStep::pose_change(int body) const
{
    if (bodies.has_free_points(body))
        return {};
    if (bodies.is_obstacle(body))
        return {start.point_frame(body), start.obstacle_end[body - bodies.first_obstacle()]};
    const RigidCandidate& now = rigid[body - bodies.first_rigid()];
    return {start.point_frame(body), {now.x, now.R}};
}

Vec3 ContactStep::turn(int body) const
{
    if (bodies.is_rigid(body))
        return rigid[body - bodies.first_rigid()].theta;
    return start.obstacle_turn[body - bodies.first_obstacle()];
}

Side ContactStep::side(int body, int point) const
{
    if (bodies.has_free_points(body))
        return Side::node(bodies.block_of_point(body, point));
    if (bodies.is_obstacle(body))
        return Side::fixed();
    const RigidCandidate& now = rigid[body - bodies.first_rigid()];
    return Side::rigid(bodies.block(body), now.x, now.J);
}

} // namespace stickslip
