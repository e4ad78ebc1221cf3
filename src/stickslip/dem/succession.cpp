#include "stickslip/dem/succession.h"

#include "stickslip/dem/sphere_system.h"
#include "stickslip/math/check.h"

#include <algorithm>
#include <tuple>

namespace stickslip {

namespace {

/// With room for springs against rolling, at rest where there were none.
ContactHistory with_room(ContactHistory history, bool with_turn)
{
    history.turn.resize(with_turn ? history.slip.size() : 0, Vec3::Zero());
    return history;
}

/// The contacts of points by the walls' numbers here, in the order of their list.
PointContacts renumbered(const PointContacts& earlier, const std::vector<int>& wall)
{
    const auto place = [](const PointPlace& at) { return std::tuple(at.wall, at.solid, at.point); };
    std::vector<std::pair<PointPlace, std::size_t>> kept;
    for (std::size_t k = 0; k < earlier.near.size(); ++k) {
        const PointPlace& at = earlier.near[k];
        if (wall[at.wall] >= 0 && wall[at.solid] >= 0)
            kept.push_back({{wall[at.wall], at.point, wall[at.solid]}, k});
    }
    std::sort(kept.begin(), kept.end(), [&](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
    PointContacts points;
    points.history.resize(kept.size(), false);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        points.near.push_back(kept[k].first);
        points.normal.push_back(earlier.normal[kept[k].second]);
        points.entry.push_back(earlier.entry[kept[k].second]);
        points.history.take(k, earlier.history, kept[k].second, 1);
    }
    return points;
}

} // namespace

void SphereSystem::take_contacts(const GranularState& earlier, const Succession& successors)
{
    STICKSLIP_ASSERT(state_.steps == 0 && successors.wall.size() == earlier.walls.size()
        && successors.points.size() == earlier.walls.size()
        && successors.sphere.size() == static_cast<std::size_t>(earlier.next_id));
    const std::vector<int> slot = slots();
    Reordering order;
    for (const int id : earlier.spheres.id) {
        const int successor = successors.sphere[id];
        order.new_slot.push_back(successor < 0 ? -1 : slot[successor]);
    }
    state_.pairs = carried(with_room(earlier.pairs, with_turn_), earlier.list, order, state_.list, with_turn_);
    for (std::size_t old = 0; old < earlier.walls.size(); ++old) {
        if (successors.wall[old] < 0)
            continue;
        WallContacts& wall = state_.walls[successors.wall[old]];
        WallContacts before = earlier.walls[old];
        STICKSLIP_ASSERT(before.is_mesh() == wall.is_mesh());
        before.history = with_room(std::move(before.history), with_turn_);
        wall = carried(before, order, std::move(wall.near), with_turn_);
    }
    state_.points = carried(renumbered(earlier.points, successors.points), std::move(state_.points.near));
    start();
    state_.losses = {};
    state_.first_energy = ledger().stored();
}

} // namespace stickslip
