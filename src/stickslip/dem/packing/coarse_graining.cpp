#include "stickslip/dem/packing/coarse_graining.h"

#include "stickslip/dem/packing/contacts_by_sphere.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double points_per_width = 4; // at which the way from a centre to a contact is sampled

/// Cubic B-spline: 0 from |u| = 2 on, its values at whole distances add up to 1.
double cubic_spline(double u)
{
    const double a = std::abs(u);
    if (a >= 2)
        return 0;
    return a < 1 ? 2.0 / 3 - a * a * (1 - 0.5 * a) : (2 - a) * (2 - a) * (2 - a) / 6;
}

/// The kernel around a place: weights [-] of the grid's points, 1 in all if it lies within the grid.
class Kernel {
public:
    Kernel(const CoarseGrid& grid, const Vec3& x)
        : grid_(grid)
    {
        for (int axis = 0; axis < 3; ++axis) {
            const double at = (x[axis] - grid.origin[axis]) / grid.spacing, reach = 2.0 * grid.smoothing;
            const double first = std::clamp(std::ceil(at - reach), 0.0, static_cast<double>(grid.points[axis]));
            first_[axis] = static_cast<int>(first);
            for (int i = first_[axis]; i < grid.points[axis] && i < at + reach; ++i)
                weights_[axis].push_back(cubic_spline((i - at) / grid.smoothing) / grid.smoothing);
            if (weights_[axis].empty())
                return;
        }
    }

    /// Calls visit(number of the point, weight).
    template <typename Visit>
    void for_each(const Visit& visit) const
    {
        for (std::size_t k = 0; k < weights_[2].size(); ++k)
            for (std::size_t j = 0; j < weights_[1].size(); ++j) {
                const std::size_t row = (first_[2] + k) * grid_.points[1] + first_[1] + j;
                const std::size_t begin = row * grid_.points[0] + first_[0];
                for (std::size_t i = 0; i < weights_[0].size(); ++i)
                    visit(begin + i, weights_[0][i] * weights_[1][j] * weights_[2][k]);
            }
    }

private:
    const CoarseGrid& grid_;
    std::array<int, 3> first_ = {};
    std::array<std::vector<double>, 3> weights_; // by axis
};

/// Ways from a place in the box to its images that the grid may see: those next to it too.
std::vector<Vec3> image_offsets(const PeriodicBox& space)
{
    std::vector<Vec3> offsets = {Vec3::Zero()};
    for (int axis = 0; axis < 3; ++axis)
        for (std::size_t n = offsets.size(), i = 0; std::isfinite(space.size[axis]) && i < n; ++i)
            for (const double side : {-1, 1})
                offsets.push_back(offsets[i] + side * space.size[axis] * Vec3::Unit(axis));
    return offsets;
}

} // namespace

CoarseGrid coarse_grid(const Bounds& box, double spacing, int smoothing)
{
    CoarseGrid grid{.origin = box.min, .spacing = spacing, .points = {}, .smoothing = smoothing};
    for (int axis = 0; axis < 3; ++axis) // a box of whole spacings ends at a point
        grid.points[axis] = 1 + static_cast<int>(std::ceil((box.max[axis] - box.min[axis]) / spacing - 1e-9));
    return grid;
}

CoarseFields coarse_fields(
    const SphereSystem& system, const std::vector<GranularContact>& contacts, const CoarseGrid& grid)
{
    const Spheres& spheres = system.state().spheres;
    const PeriodicBox& space = system.world().box;
    const std::vector<Vec3> offsets = image_offsets(space);
    const double cell = std::pow(grid.spacing, 3); // [m^3]
    const std::size_t count = grid.count();
    CoarseFields fields{.density = std::vector<double>(count, 0),
        .solid_fraction = std::vector<double>(count, 0),
        .velocity = std::vector<Vec3>(count, Vec3::Zero()),
        .kinetic_stress = std::vector<Mat3>(count, Mat3::Zero()),
        .contact_stress = std::vector<Mat3>(count, Mat3::Zero())};

    const auto add_contact = [&](const ContactOfSphere& of, const Vec3& from, const Vec3& centre) {
        const Vec3 arm = space.nearest(of.contact->x, centre) - centre;
        const Mat3 product = (of.is_first ? -1 : 1) * of.contact->force * arm.transpose();
        const Mat3 moment = 0.5 * (product + product.transpose());
        const int samples = 1 + static_cast<int>(points_per_width * arm.norm() / (grid.spacing * grid.smoothing));
        for (int s = 0; s < samples; ++s)
            Kernel(grid, from + (s + 0.5) / samples * arm).for_each([&](std::size_t p, double w) {
                fields.contact_stress[p] -= w / (samples * cell) * moment;
            });
    };

    const std::vector<ContactOfSphere> by_sphere = contacts_by_sphere(contacts);
    auto next = by_sphere.begin();
    for (const int slot : system.slots()) { // in the order of ids: the same sums whatever the slots
        if (slot < 0)
            continue;
        const SpherePlace& place = spheres.place[slot];
        const Vec3 home = space.wrapped(place.x), v = spheres.motion[slot].v;
        const double mass = 1 / spheres.motion[slot].inverse_mass;
        const double volume = 4 * std::numbers::pi / 3 * std::pow(place.radius, 3);
        next = std::find_if(next, by_sphere.end(), [&](const auto& c) { return c.sphere >= spheres.id[slot]; });
        const auto last =
            std::find_if(next, by_sphere.end(), [&](const auto& c) { return c.sphere > spheres.id[slot]; });
        for (const Vec3& offset : offsets) {
            Kernel(grid, home + offset).for_each([&](std::size_t p, double w) {
                fields.density[p] += w * mass / cell;
                fields.solid_fraction[p] += w * volume / cell;
                fields.velocity[p] += w * mass / cell * v; // of momentum, until all are there
                fields.kinetic_stress[p] -= w * mass / cell * v * v.transpose();
            });
            std::for_each(next, last, [&](const ContactOfSphere& c) { add_contact(c, home + offset, place.x); });
        }
        next = last;
    }
    for (std::size_t p = 0; p < count; ++p)
        if (fields.density[p] > 0) {
            fields.velocity[p] /= fields.density[p];
            fields.kinetic_stress[p] += fields.density[p] * fields.velocity[p] * fields.velocity[p].transpose();
        }
    return fields;
}

} // namespace stickslip
