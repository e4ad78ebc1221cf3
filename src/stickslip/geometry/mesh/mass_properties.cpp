#include "stickslip/geometry/mesh/mass_properties.h"

#include "stickslip/geometry/mesh/shape_sizes.h"
#include "stickslip/math/parallel.h"

#include <numbers>

namespace stickslip {

namespace {

using std::numbers::pi;

MassProperties centred(double volume, const Vec3& inertia)
{
    return {.volume = volume, .centre = Vec3::Zero(), .inertia = inertia.asDiagonal()};
}

MassProperties integrate(const Plane&)
{
    return {}; // refused by check_sizes
}

MassProperties integrate(const Box& box)
{
    const double volume = box.size.prod();
    const Vec3 squares = box.size.cwiseProduct(box.size);
    return centred(volume, volume / 12 * (Vec3::Constant(squares.sum()) - squares));
}

/// Cut across an axis it is a rectangle b c with corners of radius rho, of the area b c + 2 rho (b + c) + pi rho^2:
/// rho = r over the core, half of it h long, and rho^2 = r^2 - t^2 beyond it by t.
MassProperties integrate(const RoundedBox& box)
{
    const double r = box.radius;
    const auto cut = [](double b, double c) { return Vec3(b * c, 2 * (b + c), pi); }; // factors of 1, rho, rho^2
    // integrals over t of rho^k, t rho^k, t^2 rho^k, k = 0, 1, 2
    const Vec3 zeroth(r, pi * r * r / 4, 2 * r * r * r / 3);
    const Vec3 first = r * r * Vec3(1. / 2, r / 3, r * r / 4);
    const Vec3 second = r * r * r * Vec3(1. / 3, pi * r / 16, 2 * r * r / 15);
    double volume = 0;
    Vec3 squares; // integrals of x^2, y^2, z^2
    for (int i = 0; i < 3; ++i) {
        const Vec3 core = box.core(), area = cut(core[(i + 1) % 3], core[(i + 2) % 3]);
        const double h = core[i] / 2, middle = area.dot(Vec3(1, r, r * r));
        volume = 2 * (h * middle + area.dot(zeroth));
        squares[i] = 2 * (h * h * h / 3 * middle + area.dot(h * h * zeroth + 2 * h * first + second));
    }
    return centred(volume, Vec3::Constant(squares.sum()) - squares);
}

MassProperties integrate(const Sphere& sphere)
{
    const double r = sphere.radius;
    const double volume = 4 * pi / 3 * r * r * r;
    return centred(volume, Vec3::Constant(0.4 * volume * r * r));
}

MassProperties integrate(const Cylinder& cylinder)
{
    const double r = cylinder.radius, h = cylinder.height;
    const double volume = pi * r * r * h;
    const double across = volume * (3 * r * r + h * h) / 12;
    return centred(volume, {across, volume * r * r / 2, across});
}

MassProperties integrate(const Cone& cone)
{
    const double r = cone.radius, h = cone.height;
    const double volume = pi / 3 * r * r * h;
    const double across = volume * (0.15 * r * r + 0.0375 * h * h);
    MassProperties result = centred(volume, {across, 0.3 * volume * r * r, across});
    result.centre = {0, -h / 4, 0}; // a quarter of the height above the base
    return result;
}

MassProperties integrate(const Capsule& capsule)
{
    const double r = capsule.radius, h = capsule.height;
    const double tube = pi * r * r * h, ball = 4 * pi / 3 * r * r * r;
    // each half ball: about its flat side 2/5 m r^2, its centre of mass 3/8 r beyond it
    const double across = tube * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + h * h / 4 + 0.375 * h * r);
    return centred(tube + ball, {across, tube * r * r / 2 + 0.4 * ball * r * r, across});
}

MassProperties integrate(const Torus& torus)
{
    const double R = torus.major, r = torus.minor;
    const double volume = 2 * pi * pi * R * r * r;
    const double across = volume * (R * R / 2 + 0.625 * r * r);
    return centred(volume, {across, volume * (R * R + 0.75 * r * r), across});
}

} // namespace

MassProperties mass_properties(const Primitive& shape)
{
    check_sizes(shape, 1);
    return std::visit([](const auto& s) { return integrate(s); }, shape);
}

/// Signed tetrahedra between each triangle and one point. With corners 0, a, b, c, s = a + b + c and volume V the
/// integrals of x and x x^T are V s/4 and V/20 (s s^T + a a^T + b b^T + c c^T).
MassProperties mass_properties(const TriMesh& mesh)
{
    MassProperties result;
    if (mesh.vertices.empty())
        return result;
    const auto corner = [&](std::size_t t, int i) -> const Vec3& { return mesh.vertices[mesh.triangles[t][i]]; };
    const auto volume_from = [&](const Vec3& origin, std::size_t t) {
        const Vec3 a = corner(t, 0) - origin, b = corner(t, 1) - origin, c = corner(t, 2) - origin;
        return a.cross(b).dot(c) / 6;
    };
    const Vec3 near = mesh.vertices[0]; // less cancellation for a mesh far from 0
    result.volume = enclosed_volume(mesh);
    const Vec3 moment = ordered_sum(mesh.triangles.size(), Vec3(Vec3::Zero()), [&](std::size_t t) -> Vec3 {
        return volume_from(near, t) / 4 * (corner(t, 0) + corner(t, 1) + corner(t, 2) - 3 * near);
    });
    result.centre = near + moment / result.volume;
    const Mat3 second = ordered_sum(mesh.triangles.size(), Mat3(Mat3::Zero()), [&](std::size_t t) -> Mat3 {
        Vec3 sum = Vec3::Zero();
        Mat3 squares = Mat3::Zero();
        for (int i = 0; i < 3; ++i) {
            const Vec3 x = corner(t, i) - result.centre;
            sum += x;
            squares += x * x.transpose();
        }
        return volume_from(result.centre, t) / 20 * (sum * sum.transpose() + squares);
    });
    result.inertia = second.trace() * Mat3::Identity() - second;
    return result;
}

} // namespace stickslip
