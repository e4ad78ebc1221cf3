#include "stickslip/contact/edges/carried_place.h"

#include "stickslip/math/smooth_step.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// distance(place) [m]: how far what touches passes by a place.
template <typename Distance>
double share_left_at(std::span<const CarriedPlace> places, const Distance& distance)
{
    constexpr double near = 0.5, far = 1; // [radii of the side]: where the overlap of what lies alone has ended
    double left = 1;
    for (const CarriedPlace& place : places) {
        const double carried = smooth_step((far - distance(place.at) / place.radius) / (far - near)).value;
        left = std::min(left, 1 - place.share * carried);
    }
    return left;
}

// [m] From where a ball is touched to a place at `distance` from its centre.
double beside(double distance, double radius)
{
    return std::sqrt(std::max(0.0, distance * distance - radius * radius));
}

} // namespace

double share_left(std::span<const CarriedPlace> places, const Vec3& centre, double radius)
{
    return share_left_at(places, [&](const Vec3& x) { return beside((x - centre).norm(), radius); });
}

double share_left(std::span<const CarriedPlace> places, const Rim& rim, const Frame& old)
{
    return share_left_at(places, [&](const Vec3& x) {
        const Vec3 arm = old.to_local(x);
        const double along = arm.dot(rim.axis), across = (arm - along * rim.axis).norm();
        return beside(std::hypot(along, across - rim.radius), rim.tube);
    });
}

double share_of_line(std::span<const CarriedPlace> places, const Vec3& centre, const Vec3& axis, const Vec3* n)
{
    constexpr double same_face = 1 - 1e-9;
    double left = 1;
    for (const CarriedPlace& place : places)
        for (const int f : {0, 1})
            if (place.along[f] > 0 && (!n || n->dot(place.faces[f]) > same_face))
                left -= place.along[f] * std::max(0.0, 1 - std::abs(axis.dot(place.at - centre)) / place.apart);
    return std::max(0.0, left);
}

} // namespace stickslip
