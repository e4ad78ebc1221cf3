#include "stickslip/bodies/elastic.h"

#include "stickslip/math/parallel.h"

#include <Eigen/LU>

#include <algorithm>

namespace stickslip {

namespace {

const ElasticMaterial& material(const DeformableSet& set, std::size_t t)
{
    return set.materials[set.material_of_tet[t]];
}

} // namespace

Mat3 deformation_gradient(const DeformableSet& set, int t, std::span<const Vec3> x)
{
    const Tetrahedron& tet = set.tets[t];
    Mat3 edges;
    for (int c = 0; c < 3; ++c)
        edges.col(c) = x[tet[c + 1]] - x[tet[0]];
    return edges * set.rest_inverse[t];
}

double elastic_energy(const DeformableSet& set, std::span<const Vec3> x, Range range)
{
    return ordered_sum(range.size(), 0.0, [&](std::size_t i) {
        const int t = range.begin + static_cast<int>(i);
        return set.volume[t] * energy_density(material(set, t), deformation_gradient(set, t, x));
    });
}

double geometric_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old)
{
    return ordered_sum(set.tets.size(), 0.0, [&](std::size_t t) {
        const ElasticMaterial& m = material(set, t);
        const Mat3 F = deformation_gradient(set, static_cast<int>(t), x);
        if (m.model == ElasticModel::linear || F.determinant() <= 0)
            return 0.0;
        const Mat3 dF = F - deformation_gradient(set, static_cast<int>(t), x_old);
        const Mat3 S = F.partialPivLu().solve(first_piola(m, F));
        return 0.5 * set.volume[t] * S.cwiseProduct(dF.transpose() * dF).sum();
    });
}

double viscous_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt)
{
    return ordered_sum(set.tets.size(), 0.0, [&](std::size_t t) {
        const ElasticMaterial& m = material(set, t);
        if (m.damping == 0)
            return 0.0;
        const Mat3 F = deformation_gradient(set, static_cast<int>(t), x);
        const Mat3 F_old = deformation_gradient(set, static_cast<int>(t), x_old);
        return set.volume[t] * viscous_piola(m, F, F_old, dt).cwiseProduct(F - F_old).sum();
    });
}

double smallest_volume_ratio(const DeformableSet& set, std::span<const Vec3> x, Range range)
{
    double smallest = infinity;
    for (int t = range.begin; t < range.end; ++t)
        smallest = std::min(smallest, deformation_gradient(set, t, x).determinant());
    return smallest;
}

} // namespace stickslip
