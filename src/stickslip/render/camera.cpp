#include "stickslip/render/camera.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// Share of the picture that stays free on each side of what is fitted.
constexpr double margin = 0.09;

// Of the default view [rad].
constexpr double azimuth = 0.56, elevation = 0.33;

/// Along one axis of the picture: at depth c (away from the eye) a point is seen when |x - centre| <= t (z - c). Both
/// bounds hold for all points where centre - t c >= max(x - t z) and centre + t c <= min(x + t z).
struct Span {
    double low = infinity, high = -infinity; // min(x + t z), max(x - t z)

    void add(double x, double t_z)
    {
        low = std::min(low, x + t_z);
        high = std::max(high, x - t_z);
    }
    double centre() const { return (low + high) / 2; }
    double depth(double t) const { return (low - high) / (2 * t); }
};

} // namespace

Mat3 Camera::axes() const
{
    const Vec3 back = (eye - target).normalized();
    Vec3 right = up.cross(back);
    if (right.norm() < 1e-6)
        right = upright_axes(up).col(0);
    right.normalize();
    Mat3 axes;
    axes << right, back.cross(right), back;
    return axes;
}

Eigen::Matrix4f Camera::projection(double aspect, const Vec3& centre, double radius) const
{
    const Mat3 A = axes();
    const double depth = A.col(2).dot(eye - centre);
    const double near = std::max(depth - radius, 1e-3 * (std::abs(depth) + radius)),
                 far = std::max(depth, 0.0) + radius;
    Eigen::Matrix4d view = Eigen::Matrix4d::Identity(), clip = Eigen::Matrix4d::Zero();
    view.topLeftCorner<3, 3>() = A.transpose();
    view.topRightCorner<3, 1>() = -A.transpose() * eye;
    clip(0, 0) = 1 / (half_height * aspect);
    clip(1, 1) = 1 / half_height;
    clip(2, 2) = -(far + near) / (far - near);
    clip(2, 3) = -2 * far * near / (far - near);
    clip(3, 2) = -1;
    return (clip * view).cast<float>();
}

Mat3 upright_axes(const Vec3& up)
{
    const Vec3 x = std::abs(up.normalized().x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    const Vec3 y = up.normalized(), right = (x - x.dot(y) * y).normalized();
    Mat3 axes;
    axes << right, y, right.cross(y);
    return axes;
}

Vec3 three_quarter_direction(const Vec3& up)
{
    return upright_axes(up)
        * Vec3(std::cos(elevation) * std::sin(azimuth), std::sin(elevation), std::cos(elevation) * std::cos(azimuth));
}

Camera fit_camera(const std::vector<Vec3>& points, const Vec3& direction, const Vec3& up, double aspect)
{
    Camera camera{.eye = direction, .target = Vec3::Zero(), .up = up};
    const Mat3 axes = camera.axes();
    const double free = 1 - 2 * margin;
    const double tx = camera.half_height * aspect * free, ty = camera.half_height * free;
    Span across, along;
    double nearest = infinity;
    for (const Vec3& point : points) {
        const Vec3 p = axes.transpose() * point; // right, up, towards the eye
        across.add(p.x(), -tx * p.z());
        along.add(p.y(), -ty * p.z());
        nearest = std::min(nearest, -p.z());
    }
    const double depth = std::min(across.depth(tx), along.depth(ty)); // away from the eye, like -p.z
    const double smallest = 1e-3; // points in one place still need room between them and the eye [m]
    camera.eye = axes * Vec3(across.centre(), along.centre(), -std::min(depth, nearest - smallest));
    camera.target = camera.eye - axes.col(2) * std::max(smallest, nearest - depth);
    return camera;
}

} // namespace stickslip
