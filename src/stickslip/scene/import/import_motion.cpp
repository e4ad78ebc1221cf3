#include "stickslip/scene/import/import_motion.h"

#include "stickslip/math/rotation.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

Keyframe keyframe(double time, const Vec3& position, const Mat3& R)
{
    const Quat q = Quat(R).normalized();
    return {.time = time, .position = position, .rotation = QuaternionRotation{{q.w(), q.x(), q.y(), q.z()}}};
}

} // namespace

Mat3 principal_axes(const Mat3& inertia)
{
    const double unit = 1e-9 * inertia.cwiseAbs().maxCoeff();
    const Mat3 rounded = (inertia / unit).array().round().matrix(); // round-off would choose among equal moments
    Mat3 axes = Eigen::SelfAdjointEigenSolver<Mat3>(rounded).eigenvectors();
    if (axes.determinant() < 0)
        axes.col(0) *= -1;
    return axes;
}

Motion led_motion(const KinematicScript& script, const LedFrame& start)
{
    const bool drifts = !script.velocity.isZero(0) || !script.spin.isZero(0);
    if (script.poses.empty() && (script.until >= script.end || !drifts))
        return SteadyMotion{.velocity = script.velocity, .angular_velocity = script.spin};
    KeyframeMotion motion{.keyframes = {keyframe(0, start.origin, start.R)}};
    double time = 0;
    Vec3 x = start.origin;
    Mat3 R = start.R;
    const double last = std::min(script.until, script.end) * (1 + 1e-9);
    for (std::size_t k = 0; k < script.poses.size() && static_cast<double>(k + 1) * script.step <= last; ++k) {
        time = static_cast<double>(k + 1) * script.step;
        x = script.poses[k].centre;
        R = rotation_exp(script.poses[k].turn) * start.principal.transpose() * start.R;
        motion.keyframes.push_back(keyframe(time, x, R));
    }
    const double rest = std::min(script.until, script.end) - time;
    if (!drifts || !(rest > 1e-9 * script.step))
        return motion;
    // between keyframes the turn goes the short way round
    const int pieces = std::max(1, static_cast<int>(std::ceil(rest * script.spin.norm() / (0.5 * std::numbers::pi))));
    for (int i = 1; i <= pieces; ++i) {
        const double t = rest * i / pieces;
        motion.keyframes.push_back(keyframe(time + t, x + t * script.velocity, rotation_exp(t * script.spin) * R));
    }
    return motion;
}

} // namespace stickslip
