#include "stickslip/contact/relax/rim_share.h"

#include <algorithm>

namespace stickslip {

namespace {

// A point within this fraction of a solid's smallest size beyond a rim is flush with it.
constexpr double flush_share = 1e-6;

} // namespace

double smallest_size(const LevelSet& solid)
{
    const Bounds box = bounds(solid);
    return (box.max - box.min).minCoeff();
}

Overshoot overshoot(const LevelSet& solid, int patch, const Vec3& U)
{
    Overshoot largest;
    for (int g = 0; g < patch_count(solid); ++g) {
        if (g == patch)
            continue;
        const double d = patch_distance(solid, g, U);
        if (d > largest.distance)
            largest = {d, g};
    }
    return largest;
}

double flush_distance(const LevelSet& solid)
{
    return patch_count(solid) > 1 ? flush_share * smallest_size(solid) : 0;
}

double rim_width(const LevelSet& solid, double depth)
{
    if (patch_count(solid) == 1)
        return 0;
    const double size = smallest_size(solid);
    return std::clamp(depth, 1e-3 * size, size);
}

RimShare rim_share(const LevelSet& solid, int patch, const Vec3& Y, double depth, double deepest)
{
    const RimShare none{0, Vec3::Zero(), 0};
    if (!(depth > 0))
        return none;
    const Overshoot beyond = overshoot(solid, patch, Y);
    if (beyond.distance <= 0)
        return {1, Vec3::Zero(), 0};
    const double width = rim_width(solid, std::min(depth, deepest));
    if (beyond.distance >= width)
        return none;
    return {1 - beyond.distance / width, -sample_patch(solid, beyond.neighbour, Y).n / width,
        width == depth ? beyond.distance / (width * width) : 0}; // it narrows as the point comes up
}

RimWeight rim_weight(const LevelSet& solid, int patch, const Vec3& U)
{
    const LevelSetSample at = sample_patch(solid, patch, U);
    const RimShare share = rim_share(solid, patch, U, -at.phi, infinity);
    return {share.weight, share.dweight_dY - share.dweight_ddepth * at.n};
}

} // namespace stickslip
