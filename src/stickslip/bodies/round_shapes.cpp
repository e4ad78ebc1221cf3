#include "stickslip/bodies/round_shapes.h"

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/geometry/mesh/surface_shapes.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

int balls_along(double length, double radius)
{
    return std::max(1, static_cast<int>(std::ceil(2 * length / radius - 1e-9)));
}

std::vector<RoundPoint> along_axis(double length, double radius)
{
    std::vector<RoundPoint> balls;
    const int count = balls_along(length, radius);
    for (int i = 0; i <= count; ++i)
        balls.push_back({.centre = Vec3(0, length * (static_cast<double>(i) / count - 0.5), 0),
            .radius = radius,
            .between = i > 0 && i < count});
    return balls;
}

std::vector<RoundPoint> around(const Torus& torus)
{
    std::vector<RoundPoint> balls;
    const int count = balls_along(2 * pi * torus.major, torus.minor);
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * pi * i / count;
        balls.push_back({.centre = torus.major * Vec3(std::cos(angle), 0, std::sin(angle)), .radius = torus.minor});
    }
    return balls;
}

// That touch its side. The largest also touches the base.
std::vector<RoundPoint> within(const Cone& cone)
{
    const double sine = cone.radius / std::hypot(cone.radius, cone.height); // of half the angle at the apex
    const double farthest = cone.height / (1 + sine); // [m] of a centre from the apex
    std::vector<RoundPoint> balls;
    for (double way = farthest; way > farthest / 16; way /= 1 + 0.5 * sine)
        balls.push_back({.centre = Vec3(0, 0.5 * cone.height - way, 0), .radius = way * sine});
    std::reverse(balls.begin(), balls.end());
    return balls;
}

} // namespace

std::vector<RoundPoint> balls_of(const Primitive& shape)
{
    if (const auto* sphere = std::get_if<Sphere>(&shape))
        return {{.centre = Vec3::Zero(), .radius = sphere->radius}};
    if (const auto* capsule = std::get_if<Capsule>(&shape))
        return along_axis(capsule->height, capsule->radius);
    return {};
}

std::vector<RoundPoint> inner_balls(const Primitive& shape)
{
    if (const auto* torus = std::get_if<Torus>(&shape))
        return around(*torus);
    if (const auto* cone = std::get_if<Cone>(&shape))
        return within(*cone);
    const auto* cylinder = std::get_if<Cylinder>(&shape);
    if (cylinder && cylinder->height > 2 * cylinder->radius)
        return along_axis(cylinder->height - 2 * cylinder->radius, cylinder->radius);
    return balls_of(shape);
}

RoundedBoxPoints points_of(const RoundedBox& box, double spacing)
{
    RoundedBoxPoints points;
    for (SurfaceSample& s : surface_samples(triangulate(Box{box.core()}, 1), spacing, Vec3::Zero())) {
        if (!s.flat) { // on an edge of the core
            points.balls.push_back({s.z, box.radius, s.weight, s.between});
        } else {
            s.z += box.radius * s.n;
            points.samples.push_back(s);
        }
    }
    return points;
}

double apart_along(double height, double radius)
{
    return height / balls_along(height, radius);
}

std::vector<Rim> rims_of(const Primitive& shape)
{
    if (const auto* torus = std::get_if<Torus>(&shape))
        return {{Vec3::Zero(), Vec3::UnitY(), torus->major, torus->minor, true}};
    std::vector<Rim> rims;
    if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        const int count = balls_along(cylinder->height, cylinder->radius);
        for (int i = 0; i <= count; ++i)
            rims.push_back({Vec3(0, cylinder->height * (static_cast<double>(i) / count - 0.5), 0), Vec3::UnitY(),
                cylinder->radius, 0, i == 0 || i == count});
    }
    if (const auto* cone = std::get_if<Cone>(&shape)) {
        const int count = balls_along(cone->height, cone->radius);
        for (int i = 0; i < count; ++i) { // up to the apex, which is a point
            const double t = static_cast<double>(i) / count;
            rims.push_back({Vec3(0, cone->height * (t - 0.5), 0), Vec3::UnitY(), (1 - t) * cone->radius, 0, i == 0});
        }
    }
    return rims;
}

std::vector<Rim> inner_rims(const Primitive& shape)
{
    // [m] by which sharp rims are rounded
    const auto rounding = [](double radius, double height) { return std::min(0.02 * radius, 0.1 * height); };
    std::vector<Rim> rims = rims_of(shape);
    if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        const double half = 0.5 * cylinder->height;
        for (Rim& rim : rims) {
            const double y = rim.centre.y();
            rim.tube = rim.lies_flat ? rounding(cylinder->radius, cylinder->height)
                                     : std::min(0.8 * cylinder->radius, half - std::abs(y));
            rim.radius = cylinder->radius - rim.tube;
            if (rim.lies_flat)
                rim.centre.y() = std::copysign(half - rim.tube, y);
        }
    }
    if (const auto* cone = std::get_if<Cone>(&shape)) {
        const double slant = std::hypot(cone->radius, cone->height);
        const double sine = cone->radius / slant, cosine = cone->height / slant; // of half the angle at the apex
        for (Rim& rim : rims) {
            const double above_base = rim.centre.y() + 0.5 * cone->height;
            if (rim.lies_flat) {
                rim.tube = rounding(cone->radius, cone->height);
                rim.radius = cone->radius * (1 - rim.tube / cone->height) - rim.tube / cosine;
                rim.centre.y() += rim.tube;
            } else { // the ball about each of its points touches the side at the circle that it stands for
                rim.tube = std::min(above_base / (1 + sine), 0.8 * rim.radius / cosine);
                rim.radius -= rim.tube * cosine;
                rim.centre.y() -= rim.tube * sine;
            }
        }
    }
    return rims;
}

std::optional<TriMesh> rim_polygons(const Primitive& shape)
{
    constexpr int sides = 48;
    const auto* cylinder = std::get_if<Cylinder>(&shape);
    const auto* cone = std::get_if<Cone>(&shape);
    if (!cylinder && !cone)
        return std::nullopt;
    const double radius = cylinder ? cylinder->radius : cone->radius;
    const double half = 0.5 * (cylinder ? cylinder->height : cone->height);
    TriMesh mesh;
    mesh.vertices = {Vec3(0, -half, 0), Vec3(0, half, 0)};
    const auto add_ring = [&](double y) {
        for (int i = 0; i < sides; ++i) {
            const double angle = 2 * pi * i / sides;
            mesh.vertices.emplace_back(radius * std::cos(angle), y, radius * std::sin(angle));
        }
    };
    add_ring(-half);
    if (cylinder)
        add_ring(half);
    for (int i = 0; i < sides; ++i) {
        const int a = 2 + i, b = 2 + (i + 1) % sides;
        mesh.triangles.push_back({0, a, b});
        if (cone) {
            mesh.triangles.push_back({1, b, a});
            continue;
        }
        mesh.triangles.push_back({1, b + sides, a + sides});
        mesh.triangles.push_back({a, a + sides, b});
        mesh.triangles.push_back({b, a + sides, b + sides});
    }
    return mesh;
}

std::vector<SurfaceSample> corners_of(const Primitive& shape)
{
    if (const auto* cone = std::get_if<Cone>(&shape))
        return {{.z = Vec3(0, cone->height / 2, 0), .weight = 4, .n = Vec3::UnitY(), .flat = false}};
    return {};
}

bool is_on_rims(const Primitive& shape, const Vec3& X)
{
    const auto* cylinder = std::get_if<Cylinder>(&shape);
    const double rho = std::hypot(X.x(), X.z());
    if (const auto* cone = std::get_if<Cone>(&shape))
        return X.y() > (1e-9 - 0.5) * cone->height || rho > (1 - 1e-9) * cone->radius;
    return cylinder && rho > (1 - 1e-9) * cylinder->radius;
}

} // namespace stickslip
