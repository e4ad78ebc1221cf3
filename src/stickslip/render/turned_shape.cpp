#include "stickslip/render/turned_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr int sides = 12;

} // namespace

void add_turned_shape(const Vec3& base, const Mat3& axes, const std::vector<std::pair<double, double>>& profile,
    const Colour& colour, DrawnMesh& mesh)
{
    const auto corner = [&](std::size_t ring, int side, const Vec3& normal) {
        const double angle = 2 * std::numbers::pi * side / sides;
        const Vec3 out = std::cos(angle) * axes.col(0) + std::sin(angle) * axes.col(1);
        const Vec3 x = base + profile[ring].first * axes.col(2) + profile[ring].second * out;
        mesh.positions.push_back(x.cast<float>());
        mesh.normals.push_back((axes * normal).cast<float>());
        mesh.colours.push_back(colour);
        return static_cast<int>(mesh.positions.size()) - 1;
    };
    for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring) {
        const double rise = profile[ring + 1].first - profile[ring].first;
        const double grow = profile[ring + 1].second - profile[ring].second;
        for (int side = 0; side < sides; ++side) {
            const double angle = 2 * std::numbers::pi * (side + 0.5) / sides;
            const Vec3 normal = Vec3(rise * std::cos(angle), rise * std::sin(angle), -grow).normalized();
            const int a = corner(ring, side, normal), b = corner(ring, side + 1, normal);
            const int c = corner(ring + 1, side + 1, normal), d = corner(ring + 1, side, normal);
            mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {a, c, d}});
        }
    }
}

double usual_size(std::vector<double> sizes)
{
    std::erase_if(sizes, [](double size) { return !(size > 0); });
    if (sizes.empty())
        return 0;
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), place, sizes.end());
    return *place;
}

} // namespace stickslip
