#include "stickslip/dem/sphere_system.h"

#include <algorithm>

namespace stickslip {

namespace {

/// Whether a straight way meets a box, which may be infinite.
bool meets(const Bounds& box, const Vec3& from, const Vec3& to)
{
    double first = 0, last = 1; // shares of the way within it
    for (int axis = 0; axis < 3; ++axis) {
        const double way = to[axis] - from[axis];
        if (way == 0) {
            if (from[axis] < box.min[axis] || from[axis] > box.max[axis])
                return false;
            continue;
        }
        const double a = (box.min[axis] - from[axis]) / way, b = (box.max[axis] - from[axis]) / way;
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
    }
    return first <= last;
}

} // namespace

void SphereSystem::catch_passing()
{
    if (world_.outlets.empty())
        return;
    const auto look = [&](int id, const Vec3& from, const Vec3& to) {
        const Vec3 back = world_.box.wrapped(to) - to; // across a face of a periodic box
        const auto gate = std::find_if(world_.outlets.begin(), world_.outlets.end(), [&](const Bounds& outlet) {
            return meets(outlet, from, to) || (!back.isZero(0) && meets(outlet, from + back, to + back));
        });
        if (gate == world_.outlets.end())
            return;
        const auto at = std::lower_bound(state_.caught.begin(), state_.caught.end(), id,
            [](const Caught& one, int other) { return one.id < other; });
        if (at == state_.caught.end() || at->id != id)
            state_.caught.insert(at, {id, static_cast<int>(gate - world_.outlets.begin())});
    };
    const Spheres& all = state_.spheres;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!clumps_.holds(i))
            look(all.id[i], state_.listed_at[i], all.place[i].x);
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        if (state_.body_spheres[b].kind < 0) // stays
            continue;
        const Vec3 from = state_.bodies_listed_at[b], back = world_.box.wrapped(from) - from;
        look(state_.body_spheres[b].first, from + back, state_.bodies[b].x + back);
    }
}

} // namespace stickslip
