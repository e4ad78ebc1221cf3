#include "stickslip/dem/pairs/rebuild_order.h"

#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

template <typename Value>
void take_order(std::vector<Value>& values, const std::vector<int>& order)
{
    std::vector<Value> sorted;
    sorted.reserve(values.size());
    for (const int slot : order)
        sorted.push_back(values[slot]);
    values.swap(sorted);
}

/// Index of the pair (i, j) in the list, -1 if it is not there.
int find(const NeighbourList& list, int i, int j)
{
    const auto begin = list.other.begin() + list.first[i], end = list.other.begin() + list.first[i + 1];
    const auto at = std::lower_bound(begin, end, j);
    return at != end && *at == j ? static_cast<int>(at - list.other.begin()) : -1;
}

} // namespace

namespace {

/// Keeps the slots of `order`, in this order.
Reordering arrange(Spheres& spheres, const std::vector<int>& order)
{
    Reordering result;
    result.new_slot.assign(spheres.size(), -1);
    for (std::size_t slot = 0; slot < order.size(); ++slot)
        result.new_slot[order[slot]] = static_cast<int>(slot);
    take_order(spheres.place, order);
    take_order(spheres.motion, order);
    take_order(spheres.acceleration, order);
    take_order(spheres.orientation, order);
    take_order(spheres.material, order);
    take_order(spheres.id, order);
    take_order(spheres.group, order);
    return result;
}

} // namespace

Reordering leave_out(Spheres& spheres, const std::vector<int>& slots)
{
    std::vector<int> kept;
    for (int slot = 0; slot < static_cast<int>(spheres.size()); ++slot)
        if (!std::binary_search(slots.begin(), slots.end(), slot))
            kept.push_back(slot);
    return arrange(spheres, kept);
}

Reordering composed(const Reordering& first, const Reordering& second)
{
    if (first.new_slot.empty())
        return second;
    Reordering both = first;
    for (int& slot : both.new_slot)
        slot = slot < 0 ? slot : second(slot);
    return both;
}

Reordering reorder(Spheres& spheres)
{
    return arrange(spheres, space_filling_order(spheres.place));
}

ContactHistory carried(const ContactHistory& old, const NeighbourList& old_list, const Reordering& order,
    const NeighbourList& list, bool with_turn)
{
    ContactHistory history;
    history.resize(list.pairs(), with_turn);
    parallel_for(
        old_list.first.size() - 1,
        [&](std::size_t old_i) {
            for (int k = old_list.first[old_i]; k < old_list.first[old_i + 1]; ++k) {
                if (!old.touching[k])
                    continue;
                const int i = order(static_cast<int>(old_i)), j = order(old_list.other[k]);
                if (i < 0 || j < 0)
                    continue;
                const int same = find(list, i, j), swapped = find(list, j, i);
                if (same >= 0 || swapped >= 0) // else they flew apart in this very step
                    history.take(same >= 0 ? same : swapped, old, k, same >= 0 ? 1 : -1);
            }
        },
        1024);
    return history;
}

bool leaves_behind(
    const WallContacts& old, const Reordering& order, const NearWall& near, const std::vector<SpherePlace>& place)
{
    for (std::size_t k = 0; k < old.held_count.size(); ++k) {
        const int slot = order(old.near.sphere[k]);
        if (slot < 0)
            continue;
        const auto is_behind = [&](const FacetContact& contact) { return contact.overlap > place[slot].radius; };
        const std::span<const FacetContact> held = old.held_by(k);
        if (std::any_of(held.begin(), held.end(), is_behind)
            && !std::binary_search(near.sphere.begin(), near.sphere.end(), slot))
            return true;
    }
    return false;
}

WallContacts carried(const WallContacts& old, const Reordering& order, NearWall near, bool with_turn)
{
    WallContacts contacts;
    contacts.near = std::move(near);
    const std::vector<int>& sphere = contacts.near.sphere;
    const bool meshed = contacts.is_mesh();
    contacts.history.resize(meshed ? 0 : sphere.size(), with_turn);
    contacts.normal.assign(meshed ? 0 : sphere.size(), Vec3::Zero());
    contacts.held_count.assign(meshed ? sphere.size() : 0, 0);
    contacts.held.assign(contacts.near.facet.size(), {});
    for (std::size_t k = 0; k < old.near.sphere.size(); ++k) {
        const int slot = order(old.near.sphere[k]);
        const auto at = std::lower_bound(sphere.begin(), sphere.end(), slot);
        if (at == sphere.end() || *at != slot)
            continue;
        const auto c = static_cast<std::size_t>(at - sphere.begin());
        if (meshed) {
            for (const FacetContact& contact : old.held_by(k)) {
                if (FacetContact* const kept = contacts.hold_one_more(c))
                    *kept = contact;
            }
        } else if (old.history.touching[k]) {
            contacts.history.take(c, old.history, k, 1);
            contacts.normal[c] = old.normal[k];
        }
    }
    return contacts;
}

} // namespace stickslip
