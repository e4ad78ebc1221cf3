#include "stickslip/run/output/node_slip.h"

#include <vector>

namespace stickslip {

void add_node_slip(const ContactBlocks& contacts, std::span<double> slip)
{
    std::vector<double> force(slip.size(), 0), weighted(slip.size(), 0);
    for (const Contact& c : contacts.contacts())
        for (int b = 0; b < c.loaded; ++b) {
            const auto block = static_cast<std::size_t>(contacts.block(c, b));
            if (block >= slip.size()) // of a rigid body or a material point
                continue;
            const double f = contacts.load(c, b).norm();
            force[block] += f;
            weighted[block] += f * c.at.slip.norm();
        }
    for (std::size_t node = 0; node < slip.size(); ++node)
        if (force[node] > 0)
            slip[node] += weighted[node] / force[node];
}

} // namespace stickslip
