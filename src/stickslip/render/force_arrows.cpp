#include "stickslip/render/force_arrows.h"

#include "stickslip/render/turned_shape.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {

namespace {

constexpr double shortest = 0.2, longest = 2; // of the usual length
constexpr double shaft_radius = 0.022, head_radius = 0.06, head_length = 0.18; // of the usual length

bool moves(int body, const RecordedScene& scene)
{
    return body < 0 || scene.bodies[static_cast<std::size_t>(body)].kind != RecordedKind::obstacle;
}

} // namespace

std::vector<RecordedContact> on_what_moves(std::vector<RecordedContact> contacts, const RecordedScene& scene)
{
    for (RecordedContact& c : contacts) {
        const auto rank = [&](int body) { return std::pair(moves(body, scene), body); };
        if (rank(c.point_body) >= rank(c.surface_body))
            continue;
        std::swap(c.point_body, c.surface_body);
        c.force = -c.force;
        c.normal = -c.normal;
        c.node = -1;
    }
    return contacts;
}

ArrowScale arrow_scale(const std::vector<RecordedContact>& contacts, double length)
{
    std::vector<double> sizes;
    for (const RecordedContact& c : contacts)
        sizes.push_back(c.force.norm());
    const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    return {.force = usual_size(std::move(sizes)), .length = length, .largest = largest};
}

double cut_force(const ArrowScale& scale)
{
    const double cut = longest * scale.force;
    return scale.largest > cut * (1 + 1e-9) ? cut : 0;
}

double round_force(const ArrowScale& scale, double most)
{
    const double force = scale.force * std::min(most / scale.length, longest);
    const double power = std::pow(10, std::floor(std::log10(force)));
    for (const double digit : {5.0, 2.0})
        if (digit * power <= force * (1 + 1e-9))
            return digit * power;
    return power;
}

DrawnMesh force_arrows(const std::vector<RecordedContact>& contacts, const ArrowScale& scale)
{
    DrawnMesh mesh;
    const double length = scale.length;
    const Colour stick = from_srgb(0x2f6fb7), slide = from_srgb(0xe08214);
    for (const RecordedContact& c : contacts) {
        const double size = c.force.norm();
        if (!(size > 0) || !c.x.allFinite())
            continue;
        const double drawn = length * std::clamp(size / scale.force, shortest, longest);
        const double neck = drawn - std::min(head_length * length, 0.6 * drawn);
        const Vec3 along = c.force / size;
        const Vec3 across = along.unitOrthogonal();
        Mat3 axes;
        axes << across, along.cross(across), along;
        add_turned_shape(c.x, axes,
            {{0, 0}, {0, shaft_radius * length}, {neck, shaft_radius * length}, {neck, head_radius * length},
                {drawn, 0}},
            c.sticks ? stick : slide, mesh);
    }
    return mesh;
}

} // namespace stickslip
