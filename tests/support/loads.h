#pragma once

#include "stickslip/contact/contact_set.h"

#include <map>
#include <utility>
#include <vector>

namespace stickslip {

/// What the contacts of one ball with one surface put on their blocks of unknowns, by slot.
struct Loads {
    std::vector<Vec3> load; // [N], [N m]
    std::pair<bool, int> branch; // whether it sticks; facet
};
inline std::map<int, Loads> loads_of(const ContactSet& contacts)
{
    std::map<int, Loads> all;
    for (const Contact& c : contacts.blocks().contacts()) {
        Loads& l = all[c.at.slot];
        l.branch = {c.at.sticks, c.at.patch};
        for (int b = 0; b < c.loaded; ++b)
            l.load.push_back(contacts.blocks().load(c, b));
    }
    return all;
}

} // namespace stickslip
