#include "stickslip/contact/energy_handover.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

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

/// What passes leaves no attachment, and its energy with it.
double lacking(const Contact& c)
{
    return c.at.passes ? 0 : 0.5 * c.k * c.at.lacking;
}
double left(const Contact& c)
{
    return c.at.passes ? 0 : c.energy();
}

} // namespace

void hand_over_energy(std::span<const Contact> contacts, std::span<const Attachment> before,
    const TakesPart& takes_part, std::vector<Attachment>& after)
{
    std::map<std::pair<int, int>, Energies> energies; // of bodies of which a contact lacks some
    for (const Contact& c : contacts)
        if (lacking(c) > 0)
            energies[bodies_of(c)].lacking += lacking(c);
    if (energies.empty())
        return;
    const auto add = [&](const auto& touching, double energy) {
        const auto of_two = energies.find(bodies_of(touching));
        if (of_two != energies.end() && takes_part(touching.point_body, touching.surface_body, touching.point))
            of_two->second.lost += energy;
    };
    for (const Attachment& a : before)
        add(a, a.energy);
    for (const Contact& c : contacts)
        add(c, 0.5 * c.k * c.at.work - left(c));
    for (const Contact& c : contacts)
        if (lacking(c) > 0) {
            const Energies& of_two = energies[bodies_of(c)];
            const auto key = std::tuple(c.point_body, c.surface_body, c.point, c.at.slot);
            const auto at = std::lower_bound(
                after.begin(), after.end(), key, [](const Attachment& a, const auto& k) { return a.key() < k; });
            if (at != after.end() && at->key() == key)
                at->energy += std::clamp(of_two.lost / of_two.lacking, 0.0, 1.0) * lacking(c);
        }
}

} // namespace stickslip
