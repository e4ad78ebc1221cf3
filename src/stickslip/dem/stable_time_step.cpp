#include "stickslip/dem/granular_world.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

double stable_time_step(const GranularWorld& world, const std::vector<Grain>& grains)
{
    // Hertz contacts stiffen with the overlap; they are judged at this share of R*.
    constexpr double judged_overlap = 0.05;
    double square = 0; // [1/s^2] of the highest frequency
    const std::vector<PairLaw> laws = pair_laws(world.materials);
    const std::size_t count = world.materials.size();
    for (const Grain& g : grains) {
        const GranularMaterial& material = world.materials[g.material];
        const double mass = 4.0 / 3 * std::numbers::pi * std::pow(g.radius, 3) * material.density;
        for (std::size_t other = 0; other < count; ++other) {
            const PairLaw& pair = laws[g.material * count + other];
            double normal = 0, shear = 0; // of a contact with a wall or a much larger sphere, the stiffest there is
            if (world.law == NormalLaw::linear) {
                const double stiff_side = side_compliance(world.materials[other], g.radius);
                normal = 1 / (side_compliance(material, g.radius) + stiff_side);
                shear = pair.shear_ratio * normal;
            } else {
                const double a = std::sqrt(judged_overlap) * g.radius;
                normal = 2 * pair.young * a;
                shear = 8 * pair.shear * a;
            }
            square = std::max(square, std::max(8 * (normal + 2 * shear), 40 * shear) / mass);
        }
    }
    return square > 0 ? world.safety * 2 / std::sqrt(square) : world.safety;
}

} // namespace stickslip
