#include "stickslip/geometry/mesh/shape_sizes.h"

#include "stickslip/math/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace stickslip {

namespace {

/// Shortest text that reads back as the same number, whatever the locale.
std::string number(double x)
{
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, x).ptr);
}

void positive(const char* name, double x)
{
    if (!(std::isfinite(x) && x > 0))
        throw InputError(std::string(name) + ": expected a finite number > 0, got " + number(x));
}

void check(const Plane&)
{
    throw InputError("shape: expected a solid of finite size, got a plane");
}

void check(const Box& box)
{
    for (int i = 0; i < 3; ++i)
        positive("box edge length", box.size[i]);
}

void check(const RoundedBox& box)
{
    check(Box{box.size});
    positive("rounded box radius", box.radius);
    if (!(2 * box.radius < box.size.minCoeff()))
        throw InputError("rounded box radius: expected less than half of the smallest edge length "
            + number(box.size.minCoeff()) + ", got " + number(box.radius));
}

void check(const Sphere& sphere)
{
    positive("sphere radius", sphere.radius);
}

void check(const Cylinder& cylinder)
{
    positive("cylinder radius", cylinder.radius);
    positive("cylinder height", cylinder.height);
}

void check(const Cone& cone)
{
    positive("cone radius", cone.radius);
    positive("cone height", cone.height);
}

void check(const Capsule& capsule)
{
    positive("capsule radius", capsule.radius);
    if (!(std::isfinite(capsule.height) && capsule.height >= 0))
        throw InputError("capsule height: expected a finite number >= 0, got " + number(capsule.height));
}

void check(const Torus& torus)
{
    positive("torus major radius", torus.major);
    positive("torus minor radius", torus.minor);
    if (torus.minor >= torus.major)
        throw InputError("torus minor radius: expected less than the major radius " + number(torus.major) + ", got "
            + number(torus.minor));
}

} // namespace

void check_sizes(const Primitive& shape, double resolution)
{
    std::visit([](const auto& s) { check(s); }, shape);
    positive("resolution", resolution);
}

double step_count(double length, double resolution)
{
    return std::max(1.0, std::round(length / resolution));
}

void check_count(double count, double limit, const char* what, double resolution)
{
    if (!(count <= limit))
        throw InputError("resolution: expected one that needs at most " + number(limit) + " " + what + ", got "
            + number(resolution) + ", which needs " + number(count));
}

} // namespace stickslip
