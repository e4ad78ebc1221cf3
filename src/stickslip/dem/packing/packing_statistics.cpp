#include "stickslip/dem/packing/packing_statistics.h"

#include "stickslip/dem/packing/contacts_by_sphere.h"
#include "stickslip/geometry/solids/ball_in_box.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

namespace {

/// Volume of the sphere and its periodic images in a box.
double volume_in(const SpherePlace& sphere, const PeriodicBox& space, const Bounds& box)
{
    Eigen::Vector3i images;
    for (int axis = 0; axis < 3; ++axis)
        images[axis] = std::isfinite(space.size[axis]) ? 1 : 0;
    const Vec3 home = space.wrapped(sphere.x);
    double volume = 0;
    for (int k = -images[2]; k <= images[2]; ++k) {
        for (int j = -images[1]; j <= images[1]; ++j) {
            for (int i = -images[0]; i <= images[0]; ++i) {
                Vec3 x = home;
                for (const auto& [axis, n] : {std::pair(0, i), {1, j}, {2, k}})
                    x[axis] += n == 0 ? 0 : n * space.size[axis];
                volume += ball_in_box(x, sphere.radius, box);
            }
        }
    }
    return volume;
}

} // namespace

PackingStatistics packing_statistics(
    const SphereSystem& system, const std::vector<GranularContact>& contacts, const std::optional<Bounds>& region)
{
    const Spheres& spheres = system.state().spheres;
    const PeriodicBox& space = system.world().box;
    std::optional<Bounds> box = region;
    if (!region && space.size.array().isFinite().all())
        box = Bounds{space.corner, space.corner + space.size};

    const std::vector<ContactOfSphere> by_sphere = contacts_by_sphere(contacts);
    auto next = by_sphere.begin();
    PackingStatistics s;
    int sum = 0, carried = 0;
    double solid = 0, mass = 0;
    for (const int slot : system.slots()) { // in the order of ids: the same sum whatever the slots
        if (slot < 0)
            continue;
        if (box)
            solid += volume_in(spheres.place[slot], space, *box);
        if (region && !region->contains(space.wrapped(spheres.place[slot].x)))
            continue;
        while (next != by_sphere.end() && next->sphere < spheres.id[slot])
            ++next;
        int count = 0;
        for (; next != by_sphere.end() && next->sphere == spheres.id[slot]; ++next, ++count) {
            const GranularContact& c = *next->contact;
            const Vec3& centre = spheres.place[slot].x;
            const Vec3 arm = space.nearest(c.x, centre) - centre;
            s.stress += (next->is_first ? 1 : -1) * c.force * arm.transpose();
            s.fabric += c.n * c.n.transpose();
        }
        const double m = 1 / spheres.motion[slot].inverse_mass;
        s.velocity += m * spheres.motion[slot].v;
        mass += m;
        if (static_cast<std::size_t>(count) >= s.by_contacts.size())
            s.by_contacts.resize(static_cast<std::size_t>(count) + 1, 0);
        ++s.by_contacts[count];
        ++s.spheres;
        sum += count;
        s.rattlers += count < 2;
        carried += count < 2 ? 0 : count;
    }
    const double volume = box ? (box->max - box->min).prod() : nan;
    s.stress = (s.stress + s.stress.transpose()).eval() / (2 * volume);
    s.fabric /= sum > 0 ? sum : nan;
    s.velocity /= s.spheres > 0 ? mass : nan;
    s.solid_fraction = box ? solid / volume : nan;
    s.coordination = s.spheres > 0 ? static_cast<double>(sum) / s.spheres : nan;
    s.mechanical_coordination = s.spheres > s.rattlers ? static_cast<double>(carried) / (s.spheres - s.rattlers) : nan;
    return s;
}

SizeStatistics size_statistics(const Spheres& spheres)
{
    std::vector<std::pair<double, double>> sizes; // radius, mass
    for (std::size_t i = 0; i < spheres.size(); ++i)
        sizes.emplace_back(spheres.place[i].radius, 1 / spheres.motion[i].inverse_mass);
    std::sort(sizes.begin(), sizes.end());
    SizeStatistics s{.smallest = sizes.front().first, .mean = 0, .largest = sizes.back().first, .by_mass = {}};
    double mass = 0;
    for (const auto& [radius, m] : sizes) {
        s.mean += radius / static_cast<double>(sizes.size());
        mass += m;
    }
    constexpr std::array<double, 3> shares = {0.1, 0.5, 0.9};
    for (std::size_t k = 0; k < shares.size(); ++k) {
        double up_to = 0;
        s.by_mass[k] = s.largest;
        for (const auto& [radius, m] : sizes) {
            up_to += m;
            if (up_to >= shares[k] * mass) {
                s.by_mass[k] = radius;
                break;
            }
        }
    }
    return s;
}

} // namespace stickslip
