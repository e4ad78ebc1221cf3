#include "stickslip/bodies/motion.h"

#include "stickslip/math/rotation.h"

#include <algorithm>

namespace stickslip {

Frame frame_at(const ScriptedMotion& motion, const Frame& start, double t)
{
    const auto& keys = motion.keyframes;
    if (keys.empty()) {
        if (motion.is_still())
            return start;
        return {start.x + t * motion.velocity, rotation_exp(t * motion.angular_velocity) * start.R};
    }
    const auto next = std::upper_bound(
        keys.begin(), keys.end(), t, [](double time, const ScriptedMotion::Keyframe& key) { return time < key.time; });
    if (next == keys.begin())
        return {keys.front().x, keys.front().R.toRotationMatrix()};
    const ScriptedMotion::Keyframe& a = *(next - 1);
    if (next == keys.end())
        return {a.x, a.R.toRotationMatrix()};
    const double s = (t - a.time) / (next->time - a.time);
    return {(1 - s) * a.x + s * next->x, a.R.slerp(s, next->R).normalized().toRotationMatrix()};
}

} // namespace stickslip
