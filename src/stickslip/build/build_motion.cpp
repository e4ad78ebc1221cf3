#include "stickslip/build/build_motion.h"

#include "stickslip/math/angle.h"

#include <numbers>

namespace stickslip {

namespace {

template <typename Place>
ScriptedMotion scripted(const Motion& motion, const Place& place)
{
    ScriptedMotion result;
    if (const auto* steady = std::get_if<SteadyMotion>(&motion)) {
        result.velocity = steady->velocity;
        result.angular_velocity = steady->angular_velocity;
    } else {
        const KeyframeMotion& path = std::get<KeyframeMotion>(motion);
        result.smooth = path.interpolation == Interpolation::smooth;
        for (const Keyframe& key : path.keyframes) {
            const Frame frame = place(key);
            result.keyframes.push_back({key.time, frame.x, Quat(frame.R).normalized()});
        }
    }
    for (const OscillationSettings& o : oscillations(motion))
        result.oscillations.push_back({.amplitude = o.amplitude,
            .turn = o.turn ? Vec3(o.turn->degrees * degree * o.turn->axis.normalized()) : Vec3(Vec3::Zero()),
            .frequency = o.frequency,
            .phase = o.phase_degrees * degree});
    return result;
}

} // namespace

ScriptedMotion obstacle_motion(const Motion& motion, const Frame& start)
{
    return scripted(motion, [&](const Keyframe& key) {
        return Frame{key.position.value_or(start.x), key.rotation ? rotation_matrix(*key.rotation) : start.R};
    });
}

void warn_of_unresolved_motions(const Scene& scene, double dt, BuildReport& report)
{
    constexpr double least = 10; // steps a period, or a turn: the mean velocity of a step is then right within 2 %
    const bool is_divided = scene.solver.integration == Integration::implicit;
    const auto look_at = [&](const Motion& motion, const SourcePosition& where, const std::string& path) {
        for (std::size_t i = 0; i < oscillations(motion).size(); ++i)
            if (const OscillationSettings& o = oscillations(motion)[i]; dt * o.frequency * least > 1)
                report.warn(o.where, path + ".motion.oscillations[" + std::to_string(i) + "]",
                    "too fast for steps of " + short_number(dt) + " s: a period has only "
                        + short_number(1 / (dt * o.frequency)) + " steps, expected at least " + short_number(least)
                        + "; use a shorter `time.step`");
        if (const auto* steady = std::get_if<SteadyMotion>(&motion))
            if (const double turns = steady->angular_velocity.norm() / (2 * std::numbers::pi); dt * turns * least > 1)
                report.warn(where, path + ".motion.angular_velocity",
                    "too fast for steps of " + short_number(dt) + " s: a turn has only "
                        + short_number(1 / (dt * turns)) + " steps, expected at least " + short_number(least)
                        + "; use a shorter `time.step`"
                        + (is_divided ? " (steps in which what may touch others turns by more than 1 rad are divided)"
                                      : ""));
        if (const auto* way = std::get_if<KeyframeMotion>(&motion))
            for (std::size_t i = 0; i + 2 < way->keyframes.size(); ++i) // one may lie between two steps
                if (const double pause = way->keyframes[i + 2].time - way->keyframes[i].time; pause < dt * (1 + 1e-9)) {
                    report.warn(where, path + ".motion.keyframes[" + std::to_string(i + 1) + "]",
                        "the two beside it are " + short_number(pause) + " s apart, no more than a step of "
                            + short_number(dt) + " s: what the motion does there may not be seen; use a shorter "
                            + "`time.step`");
                    break;
                }
    };
    for (const BodySettings& body : scene.bodies) {
        if (body.motion)
            look_at(*body.motion, body.where, "bodies." + body.name);
        for (std::size_t f = 0; f < body.fix.size(); ++f)
            if (body.fix[f].motion)
                look_at(
                    *body.fix[f].motion, body.fix[f].where, "bodies." + body.name + ".fix[" + std::to_string(f) + "]");
    }
}

ScriptedMotion pin_motion(const Motion& motion, const Frame& start)
{
    return scripted(motion, [&](const Keyframe& key) {
        return Frame{start.x + key.position.value_or(Vec3::Zero()),
            key.rotation ? Mat3(rotation_matrix(*key.rotation) * start.R) : start.R};
    });
}

} // namespace stickslip
