#pragma once

#include "stickslip/math/types.h"

#include <vector>

namespace stickslip {

/// A pinhole camera.
struct Camera {
    Vec3 eye = Vec3(0, 0, 1), target = Vec3::Zero(); // [m]
    Vec3 up = Vec3(0, 1, 0); // [-]
    double half_height = 0.268; // tangent of half the vertical angle of view: 30 degrees in all

    /// Right, up and towards the eye; orthonormal also where `up` is along the view.
    Mat3 axes() const;

    /// World to OpenGL's clip space, near and far around a ball that holds what is drawn.
    Eigen::Matrix4f projection(double aspect, const Vec3& centre, double radius) const;
};

/// The ground's axes: x to the right, upward, towards the viewer.
Mat3 upright_axes(const Vec3& up);

/// Unit vector from the scene to the eye of the default view: from the right, in front and above.
Vec3 three_quarter_direction(const Vec3& up);

/// The nearest camera looking along -direction that sees all points, with a margin. aspect = width/height.
/// Pre: at least one point.
Camera fit_camera(const std::vector<Vec3>& points, const Vec3& direction, const Vec3& up, double aspect);

} // namespace stickslip
