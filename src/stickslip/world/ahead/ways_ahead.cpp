#include "stickslip/world/ahead/ways_ahead.h"

#include "stickslip/contact/detect/candidates.h"
#include "stickslip/math/rotation.h"

#include <cmath>
#include <optional>

namespace stickslip {

namespace {

// The axis about which a body turns all the step, if there is one: of a script without keyframes, and of a body that is
// held about two axes.
std::optional<Vec3> axis_of(const ScriptedMotion& motion)
{
    for (const Oscillation& o : motion.oscillations)
        if (!o.turn.isZero(0))
            return std::nullopt;
    if (!motion.keyframes.empty() || motion.angular_velocity.isZero(0))
        return std::nullopt;
    return motion.angular_velocity.normalized();
}
std::optional<Vec3> axis_of(const RigidBody& body)
{
    const Vec3 free(body.fixed[3] ? 0 : 1, body.fixed[4] ? 0 : 1, body.fixed[5] ? 0 : 1);
    return free.sum() == 1 ? std::optional(free) : std::nullopt;
}

double squared_distance(const Bounds& box, const Vec3& x)
{
    return (x - x.cwiseMax(box.min).cwiseMin(box.max)).squaredNorm();
}

// Of a box turned by any angle about the origin of its frame, and about `axis`, if there is one.
Bounds turned(const Bounds& own, const Mat3& R, const std::optional<Vec3>& axis, double& radius)
{
    double along = 0, around = 0;
    radius = 0;
    for (int c = 0; c < 8; ++c) {
        const Vec3 corner = R
            * Vec3(c & 1 ? own.max.x() : own.min.x(), c & 2 ? own.max.y() : own.min.y(),
                c & 4 ? own.max.z() : own.min.z());
        radius = std::max(radius, corner.norm());
        if (axis) {
            along = std::max(along, std::abs(axis->dot(corner)));
            around = std::max(around, axis->cross(corner).norm());
        }
    }
    Vec3 half = Vec3::Constant(radius);
    if (axis)
        half = along * axis->cwiseAbs() + around * (Vec3::Ones() - axis->cwiseAbs2()).cwiseMax(0).cwiseSqrt();
    return {-half, half};
}

} // namespace

WaysAhead::WaysAhead(const World& world, const State& state, double dt, std::span<const int> turning)
    : world_(&world)
    , state_(&state)
    , dt_(dt)
    , fall_(dt * dt * world.gravity.norm())
    , bodies_(contact_bodies(world))
    , places_(point_places(state))
    , velocities_(point_velocities(state))
{
    for (int body = 0; body < bodies_.total(); ++body)
        ways_.push_back(way(body));
    for (const int body : turning)
        if (ways_[body].is_finite())
            ways_[body] = sweep(body).box;
}

// Of a rigid body about its centre of mass.
Frame WaysAhead::frame(int body, bool at_end) const
{
    if (bodies_.is_obstacle(body)) {
        const Obstacle& o = bodies_.obstacle(body);
        return frame_at(o.motion, o.start, state_->time + (at_end ? dt_ : 0));
    }
    const RigidState& now = state_->rigid[body - bodies_.first_rigid()];
    const Mat3 R = now.R.toRotationMatrix();
    return at_end ? Frame{now.x + dt_ * now.v, rotation_exp(dt_ * now.w) * R} : Frame{now.x, R};
}

Bounds WaysAhead::way(int body) const
{
    Bounds way;
    if (bodies_.has_free_points(body)) {
        for (int point = 0; point < bodies_.points(body); ++point) {
            const int place = bodies_.place(body, point);
            way.add(places_[place]);
            way.add(places_[place] + dt_ * velocities_[place]);
        }
        return way.grown(fall_ + (bodies_.is_mpm(body) ? bodies_.mpm_body(body).half_width : 0));
    }
    const Bounds own = bounds(bodies_.solid(body));
    for (const bool at_end : {false, true}) {
        const Frame at = frame(body, at_end);
        way.add(placed(own, bodies_.is_rigid(body) ? solid_frame(bodies_.rigid(body), at.x, at.R) : at));
    }
    return bodies_.is_rigid(body) ? way.grown(fall_) : way;
}

WaysAhead::Sweep WaysAhead::sweep(int body) const
{
    const bool is_rigid = bodies_.is_rigid(body);
    const Vec3 centre = is_rigid ? bodies_.rigid(body).centre : Vec3(Vec3::Zero());
    const Bounds solid = bounds(bodies_.solid(body));
    const std::optional<Vec3> axis = is_rigid ? axis_of(bodies_.rigid(body)) : axis_of(bodies_.obstacle(body).motion);
    const Frame old = frame(body, false), now = frame(body, true);
    double radius = 0;
    Bounds around = turned({solid.min - centre, solid.max - centre}, old.R, axis, radius);
    if (std::holds_alternative<Sphere>(bodies_.solid(body))) {
        around = solid;
        radius = solid.max.x();
    }
    const double more = is_rigid ? fall_ : oscillation_range(bodies_.obstacle(body).motion).norm();
    Bounds box;
    for (const Vec3& x : {old.x, now.x})
        box.add(Bounds{x + around.min, x + around.max});
    return {box.grown(more), 0.5 * (old.x + now.x), radius + 0.5 * (now.x - old.x).norm() + more};
}

// Some point of the box is below the plane, or level with it, when the step begins or ends.
bool WaysAhead::plane_meets(int plane, const Bounds& box) const
{
    const Vec3 middle = 0.5 * (box.min + box.max), half = 0.5 * (box.max - box.min);
    for (const bool at_end : {false, true}) {
        const Frame at = frame(plane, at_end);
        const Vec3 n = at.R * std::get<Plane>(bodies_.solid(plane)).normal;
        if (n.dot(middle - at.x) <= n.cwiseAbs().dot(half))
            return true;
    }
    return false;
}

bool WaysAhead::meets(int body, int other) const
{
    const bool are_scripted = bodies_.is_obstacle(body) && bodies_.is_obstacle(other);
    if (body == other || are_scripted)
        return false;
    if (!(bodies_.is_free_ball(body) ? bodies_.meets(other, body) : bodies_.may_touch(body, other)))
        return false;
    const auto is_plane = [&](int b) {
        return !bodies_.has_free_points(b) && std::holds_alternative<Plane>(bodies_.solid(b));
    };
    if (is_plane(body)) { // nothing is swept by one that turns about its normal
        const Obstacle& plane = bodies_.obstacle(body);
        const Vec3 n = plane.start.R * std::get<Plane>(plane.solid).normal;
        const std::optional<Vec3> axis = axis_of(plane.motion);
        return !axis || axis->cross(n).norm() > 1e-9 || plane_meets(body, ways_[other]);
    }
    if (is_plane(other))
        return plane_meets(other, ways_[body]);
    if (!ways_[body].is_finite() || !ways_[other].is_finite())
        return true;
    const Sweep own = sweep(body);
    return own.box.overlaps(ways_[other]) && squared_distance(ways_[other], own.centre) <= own.radius * own.radius;
}

bool WaysAhead::meets_any(int body) const
{
    for (int other = 0; other < bodies_.total(); ++other)
        if (meets(body, other))
            return true;
    return false;
}

} // namespace stickslip
