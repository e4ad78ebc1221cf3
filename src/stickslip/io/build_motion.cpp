#include "stickslip/io/build_motion.h"

#include "stickslip/math/check.h"

namespace stickslip {

namespace {

template <typename Place>
ScriptedMotion scripted(const Motion& motion, const Place& place)
{
    ScriptedMotion result;
    if (const auto* steady = std::get_if<SteadyMotion>(&motion)) {
        result.velocity = steady->velocity;
        result.angular_velocity = steady->angular_velocity;
        return result;
    }
    const auto* path = std::get_if<KeyframeMotion>(&motion);
    STICKSLIP_ASSERT(path);
    for (const Keyframe& key : path->keyframes) {
        const Frame frame = place(key);
        result.keyframes.push_back({key.time, frame.x, Quat(frame.R).normalized()});
    }
    return result;
}

} // namespace

ScriptedMotion obstacle_motion(const Motion& motion, const Frame& start)
{
    return scripted(motion, [&](const Keyframe& key) {
        return Frame{key.position.value_or(start.x), key.rotation ? rotation_matrix(*key.rotation) : start.R};
    });
}

ScriptedMotion pin_motion(const Motion& motion, const Frame& start)
{
    return scripted(motion, [&](const Keyframe& key) {
        return Frame{start.x + key.position.value_or(Vec3::Zero()),
            key.rotation ? Mat3(rotation_matrix(*key.rotation) * start.R) : start.R};
    });
}

} // namespace stickslip
