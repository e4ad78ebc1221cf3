#include "stickslip/bodies/motion.h"

#include "stickslip/math/rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

using Keyframes = std::vector<ScriptedMotion::Keyframe>;

/// Place and rotation vector, or their rates.
struct Twist {
    Vec3 x = Vec3::Zero(), turn = Vec3::Zero();
};

/// The piece between two keyframes that holds t, if one does.
struct Piece {
    std::size_t first; // keyframe that it begins with
    bool inside; // false: at rest in keyframe `first`
};

Piece piece_at(const Keyframes& keys, double t)
{
    const auto next = std::upper_bound(
        keys.begin(), keys.end(), t, [](double time, const ScriptedMotion::Keyframe& key) { return time < key.time; });
    if (next == keys.begin())
        return {0, false};
    return {static_cast<std::size_t>(next - keys.begin()) - 1, next != keys.end()};
}

/// From keyframe k to the next one, the short way round.
Twist way(const Keyframes& keys, std::size_t k)
{
    Eigen::AngleAxisd turn(keys[k + 1].R * keys[k].R.conjugate());
    if (turn.angle() > std::numbers::pi)
        turn.angle() -= 2 * std::numbers::pi;
    return {keys[k + 1].x - keys[k].x, turn.angle() * turn.axis()};
}

double duration(const Keyframes& keys, std::size_t k)
{
    return keys[k + 1].time - keys[k].time;
}

/// Slope between two pieces of slopes a, b and durations ha, hb that keeps a cubic monotone on both: zero at a turning
/// point, else a weighted harmonic mean (F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5, 1984).
Vec3 monotone_slope(const Vec3& a, double ha, const Vec3& b, double hb)
{
    const double share = (ha + 2 * hb) / (3 * (ha + hb)); // of a
    Vec3 slope = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
        if (a[i] * b[i] > 0)
            slope[i] = 1 / (share / a[i] + (1 - share) / b[i]);
    return slope;
}

/// Velocity and angular velocity of a smooth motion at keyframe k.
FrameVelocity key_velocity(const Keyframes& keys, std::size_t k)
{
    if (k == 0 || k + 1 == keys.size())
        return {};
    const double ha = duration(keys, k - 1), hb = duration(keys, k);
    const Twist a = way(keys, k - 1), b = way(keys, k);
    return {monotone_slope(a.x / ha, ha, b.x / hb, hb), monotone_slope(a.turn / ha, ha, b.turn / hb, hb)};
}

/// The cubic from 0 to `end` with these slopes, in units of the duration: value and derivative at s in [0, 1].
struct Cubic {
    Vec3 end, slope0, slope1;

    Vec3 value(double s) const { return s * s * (3 - 2 * s) * end + s * (1 - s) * ((1 - s) * slope0 - s * slope1); }
    Vec3 rate(double s) const
    {
        return 6 * s * (1 - s) * end + (1 - s) * (1 - 3 * s) * slope0 + s * (3 * s - 2) * slope1;
    }
};

/// What a smooth motion adds to the place and the rotation of keyframe k, and its rates, at s of the piece.
struct Hermite {
    Cubic x, turn;

    Hermite(const Keyframes& keys, std::size_t k)
    {
        const double h = duration(keys, k);
        const Twist to = way(keys, k);
        const FrameVelocity at0 = key_velocity(keys, k), at1 = key_velocity(keys, k + 1);
        x = {to.x, h * at0.v, h * at1.v};
        // w = J_l(turn) dturn/dt
        turn = {to.turn, h * at0.w, h * left_jacobian(to.turn).inverse() * at1.w};
    }
};

/// Displacement of all oscillations, and its rate.
Twist displacement(const ScriptedMotion& motion, double t)
{
    Twist sum;
    for (const Oscillation& o : motion.oscillations) {
        const double s = std::sin(2 * std::numbers::pi * o.frequency * t + o.phase) - std::sin(o.phase);
        sum.x += s * o.amplitude;
        sum.turn += s * o.turn;
    }
    return sum;
}
Twist displacement_rate(const ScriptedMotion& motion, double t)
{
    Twist sum;
    for (const Oscillation& o : motion.oscillations) {
        const double w = 2 * std::numbers::pi * o.frequency, c = w * std::cos(w * t + o.phase);
        sum.x += c * o.amplitude;
        sum.turn += c * o.turn;
    }
    return sum;
}

/// Without oscillations.
Frame mean_frame(const ScriptedMotion& motion, const Frame& start, double t)
{
    const Keyframes& keys = motion.keyframes;
    if (keys.empty()) {
        if (motion.velocity.isZero(0) && motion.angular_velocity.isZero(0))
            return start;
        return {start.x + t * motion.velocity, rotation_exp(t * motion.angular_velocity) * start.R};
    }
    const auto [k, inside] = piece_at(keys, t);
    if (!inside)
        return {keys[k].x, keys[k].R.toRotationMatrix()};
    const ScriptedMotion::Keyframe &a = keys[k], &b = keys[k + 1];
    const double s = (t - a.time) / (b.time - a.time);
    if (!motion.smooth)
        return {(1 - s) * a.x + s * b.x, a.R.slerp(s, b.R).normalized().toRotationMatrix()};
    const Hermite from_a(keys, k);
    return {a.x + from_a.x.value(s), rotation_exp(from_a.turn.value(s)) * a.R.toRotationMatrix()};
}

FrameVelocity mean_velocity(const ScriptedMotion& motion, double t)
{
    const Keyframes& keys = motion.keyframes;
    if (keys.empty())
        return {motion.velocity, motion.angular_velocity};
    const auto [k, inside] = piece_at(keys, t);
    if (!inside)
        return {};
    const double h = duration(keys, k), s = (t - keys[k].time) / h;
    if (!motion.smooth) {
        const Twist to = way(keys, k);
        return {to.x / h, to.turn / h};
    }
    const Hermite from_a(keys, k);
    return {from_a.x.rate(s) / h, left_jacobian(from_a.turn.value(s)) * from_a.turn.rate(s) / h};
}

/// Without oscillations: turns one after the other.
double farthest_mean_turn(const ScriptedMotion& motion, double t, double dt)
{
    const Keyframes& keys = motion.keyframes;
    if (keys.empty())
        return motion.angular_velocity.norm() * dt;
    Vec3 turn = Vec3::Zero();
    double farthest = 0;
    for (std::size_t k = piece_at(keys, t).first; k + 1 < keys.size() && keys[k].time < t + dt; ++k) {
        const double begin = std::max(t, keys[k].time), end = std::min(t + dt, keys[k + 1].time);
        const double h = duration(keys, k);
        const double s0 = (begin - keys[k].time) / h, s1 = (end - keys[k].time) / h;
        if (motion.smooth) {
            const Hermite from(keys, k);
            turn += from.turn.value(s1) - from.turn.value(s0);
        } else {
            turn += (s1 - s0) * way(keys, k).turn;
        }
        farthest = std::max(farthest, turn.norm());
    }
    return farthest;
}

/// Of the oscillations alone.
double farthest_swing(const ScriptedMotion& motion, double t, double dt)
{
    constexpr double looks_a_period = 16, most = 1024;
    double fastest = 0; // [Hz]
    for (const Oscillation& o : motion.oscillations)
        if (!o.turn.isZero(0))
            fastest = std::max(fastest, o.frequency);
    if (fastest == 0)
        return 0;
    const Vec3 old = displacement(motion, t).turn;
    const int looks = static_cast<int>(std::clamp(std::ceil(looks_a_period * fastest * dt), 1.0, most));
    double farthest = 0;
    for (int i = 1; i <= looks; ++i)
        farthest = std::max(farthest, (displacement(motion, t + dt * i / looks).turn - old).norm());
    return farthest;
}

} // namespace

Frame frame_at(const ScriptedMotion& motion, const Frame& start, double t)
{
    const Frame mean = mean_frame(motion, start, t);
    if (motion.oscillations.empty())
        return mean;
    const Twist off = displacement(motion, t);
    return {mean.x + off.x, rotation_exp(off.turn) * mean.R};
}

FrameVelocity velocity_at(const ScriptedMotion& motion, double t)
{
    const FrameVelocity mean = mean_velocity(motion, t);
    if (motion.oscillations.empty())
        return mean;
    const Twist off = displacement(motion, t), rate = displacement_rate(motion, t);
    return {mean.v + rate.x, left_jacobian(off.turn) * rate.turn + rotation_exp(off.turn) * mean.w};
}

double farthest_turn(const ScriptedMotion& motion, double t, double dt)
{
    return farthest_mean_turn(motion, t, dt) + farthest_swing(motion, t, dt);
}

Vec3 oscillation_range(const ScriptedMotion& motion)
{
    Vec3 range = Vec3::Zero();
    for (const Oscillation& o : motion.oscillations)
        range += 2 * o.amplitude.cwiseAbs();
    return range;
}

} // namespace stickslip
