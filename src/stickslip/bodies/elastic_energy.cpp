#include "stickslip/bodies/elastic.h"

#include "stickslip/bodies/element_batch.h"
#include "stickslip/math/parallel.h"

#include <Eigen/LU>

#include <algorithm>

namespace stickslip {

namespace {

constexpr std::size_t batches_a_block = 256;

double sum_of_lanes(const Lanes& a, int count)
{
    double sum = 0;
    for (int l = 0; l < count; ++l)
        sum += a[l];
    return sum;
}

STICKSLIP_WIDE double batch_energy(const ElementBatch& batch, std::span<const Vec3> x)
{
    return sum_of_lanes(batch.volume
            * with_elastic_law(batch, batch.deformation_gradient(x), [](const auto& law) { return law.energy(); }),
        batch.size());
}

// With S = F^-1 P = C^T P / J.
STICKSLIP_WIDE double batch_geometric_loss(
    const ElementBatch& batch, std::span<const Vec3> x, std::span<const Vec3> x_old)
{
    const Matrix3<Lanes> F = batch.deformation_gradient(x), C = cofactor(F), dF = F - batch.deformation_gradient(x_old);
    const Lanes J = dot(F.x, C.x);
    const Matrix3<Lanes> P = with_elastic_law(batch, F, [](const auto& law) { return law.stress(); });
    const Lanes loss = 0.5 * batch.volume / J * inner(transposed(C) * P, transposed(dF) * dF);
    return sum_of_lanes(J > Lanes{} ? loss : Lanes{}, batch.size());
}

STICKSLIP_WIDE double batch_viscous_loss(
    const ElementBatch& batch, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt)
{
    const Matrix3<Lanes> F = batch.deformation_gradient(x), dF = F - batch.deformation_gradient(x_old);
    Lanes loss{};
    with_viscous_law(batch, F, x_old, dt, [&](const auto& law) { loss = batch.volume * inner(law.stress(), dF); });
    return sum_of_lanes(loss, batch.size());
}

template <typename Term>
double sum_over_batches(const DeformableSet& set, const Term& term)
{
    return ordered_sum(
        set.tet_batches.size(), 0.0, [&](std::size_t i) { return term(ElementBatch(set, set.tet_batches[i])); },
        batches_a_block);
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
    const auto batches = static_cast<std::size_t>((range.size() + lanes - 1) / lanes);
    return ordered_sum(
        batches, 0.0,
        [&](std::size_t i) {
            const int begin = range.begin + lanes * static_cast<int>(i);
            return batch_energy(ElementBatch(set, {begin, std::min(begin + lanes, range.end)}), x);
        },
        batches_a_block);
}

double geometric_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old)
{
    return sum_over_batches(set, [&](const ElementBatch& batch) {
        return batch.material().model == ElasticModel::linear ? 0.0 : batch_geometric_loss(batch, x, x_old);
    });
}

double viscous_loss(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt)
{
    return sum_over_batches(set, [&](const ElementBatch& batch) {
        return batch.material().damping == 0 ? 0.0 : batch_viscous_loss(batch, x, x_old, dt);
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
