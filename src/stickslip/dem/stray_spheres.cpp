#include "stickslip/dem/sphere_system.h"
#include "stickslip/dem/walls/sphere_blocks.h"
#include "stickslip/dem/walls/wall_images.h"

#include <optional>

/// What SphereSystem does with spheres that move alone, far from all others.
namespace stickslip {

namespace {

/// Spheres that moved too far for the list; none where those are more than a few, or not for list_strays_anew.
std::optional<std::vector<int>> find_strays(
    const GranularWorld& world, const Clumps& clumps, const GranularState& state)
{
    constexpr std::size_t most = 16; // each is looked up among all spheres
    const Spheres& all = state.spheres;
    const double square = 0.25 * state.skin * state.skin;
    std::vector<int> strays;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [x, radius] = all.place[i];
        if (!((x - state.listed_at[i]).squaredNorm() > square))
            continue;
        const bool too_fast = world.dt * all.motion[i].v.norm() > radius; // watch_for_trouble is to see it
        if (strays.size() == most || clumps.holds(i) || too_fast || world.box.wrapped(x) != x)
            return std::nullopt;
        strays.push_back(static_cast<int>(i));
    }
    return strays;
}

/// Whether a sphere where it is now has a gap of `margin` [m] to all others where they were listed.
bool is_alone(int i, const std::vector<SpherePlace>& place, const std::vector<Vec3>& listed_at, const PeriodicBox& box,
    double margin)
{
    for (std::size_t j = 0; j < place.size(); ++j) {
        const double range = place[i].radius + place[j].radius + margin;
        const bool far = box.shortest(listed_at[j] - place[i].x).squaredNorm() >= range * range;
        if (!far && static_cast<int>(j) != i)
            return false;
    }
    return true;
}

} // namespace

/// The list stays right without being made anew when all that moved too far are single spheres, nothing is within its
/// range of where they are now, and that becomes their listed place. False, and nothing has changed, when it is not so.
bool SphereSystem::list_strays_anew()
{
    if (2 * state_.wall_travel > state_.skin)
        return false;
    const std::vector<SpherePlace>& place = state_.spheres.place;
    const std::optional<std::vector<int>> strays = find_strays(world_, clumps_, state_);
    if (!strays)
        return false;
    const double margin = state_.skin + reach_;
    Spheres there;
    for (const int i : *strays)
        there.place.push_back(place[i]);
    const SphereBlocks blocks = make_sphere_blocks(there);
    for (std::size_t w = 0; w < world_.walls.size(); ++w)
        if (!near_wall_images(world_, world_.walls[w], wall_frame(w), there, blocks, margin).sphere.empty())
            return false;
    std::vector<Vec3> listed_at = state_.listed_at;
    for (const int i : *strays) {
        if (!is_alone(i, place, listed_at, world_.box, margin))
            return false;
        listed_at[i] = place[i].x;
    }
    catch_passing(); // from where they were listed
    state_.listed_at = std::move(listed_at);
    bound_listed();
    return true;
}

} // namespace stickslip
