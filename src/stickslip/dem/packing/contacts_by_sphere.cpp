#include "stickslip/dem/packing/contacts_by_sphere.h"

#include <algorithm>
#include <tuple>

namespace stickslip {

std::vector<ContactOfSphere> contacts_by_sphere(const std::vector<GranularContact>& contacts)
{
    std::vector<ContactOfSphere> all;
    for (const GranularContact& c : contacts) {
        if (c.first < 0) // two solids
            continue;
        all.push_back({c.first, c.second, c.wall, c.point, &c, true});
        if (c.wall < 0)
            all.push_back({c.second, c.first, c.wall, c.point, &c, false});
    }
    const auto key = [](const ContactOfSphere& c) {
        return std::tuple(c.sphere, c.partner, c.wall, c.point, c.contact->x.x(), c.contact->x.y(), c.contact->x.z());
    };
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return all;
}

} // namespace stickslip
