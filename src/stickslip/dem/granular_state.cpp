#include "stickslip/dem/granular_state.h"

#include "stickslip/math/error.h"
#include "stickslip/math/state_hasher.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

std::string state_hash(const GranularState& state)
{
    StateHasher hash;
    const Spheres& all = state.spheres;
    std::vector<int> slot(static_cast<std::size_t>(state.next_id), -1);
    for (std::size_t i = 0; i < all.size(); ++i)
        slot[all.id[i]] = static_cast<int>(i);
    hash.add(state.time);
    for (const int i : slot) {
        if (i < 0)
            continue;
        hash.add(all.place[i].x);
        hash.add(all.place[i].radius);
        hash.add(all.motion[i].v);
        hash.add(all.motion[i].w);
        hash.add(all.orientation[i]);
    }
    const auto add_springs = [&](const ContactHistory& history) {
        for (std::size_t k = 0; k < history.touching.size(); ++k) {
            if (!history.touching[k])
                continue;
            hash.add(history.slip[k]);
            if (!history.turn.empty())
                hash.add(history.turn[k]);
        }
    };
    add_springs(state.pairs);
    for (const WallContacts& wall : state.walls) {
        add_springs(wall.history);
        for (std::size_t c = 0; c < wall.held_count.size(); ++c) {
            for (const FacetContact& contact : wall.held_by(c)) {
                hash.add(contact.slip);
                hash.add(contact.turn);
            }
        }
    }
    for (const BodyMotion& body : state.bodies) {
        hash.add(body.x);
        hash.add(body.R);
        hash.add(body.v);
        hash.add(body.L);
    }
    add_springs(state.points.history);
    return hash.text();
}

namespace {

void demand(bool fulfilled)
{
    if (!fulfilled)
        throw InputError("the state of the spheres does not fit together");
}

/// Rising from 0 to `last`.
bool is_partition(const std::vector<int>& first, std::size_t rows, std::size_t last)
{
    return first.size() == rows + 1 && first.front() == 0 && std::is_sorted(first.begin(), first.end())
        && first.back() == static_cast<int>(last);
}

bool all_below(const std::vector<int>& indices, std::size_t count)
{
    return std::all_of(indices.begin(), indices.end(), [&](int i) { return i >= 0 && i < static_cast<int>(count); });
}

void check_history(const ContactHistory& history, std::size_t count, bool with_turn)
{
    demand(history.slip.size() == count && history.touching.size() == count
        && history.turn.size() == (with_turn ? count : 0));
}

void check_wall(const GranularWall& wall, const WallContacts& contacts, std::size_t spheres, bool with_turn)
{
    const std::size_t near = contacts.near.sphere.size();
    demand(all_below(contacts.near.sphere, spheres));
    if (const auto* mesh = std::get_if<WallTriangles>(&wall.shape)) {
        demand(is_partition(contacts.near.first_facet, near, contacts.near.facet.size()));
        demand(all_below(contacts.near.facet, (*mesh)->topology.facets.size()) && contacts.held_count.size() == near
            && contacts.held.size() == contacts.near.facet.size());
        for (std::size_t c = 0; c < near; ++c) {
            const int room = contacts.near.first_facet[c + 1] - contacts.near.first_facet[c];
            demand(contacts.held_count[c] >= 0 && contacts.held_count[c] <= room);
            for (const FacetContact& contact : contacts.held_by(c))
                demand(
                    contact.name.facet >= 0 && contact.name.facet < static_cast<int>((*mesh)->topology.facets.size()));
        }
    } else {
        demand(contacts.held.empty() && contacts.held_count.empty() && contacts.normal.size() == near);
        check_history(contacts.history, near, with_turn);
    }
}

void check_bodies(const GranularWorld& world, const GranularState& state)
{
    const std::size_t count = state.bodies.size();
    const auto stay = static_cast<std::size_t>(
        std::count_if(world.bodies.begin(), world.bodies.end(), [](const GranularBody& b) { return b.kind < 0; }));
    demand(count >= stay && state.body_load.size() == count && state.body_spheres.size() == count);
    for (std::size_t b = 0; b < count; ++b) {
        const BodySpheres& spheres = state.body_spheres[b];
        demand(spheres.first < state.next_id);
        demand(b < stay
                ? spheres.kind < 0 && (spheres.first >= 0) == world.bodies[b].is_clump
                : spheres.first >= 0 && spheres.kind >= 0 && spheres.kind < static_cast<int>(world.clumps.size()));
    }
    demand(state.bodies_listed_at.size() == count);
    const PointContacts& points = state.points;
    demand(points.normal.size() == points.near.size() && points.entry.size() == points.near.size());
    check_history(points.history, points.near.size(), false);
    const int walls = static_cast<int>(world.walls.size());
    for (const PointPlace& at : points.near)
        demand(at.wall >= 0 && at.wall < walls && at.solid >= 0 && at.solid < walls && world.walls[at.solid].solid()
            && at.point >= 0 && at.point < static_cast<int>(world.walls[at.wall].points.size()));
}

} // namespace

void check(const GranularWorld& world, const GranularState& state)
{
    const Spheres& all = state.spheres;
    const std::size_t count = all.size();
    demand(all.motion.size() == count && all.acceleration.size() == count && all.orientation.size() == count
        && all.material.size() == count && all.id.size() == count && all.group.size() == count && state.next_id >= 0
        && state.listed_at.size() == count);
    demand(
        all_below(all.material, world.materials.size()) && all_below(all.id, static_cast<std::size_t>(state.next_id)));
    std::vector<int> ids = all.id;
    std::sort(ids.begin(), ids.end());
    demand(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
    demand(std::isfinite(state.skin) && state.skin >= 0 && state.listed_step <= state.steps);
    demand(is_partition(state.list.first, count, state.list.pairs()) && all_below(state.list.other, count));
    const bool with_turn = resists_turning(world);
    check_history(state.pairs, state.list.pairs(), with_turn);
    demand(state.walls.size() == world.walls.size() && state.wall_load.size() == world.walls.size());
    for (std::size_t w = 0; w < world.walls.size(); ++w)
        check_wall(world.walls[w], state.walls[w], count, with_turn);
    check_bodies(world, state);
    for (const Caught& one : state.caught)
        demand(one.id >= 0 && one.id < state.next_id && one.outlet >= 0
            && one.outlet < static_cast<int>(world.outlets.size()));
}

} // namespace stickslip
