#include "stickslip/world/reach.h"

#include "stickslip/contact/detect/candidates.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

const Bounds all_space{Vec3::Constant(-infinity), Vec3::Constant(infinity)};

/// Radius of the ball about `centre` that holds the box.
double radius_about(const Vec3& centre, const Bounds& box)
{
    return (box.max - centre).cwiseAbs().cwiseMax((centre - box.min).cwiseAbs()).norm();
}

Bounds around(const Bounds& places, double radius)
{
    return {places.min - Vec3::Constant(radius), places.max + Vec3::Constant(radius)};
}

Bounds of_obstacle(const Obstacle& obstacle, double t)
{
    const Bounds own = bounds(obstacle.solid);
    const ScriptedMotion& motion = obstacle.motion;
    if (motion.is_still())
        return placed(own, obstacle.start);
    Bounds places;
    places.add(frame_at(motion, obstacle.start, t).x);
    for (const ScriptedMotion::Keyframe& key : motion.keyframes)
        places.add(key.x);
    places.min -= oscillation_range(motion);
    places.max += oscillation_range(motion);
    for (int axis = 0; axis < 3 && motion.keyframes.empty(); ++axis) {
        if (motion.velocity[axis] > 0)
            places.max[axis] = infinity;
        else if (motion.velocity[axis] < 0)
            places.min[axis] = -infinity;
    }
    return around(places, radius_about(Vec3::Zero(), own));
}

/// Adds x + v t + a t^2/2 for all t >= 0 to [low, high].
void add_fall(double x, double v, double a, double& low, double& high)
{
    if (a > 0 || (a == 0 && v > 0))
        high = infinity;
    if (a < 0 || (a == 0 && v < 0))
        low = -infinity;
    const double turning = a != 0 && -v / a > 0 ? x - v * v / (2 * a) : x;
    low = std::min({low, x, turning});
    high = std::max({high, x, turning});
}

} // namespace

Reach::Reach(const World& world)
    : bodies_(contact_bodies(world))
    , box_(bodies_.total(), all_space)
    , disturbed_(bodies_.total(), true)
{
}

Reach Reach::everywhere(const World& world)
{
    return Reach(world);
}

Reach::Reach(const World& world, std::span<const RigidState> rigid, double t, double dt)
    : Reach(world)
{
    for (int b = bodies_.first_rigid(); b < bodies_.first_obstacle(); ++b) {
        const RigidBody& body = bodies_.rigid(b);
        const RigidState& start = rigid[b - bodies_.first_rigid()];
        const Vec3 a = world.gravity + body.acceleration + body.force / body.mass;
        Bounds centre{start.x, start.x};
        for (int axis = 0; axis < 3; ++axis)
            if (!body.fixed[axis]) // a step adds a dt^2 to the way, not a dt^2/2
                for (const double v : {start.v[axis], start.v[axis] + a[axis] * dt / 2})
                    add_fall(start.x[axis], v, a[axis], centre.min[axis], centre.max[axis]);
        box_[b] = around(centre, radius_about(body.centre, bounds(body.solid)));
        disturbed_[b] = false;
    }
    for (int b = bodies_.first_obstacle(); b < bodies_.count(); ++b) {
        box_[b] = of_obstacle(bodies_.obstacle(b), t);
        disturbed_[b] = false;
    }
    disturb();
}

// Each body is looked at once with the box of its flight and once more where it has left that.
void Reach::disturb()
{
    std::vector<int> left(bodies_.total());
    for (int b = 0; b < bodies_.total(); ++b)
        left[b] = b;
    const auto leave_flight = [&](int b) {
        if (disturbed_[b] || !bodies_.is_rigid(b))
            return;
        disturbed_[b] = true;
        for (int axis = 0; axis < 3; ++axis)
            if (!bodies_.rigid(b).fixed[axis]) {
                box_[b].min[axis] = -infinity;
                box_[b].max[axis] = infinity;
            }
        left.push_back(b);
    };
    while (!left.empty()) {
        const int a = left.back();
        left.pop_back();
        for (int b = 0; b < bodies_.total(); ++b)
            if (!(disturbed_[a] && disturbed_[b]) && may_meet(a, b)) {
                leave_flight(a);
                leave_flight(b);
            }
    }
}

bool Reach::may_meet(int a, int b) const
{
    if (a == b || (bodies_.is_obstacle(a) && bodies_.is_obstacle(b)) || !box_[a].overlaps(box_[b]))
        return false;
    return bodies_.law->lets_meet(a, b);
}

std::vector<int> Reach::groups() const
{
    const int first = bodies_.first_rigid(), count = bodies_.first_obstacle() - first;
    std::vector<int> group(count, -1);
    std::vector<int> left;
    for (int seed = 0; seed < count; ++seed) {
        if (group[seed] >= 0)
            continue;
        group[seed] = seed;
        left.push_back(seed);
        while (!left.empty()) {
            const int a = left.back();
            left.pop_back();
            for (int b = 0; b < count; ++b)
                if (group[b] < 0 && may_meet(first + a, first + b)) {
                    group[b] = seed;
                    left.push_back(b);
                }
        }
    }
    return group;
}

} // namespace stickslip
