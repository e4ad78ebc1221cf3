#pragma once

#include "stickslip/dem/contact_list.h"
#include "stickslip/dem/sphere_system.h"

#include <array>
#include <optional>
#include <vector>

namespace stickslip {

/// Statistics of a packing. A contact counts for each of its two spheres, one with a wall for its one.
struct PackingStatistics {
    int spheres = 0; // whose centre is in the region
    double solid_fraction = 0; // [-] share of the region's volume in spheres, where they overlap counted twice; 1 less
                               // the porosity
    double coordination = 0; // [-] mean number of contacts
    double mechanical_coordination =
        0; // [-] the same of spheres with two contacts or more: those that carry (Thornton)
    int rattlers = 0; // spheres with one contact or none
    std::vector<int> by_contacts; // [n]: how many spheres have n contacts
    Vec3 velocity = Vec3::Zero(); // [m/s] mean, by mass
    Mat3 stress = Mat3::Zero(); // [Pa] of contact forces, tension positive: the mean of Love and Weber over the region,
                                // sum of f (x - centre)^T over the contacts of these spheres by the volume; symmetric
                                // at rest, its symmetric part elsewhere
    Mat3 fabric = Mat3::Zero(); // [-] mean of n n^T over these contacts; trace 1
};

/// In a box along the axes, or of all spheres: then solid fraction and stress are those of the periodic box, not
/// numbers where that is open. Without spheres the means are not numbers, without contacts their fabric is none.
PackingStatistics packing_statistics(const SphereSystem& system, const std::vector<GranularContact>& contacts,
    const std::optional<Bounds>& region = std::nullopt);

/// The sizes that there are.
struct SizeStatistics {
    double smallest, mean, largest; // [m] radius; the mean by number
    std::array<double, 3> by_mass; // [m] 10, 50 and 90 % of the mass are in spheres of this radius or smaller
};
/// Pre: there are spheres.
SizeStatistics size_statistics(const Spheres& spheres);

} // namespace stickslip
