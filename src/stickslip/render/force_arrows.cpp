#include "stickslip/render/force_arrows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr int sides = 12;
constexpr double shortest = 0.2, longest = 2; // of the usual length
constexpr double shaft_radius = 0.022, head_radius = 0.06, head_length = 0.18; // of the usual length

/// The force that 95 of 100 stay below; 0 without forces.
double usual_force(const std::vector<RecordedContact>& contacts)
{
    std::vector<double> sizes;
    for (const RecordedContact& c : contacts)
        if (c.force.norm() > 0)
            sizes.push_back(c.force.norm());
    if (sizes.empty())
        return 0;
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), place, sizes.end());
    return *place;
}

/// A body of revolution about an axis: radii at heights, from below to above.
void add_turned(const Vec3& base, const Mat3& axes, const std::vector<std::pair<double, double>>& profile,
    const Colour& colour, DrawnMesh& mesh)
{
    const auto corner = [&](std::size_t ring, int side, const Vec3& normal) {
        const double angle = 2 * std::numbers::pi * side / sides;
        const Vec3 out = std::cos(angle) * axes.col(0) + std::sin(angle) * axes.col(1);
        const Vec3 x = base + profile[ring].first * axes.col(2) + profile[ring].second * out;
        mesh.positions.push_back(x.cast<float>());
        mesh.normals.push_back((axes * normal).cast<float>());
        mesh.colours.push_back(colour);
    };
    for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring) {
        const double rise = profile[ring + 1].first - profile[ring].first;
        const double grow = profile[ring + 1].second - profile[ring].second;
        for (int side = 0; side < sides; ++side) {
            const double angle = 2 * std::numbers::pi * (side + 0.5) / sides;
            const Vec3 normal = Vec3(rise * std::cos(angle), rise * std::sin(angle), -grow).normalized();
            for (const auto& [r, s] :
                std::array<std::pair<std::size_t, int>, 6>{{{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {1, 0}}})
                corner(ring + r, side + s, normal);
        }
    }
}

} // namespace

DrawnMesh force_arrows(const std::vector<RecordedContact>& contacts, double length)
{
    DrawnMesh mesh;
    const double usual = usual_force(contacts);
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
        add_turned(c.x, axes,
            {{0, 0}, {0, shaft_radius * length}, {neck, shaft_radius * length}, {neck, head_radius * length},
                {drawn, 0}},
            c.sticks ? stick : slide, mesh);
    }
    return mesh;
}

} // namespace stickslip
