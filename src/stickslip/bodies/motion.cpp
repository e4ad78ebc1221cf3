#include "stickslip/bodies/motion.h"

#include "stickslip/math/rotation.h"

#include <algorithm>
#include <numbers>

namespace stickslip {

namespace {

auto first_after(const std::vector<ScriptedMotion::Keyframe>& keys, double t)
{
    return std::upper_bound(
        keys.begin(), keys.end(), t, [](double time, const ScriptedMotion::Keyframe& key) { return time < key.time; });
}

} // namespace

Frame frame_at(const ScriptedMotion& motion, const Frame& start, double t)
{
    const auto& keys = motion.keyframes;
    if (keys.empty()) {
        if (motion.is_still())
            return start;
        return {start.x + t * motion.velocity, rotation_exp(t * motion.angular_velocity) * start.R};
    }
    const auto next = first_after(keys, t);
    if (next == keys.begin())
        return {keys.front().x, keys.front().R.toRotationMatrix()};
    const ScriptedMotion::Keyframe& a = *(next - 1);
    if (next == keys.end())
        return {a.x, a.R.toRotationMatrix()};
    const double s = (t - a.time) / (next->time - a.time);
    return {(1 - s) * a.x + s * next->x, a.R.slerp(s, next->R).normalized().toRotationMatrix()};
}

FrameVelocity velocity_at(const ScriptedMotion& motion, double t)
{
    const auto& keys = motion.keyframes;
    if (keys.empty())
        return {motion.velocity, motion.angular_velocity};
    const auto next = first_after(keys, t);
    if (next == keys.begin() || next == keys.end())
        return {};
    const ScriptedMotion::Keyframe& a = *(next - 1);
    const double dt = next->time - a.time;
    Eigen::AngleAxisd turn(next->R * a.R.conjugate());
    if (turn.angle() > std::numbers::pi) // the short way round, as the interpolation takes
        turn.angle() -= 2 * std::numbers::pi;
    return {(next->x - a.x) / dt, turn.angle() / dt * turn.axis()};
}

} // namespace stickslip
