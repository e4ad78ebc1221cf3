#include "stickslip/dem/granular_world.h"

#include "stickslip/dem/pairs/normal_force.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace stickslip {

namespace {

void check_coefficients(const PairException& pair)
{
    const auto demand = [](const std::optional<double>& value, bool zero, double most, const std::string& what) {
        if (value && !(std::isfinite(*value) && (*value > 0 || (zero && *value == 0)) && *value <= most))
            throw InputError(what);
    };
    demand(pair.friction, true, infinity, "friction of a pair must be >= 0");
    demand(pair.restitution, false, 1, "restitution of a pair must be in (0, 1]");
    demand(pair.rolling_friction, true, infinity, "rolling_friction of a pair must be >= 0");
    demand(pair.twisting_friction, true, infinity, "twisting_friction of a pair must be >= 0");
    demand(pair.stiffness, false, infinity, "stiffness of a pair must be > 0");
    demand(pair.shear_ratio, false, infinity, "shear_ratio of a pair must be > 0");
    demand(pair.surface_energy, true, infinity, "surface_energy of a pair must be >= 0");
}

} // namespace

void check(const GranularWorld& world, const std::vector<Grain>& grains)
{
    if (world.materials.empty())
        throw InputError("granular world: no material");
    for (const GranularMaterial& m : world.materials)
        check(m);
    const int materials = static_cast<int>(world.materials.size());
    const auto demand = [](bool fulfilled, const std::string& message) {
        if (!fulfilled)
            throw InputError(message);
    };
    for (const GranularWall& w : world.walls)
        demand(w.material >= 0 && w.material < materials, "wall '" + w.name + "': no such material");
    check_bodies(world);
    for (const PairException& pair : world.pair_exceptions) {
        for (const int m : {pair.first, pair.second})
            demand(m >= 0 && m < materials, "a pair: no such material");
        check_coefficients(pair);
    }
    for (std::size_t i = 0; i < grains.size(); ++i) {
        const Grain& g = grains[i];
        const std::string name = "sphere " + std::to_string(i);
        demand(g.material >= 0 && g.material < materials, name + ": no such material");
        demand(std::isfinite(g.radius) && g.radius > 0, name + ": radius must be > 0");
        demand(g.x.allFinite() && g.v.allFinite() && g.w.allFinite(), name + ": place and velocity must be finite");
    }
    demand(world.gravity.allFinite(), "granular world: gravity must be finite");
    demand(world.local_damping >= 0 && world.local_damping < 1, "granular world: local_damping must be in [0, 1)");
    demand(std::isfinite(world.dt) && world.dt >= 0, "granular world: dt must be >= 0");
    demand(world.safety > 0 && world.safety < 1, "granular world: safety must be in (0, 1)");
    demand(std::isfinite(world.skin) && world.skin >= 0, "granular world: skin must be >= 0");
    demand((world.box.size.array() > 0).all(), "granular world: sides of the periodic box must be > 0");
}

std::vector<PairLaw> pair_laws(const GranularWorld& world)
{
    std::vector<PairLaw> laws = pair_laws(world.materials);
    const std::size_t materials = world.materials.size();
    for (const PairException& pair : world.pair_exceptions) {
        PairLaw& law = laws[pair.first * materials + pair.second];
        law.friction = pair.friction.value_or(law.friction);
        law.rolling_friction = pair.rolling_friction.value_or(law.rolling_friction);
        law.twisting_friction = pair.twisting_friction.value_or(law.twisting_friction);
        law.stiffness = pair.stiffness.value_or(law.stiffness);
        law.shear_ratio = pair.shear_ratio.value_or(law.shear_ratio);
        law.touches = law.touches && pair.touches;
        if (pair.restitution)
            law.damping_ratio = damping_ratio(*pair.restitution);
        if (pair.surface_energy)
            law.adhesion = 2 * *pair.surface_energy;
        laws[pair.second * materials + pair.first] = law;
    }
    return laws;
}

bool resists_turning(const GranularWorld& world)
{
    const auto resists = [](const auto& m) { return m.rolling_friction > 0.0 || m.twisting_friction > 0.0; };
    return std::any_of(world.materials.begin(), world.materials.end(), resists)
        || std::any_of(world.pair_exceptions.begin(), world.pair_exceptions.end(), resists);
}

double adhesive_reach(NormalLaw law, const std::vector<PairLaw>& laws, double largest_radius)
{
    double reach = 0;
    for (const PairLaw& pair : laws) {
        if (law == NormalLaw::jkr)
            reach = std::max(reach, -jkr_release(pair, largest_radius));
        if (law == NormalLaw::dmt)
            reach = std::max(reach, dmt_range(pair, largest_radius));
    }
    return reach;
}

} // namespace stickslip
