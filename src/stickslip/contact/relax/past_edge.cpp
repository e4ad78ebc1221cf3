#include "stickslip/contact/relax/past_edge.h"

namespace stickslip {

std::optional<RimWeight> weight_past_edge(const LevelSet& solid, std::span<const LevelPatch> level, const Vec3& U)
{
    const auto [patch, passed] = level.front();
    const LevelSetSample at = sample_patch(solid, patch, U);
    const double depth = -at.phi;
    if (!(depth > passed))
        return std::nullopt;
    RimWeight weight = rim_weight(solid, patch, U); // of the rims that its body does not stand before
    const auto times = [&](double share, const Vec3& dshare_dU) {
        weight.dweight_dU = share * weight.dweight_dU + weight.weight * dshare_dU;
        weight.weight *= share;
    };
    times(1 - passed / depth, -passed / (depth * depth) * at.n);
    const double width = rim_width(solid, depth);
    double inside = width;
    int rim = -1;
    for (const LevelPatch& other : level.subspan(1))
        if (const double d = -patch_distance(solid, other.patch, U) - other.depth; d < inside) {
            inside = d;
            rim = other.patch;
        }
    if (rim >= 0) {
        const Vec3 dwidth_dU = width == depth ? Vec3(-at.n) : Vec3::Zero();
        times(inside / width, -(sample_patch(solid, rim, U).n + inside / width * dwidth_dU) / width);
    }
    if (!(inside > 0 && weight.weight > 0))
        return std::nullopt;
    return weight;
}

} // namespace stickslip
