#include "stickslip/geometry/solids/grid_spacing.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

double automatic_spacing(const Vec3& extent)
{
    return std::min(extent.maxCoeff() / 64, extent.minCoeff() / 4);
}

Vec3 node_counts(const Vec3& extent, double spacing, double band)
{
    const double margin = std::ceil(band) + 2; // [cells] on each side: the band, one of interpolation, one for the end
    return (extent / spacing).array().ceil() + (1 + 2 * margin);
}

double fitting_spacing(const Vec3& extent, double spacing, double band, double most_nodes)
{
    while (node_counts(extent, spacing, band).prod() > most_nodes)
        spacing *= 1.01;
    return spacing;
}

} // namespace stickslip
