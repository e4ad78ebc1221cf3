#include "stickslip/dem/pairs/normal_force.h"
#include "stickslip/dem/pairs/pair_forces.h"
#include "stickslip/math/parallel.h"

namespace stickslip {

namespace {

template <NormalLaw law>
ElasticEnergy stored(const PairSystem& s, const ContactHistory& history, int i)
{
    ElasticEnergy energy;
    for (int k = s.list.first[i]; k < s.list.first[i + 1]; ++k) {
        if (!history.touching[k])
            continue;
        const int j = s.list.other[k];
        const SpherePlace &a = s.spheres.place[i], &b = s.spheres.place[j];
        const PairLaw& pair = s.law_of(i, j);
        const double R = a.radius * b.radius / (a.radius + b.radius);
        const double stiffness = s.stiffness_of(i, j);
        const double overlap = a.radius + b.radius - s.box.shortest(b.x - a.x).norm();
        const double kt = normal_force<law>(pair, overlap, R, stiffness).shear_stiffness;
        energy.normal += normal_energy<law>(pair, overlap, R, stiffness);
        energy.tangential += 0.5 * kt * history.slip[k].squaredNorm();
        if (!history.turn.empty())
            energy.rolling += 0.5 * kt * R * R * history.turn[k].squaredNorm();
    }
    return energy;
}

} // namespace

ElasticEnergy pair_energy(const PairSystem& system, const ContactHistory& history)
{
    return with_law(system.law, [&]<NormalLaw law>() {
        return ordered_sum(system.spheres.size(), ElasticEnergy{},
            [&](std::size_t i) { return stored<law>(system, history, static_cast<int>(i)); });
    });
}

} // namespace stickslip
