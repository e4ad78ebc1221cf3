#include "stickslip/contact/energy_handover.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stickslip {

namespace {

struct Energies {
    double lost = 0, lacking = 0; // [J]
};

/// What passes leaves no attachment, and its energy with it.
double lacking(const Contact& c)
{
    return c.at.passes ? 0 : 0.5 * c.k * c.at.lacking;
}
double left(const Contact& c)
{
    return c.at.passes ? 0 : c.energy();
}

/// Contacts that are joined by what they touch, each group under the number of one of them.
class Places {
public:
    explicit Places(std::size_t contacts)
        : parent_(contacts)
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    void add(int contact, std::span<const std::int64_t> touched)
    {
        for (const std::int64_t what : touched)
            touching_.emplace_back(what, contact);
    }
    void join()
    {
        std::sort(touching_.begin(), touching_.end());
        for (std::size_t i = 1; i < touching_.size(); ++i)
            if (touching_[i].first == touching_[i - 1].first)
                parent_[of(touching_[i].second)] = of(touching_[i - 1].second);
    }
    int of(int contact)
    {
        while (parent_[contact] != contact)
            contact = parent_[contact] = parent_[parent_[contact]];
        return contact;
    }

private:
    std::vector<int> parent_;
    std::vector<std::pair<std::int64_t, int>> touching_;
};

} // namespace

void hand_over_energy(std::span<const Contact> contacts, std::span<const Attachment> before,
    const TouchedBy& touched_by, std::vector<Attachment>& after)
{
    if (std::none_of(contacts.begin(), contacts.end(), [](const Contact& c) { return lacking(c) > 0; }))
        return;
    const int count = static_cast<int>(contacts.size()), all = count + static_cast<int>(before.size());
    Places places(all);
    std::vector<char> takes_part(all);
    std::vector<std::int64_t> touched;
    const auto add = [&](int number, const Attachment& a) {
        touched.clear();
        touched_by(a, touched);
        takes_part[number] = !touched.empty();
        places.add(number, touched);
    };
    for (int i = 0; i < count; ++i)
        add(i, attachment_of(contacts[i]));
    for (int i = count; i < all; ++i)
        add(i, before[i - count]);
    places.join();
    std::vector<Energies> energies(all);
    for (int i = 0; i < all; ++i) {
        if (!takes_part[i])
            continue;
        Energies& at_place = energies[places.of(i)];
        if (i >= count) {
            at_place.lost += before[i - count].energy;
            continue;
        }
        at_place.lost += 0.5 * contacts[i].k * contacts[i].at.work - left(contacts[i]);
        at_place.lacking += lacking(contacts[i]);
    }
    for (int i = 0; i < count; ++i) {
        const Contact& c = contacts[i];
        if (!takes_part[i] || !(lacking(c) > 0))
            continue;
        const Energies& at_place = energies[places.of(i)];
        const auto at = std::lower_bound(after.begin(), after.end(), attachment_of(c));
        if (at != after.end() && at->key() == attachment_of(c).key())
            at->energy += std::clamp(at_place.lost / at_place.lacking, 0.0, 1.0) * lacking(c);
    }
}

} // namespace stickslip
