#include "stickslip/scene/scene.h"

#include "stickslip/math/angle.h"

#include <algorithm>

namespace stickslip {

double metres(LengthUnit unit)
{
    switch (unit) {
    case LengthUnit::centimetre:
        return 0.01;
    case LengthUnit::millimetre:
        return 0.001;
    case LengthUnit::inch:
        return 0.0254;
    case LengthUnit::foot:
        return 0.3048;
    case LengthUnit::metre:
        break;
    }
    return 1;
}

namespace {

Mat3 matrix(const AxisRotation& rotation)
{
    return Eigen::AngleAxisd(rotation.degrees * degree, rotation.axis.stableNormalized()).toRotationMatrix();
}

Mat3 matrix(const QuaternionRotation& rotation)
{
    const auto& [w, x, y, z] = rotation.wxyz;
    Quat quaternion(w, x, y, z);
    quaternion.coeffs().stableNormalize();
    return quaternion.toRotationMatrix();
}

Mat3 matrix(const EulerRotation& rotation)
{
    const Vec3 angle = degree * rotation.degrees;
    return (Eigen::AngleAxisd(angle.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angle.y(), Vec3::UnitY())
        * Eigen::AngleAxisd(angle.x(), Vec3::UnitX()))
        .toRotationMatrix();
}

} // namespace

Mat3 rotation_matrix(const Rotation& rotation)
{
    return std::visit([](const auto& form) { return matrix(form); }, rotation);
}

bool turns(const Motion& motion)
{
    const auto swings = [](const OscillationSettings& o) { return o.turn && o.turn->degrees != 0; };
    if (std::ranges::any_of(oscillations(motion), swings))
        return true;
    if (const auto* steady = std::get_if<SteadyMotion>(&motion))
        return !steady->angular_velocity.isZero(0);
    return std::ranges::any_of(
        std::get<KeyframeMotion>(motion).keyframes, [](const Keyframe& key) { return key.rotation.has_value(); });
}

} // namespace stickslip
