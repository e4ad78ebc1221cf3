#include "stickslip/render/force_arrows.h"

#include "stickslip/render/turned_shape.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr double shortest = 0.2, longest = 2; // of the usual length
constexpr double shaft_radius = 0.022, head_radius = 0.06, head_length = 0.18; // of the usual length

} // namespace

DrawnMesh force_arrows(const std::vector<RecordedContact>& contacts, double length)
{
    DrawnMesh mesh;
    std::vector<double> sizes;
    for (const RecordedContact& c : contacts)
        sizes.push_back(c.force.norm());
    const double usual = usual_size(std::move(sizes));
    const Colour stick = from_srgb(0x2f6fb7), slide = from_srgb(0xe08214);
    for (const RecordedContact& c : contacts) {
        const double size = c.force.norm();
        if (!(size > 0) || !c.x.allFinite())
            continue;
        const double drawn = length * std::clamp(size / usual, shortest, longest);
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
