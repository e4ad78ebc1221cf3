#pragma once

#include "stickslip/dem/granular_contact.h"

#include <vector>

namespace stickslip {

/// A contact as one of its spheres has it.
struct ContactOfSphere {
    int sphere, partner, wall, point; // ids and numbers, which give all sums one order
    const GranularContact* contact;
    bool is_first;
};

/// Each contact of two spheres twice, in the order of the spheres' ids; those of two solids are left out.
std::vector<ContactOfSphere> contacts_by_sphere(const std::vector<GranularContact>& contacts);

} // namespace stickslip
