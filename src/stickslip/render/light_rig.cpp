#include "stickslip/render/light_rig.h"

#include "stickslip/render/camera.h"

#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double lamp_share = 0.6; // of the light on flat ground
constexpr double lamp_azimuth = -0.55, lamp_elevation = 0.90; // [rad] seen from the scene, 0 towards the viewer
constexpr double lamp_radius = 0.13; // [rad]
constexpr double golden_angle = 2.399963229728653; // [rad]

} // namespace

std::vector<Light> studio_lights(const Vec3& up, int of_lamp, int of_sky)
{
    const Mat3 axes = upright_axes(up);
    const Vec3 lamp = axes
        * Vec3(std::cos(lamp_elevation) * std::sin(lamp_azimuth), std::sin(lamp_elevation),
            std::cos(lamp_elevation) * std::cos(lamp_azimuth));
    const Mat3 around_lamp = upright_axes(lamp);
    std::vector<Light> lights;
    for (int i = 0; i < of_lamp; ++i) { // a disc of equal density
        const double r = lamp_radius * std::sqrt((i + 0.5) / of_lamp), angle = i * golden_angle;
        const Vec3 d = around_lamp * Vec3(r * std::cos(angle), 1, r * std::sin(angle)).normalized();
        lights.push_back({d, lamp_share / (of_lamp * d.dot(up))});
    }
    for (int i = 0; i < of_sky; ++i) { // density with the cosine: every light gives the same to flat ground
        const double height = std::sqrt((i + 0.5) / of_sky), across = std::sqrt(1 - height * height);
        const Vec3 d = axes * Vec3(across * std::cos(i * golden_angle), height, across * std::sin(i * golden_angle));
        lights.push_back({d, (1 - lamp_share) / (of_sky * height)});
    }
    return lights;
}

} // namespace stickslip
