#include "stickslip/contact/energy_handover.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stickslip {

namespace {

struct Energies {
    double lost = 0, lacking = 0; // [J]
};

template <typename Touching>
std::pair<int, int> bodies_of(const Touching& t)
{
    return std::minmax(t.point_body, t.surface_body);
}

auto key_of(const Contact& c)
{
    return std::tuple(c.point_body, c.surface_body, c.point, c.at.slot);
}

double lacking(const Contact& c)
{
    return c.at.passes ? 0 : 0.5 * c.k * c.at.lacking;
}

/// What passes leaves no attachment, and its energy with it.
double lost(const Contact& c)
{
    return 0.5 * c.k * c.at.lost + (c.at.passes ? c.energy() : 0);
}

} // namespace

void hand_over_energy(
    std::span<const Contact> contacts, std::span<const Attachment> before, std::vector<Attachment>& after)
{
    std::map<std::pair<int, int>, Energies> energies; // of bodies of which a contact lacks some
    for (const Contact& c : contacts)
        if (lacking(c) > 0)
            energies[bodies_of(c)].lacking += lacking(c);
    if (energies.empty())
        return;
    std::vector<decltype(key_of(contacts[0]))> lasting;
    for (const Contact& c : contacts)
        if (const auto of_two = energies.find(bodies_of(c)); of_two != energies.end()) {
            of_two->second.lost += lost(c);
            lasting.push_back(key_of(c));
        }
    std::sort(lasting.begin(), lasting.end());
    for (const Attachment& a : before)
        if (const auto of_two = energies.find(bodies_of(a)); of_two != energies.end())
            if (!std::binary_search(lasting.begin(), lasting.end(), a.key()))
                of_two->second.lost += a.energy;
    for (const Contact& c : contacts)
        if (lacking(c) > 0) {
            const Energies& of_two = energies[bodies_of(c)];
            const auto at = std::lower_bound(after.begin(), after.end(), key_of(c),
                [](const Attachment& a, const auto& key) { return a.key() < key; });
            if (at != after.end() && at->key() == key_of(c))
                at->energy += std::min(1.0, of_two.lost / of_two.lacking) * lacking(c);
        }
}

} // namespace stickslip
