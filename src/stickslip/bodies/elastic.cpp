#include "stickslip/bodies/elastic.h"

#include "stickslip/bodies/convex_law.h"
#include "stickslip/bodies/element_batch.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr std::size_t batches_at_once = 16;

// On corner c: -volume P g_c.
void store_corner_forces(const ElementBatch& batch, const Matrix3<Lanes>& P, std::span<Vec3> corner_force)
{
    const Three<Lanes> f = times((-batch.volume) * P, batch.g);
    const Triple<Lanes> f0 = -1.0 * (f[0] + f[1] + f[2]);
    for (int l = 0; l < batch.size(); ++l) {
        Vec3* const corner = &corner_force[4 * (batch.tets.begin + l)];
        corner[0] = lane(f0, l);
        for (int c = 0; c < 3; ++c)
            corner[c + 1] = lane(f[c], l);
    }
}

STICKSLIP_WIDE void set_corner_forces(const DeformableSet& set, std::span<const Range> batches, std::span<const Vec3> x,
    std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    for (const Range& tets : batches) {
        const ElementBatch batch(set, tets);
        const Matrix3<Lanes> F = batch.deformation_gradient(x);
        Matrix3<Lanes> P = with_elastic_law(batch, F, [](const auto& law) { return law.stress(); });
        with_viscous_law(batch, F, x_old, dt, [&](const auto& law) { P += law.stress(); });
        store_corner_forces(batch, P, e.corner_force);
    }
}

// Elastic models have a symmetric derivative.
STICKSLIP_WIDE void set_corner_force_differentials(const DeformableSet& set, std::span<const Range> batches,
    std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, std::span<const Vec3> dx, bool transposed,
    ElasticEvaluation& e)
{
    for (const Range& tets : batches) {
        const ElementBatch batch(set, tets);
        const Matrix3<Lanes> F = batch.deformation_gradient(x), dF = batch.deformation_gradient(dx);
        Matrix3<Lanes> dP = with_elastic_law(batch, F, [&](const auto& law) { return law.differential(dF); });
        with_viscous_law(batch, F, x_old, dt,
            [&](const auto& law) { dP += transposed ? law.transposed_differential(dF) : law.differential(dF); });
        store_corner_forces(batch, dP, e.corner_change);
    }
}

using Stiffness = std::array<std::array<Matrix3<Lanes>, 3>, 3>;

// Stresses of the elastic models have a symmetric derivative.
template <typename Law>
void set_stiffness(Law law, const Three<Lanes>& g, Stiffness& D)
{
    law.set_vectors(g);
    for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b) {
            D[a][b] = law.derivative(a, b);
            if (a != b)
                D[b][a] = transposed(D[a][b]);
        }
}

template <typename Law>
void add_stiffness(Law law, const Three<Lanes>& g, Stiffness& D)
{
    law.set_vectors(g);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            D[a][b] += law.derivative(a, b);
}

// Block (a, b): -volume D_ab.
void store_stiffness(const ElementBatch& batch, const Stiffness& D, ElasticEvaluation& e)
{
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            const Matrix3<Lanes> K = (-batch.volume) * D[a][b];
            for (int l = 0; l < batch.size(); ++l)
                e.derivative[batch.tets.begin + l].block<3, 3>(3 * a, 3 * b) = lane(K, l);
        }
}

STICKSLIP_WIDE void set_derivatives(const DeformableSet& set, std::span<const Range> batches, std::span<const Vec3> x,
    std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    for (const Range& tets : batches) {
        const ElementBatch batch(set, tets);
        const Matrix3<Lanes> F = batch.deformation_gradient(x);
        Stiffness D;
        with_elastic_law(batch, F, [&](const auto& law) { set_stiffness(law, batch.g, D); });
        with_viscous_law(batch, F, x_old, dt, [&](const auto& law) { add_stiffness(law, batch.g, D); });
        store_stiffness(batch, D, e);
    }
}

// The viscous stress of a body that has stood still is convex as it is.
STICKSLIP_WIDE void set_convex_derivatives(
    const DeformableSet& set, std::span<const Range> batches, std::span<const Vec3> x, double dt, ElasticEvaluation& e)
{
    for (const Range& tets : batches) {
        const ElementBatch batch(set, tets);
        const Matrix3<Lanes> F = batch.deformation_gradient(x);
        Stiffness D;
        with_elastic_law(batch, F, [&]<typename Law>(const Law& law) {
            if constexpr (Law::is_convex)
                set_stiffness(law, batch.g, D);
            else
                set_stiffness(ConvexLaw<Lanes>(law, F), batch.g, D);
        });
        with_viscous_law(batch, F, x, dt, [&](const auto& law) { add_stiffness(law, batch.g, D); });
        store_stiffness(batch, D, e);
    }
}

template <typename Body>
void for_batches(const DeformableSet& set, const Body& body)
{
    const std::span<const Range> all = set.tet_batches;
    parallel_for((all.size() + batches_at_once - 1) / batches_at_once,
        [&](std::size_t i) {
            const std::size_t begin = i * batches_at_once;
            body(all.subspan(begin, std::min(batches_at_once, all.size() - begin)));
        },
        1);
}

// Node by node, so that the order of the sum never changes.
void gather(const DeformableSet& set, std::span<const Vec3> corner_force, std::span<Vec3> f)
{
    parallel_for(f.size(), [&](std::size_t node) {
        Vec3 sum = Vec3::Zero();
        for (int k = set.tet_corners_begin[node]; k < set.tet_corners_begin[node + 1]; ++k)
            sum += corner_force[set.tet_corners[k]];
        f[node] += sum;
    });
}

} // namespace

void evaluate_stress(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    e.corner_force.resize(4 * set.tets.size());
    for_batches(set, [&](std::span<const Range> batches) { set_corner_forces(set, batches, x, x_old, dt, e); });
}

void evaluate_stress_derivative(
    const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old, double dt, ElasticEvaluation& e)
{
    e.derivative.resize(set.tets.size());
    for_batches(set, [&](std::span<const Range> batches) { set_derivatives(set, batches, x, x_old, dt, e); });
}

void evaluate_convex_derivative(const DeformableSet& set, std::span<const Vec3> x, double dt, ElasticEvaluation& e)
{
    e.derivative.resize(set.tets.size());
    for_batches(set, [&](std::span<const Range> batches) { set_convex_derivatives(set, batches, x, dt, e); });
}

void add_elastic_force(const DeformableSet& set, const ElasticEvaluation& e, std::span<Vec3> f)
{
    gather(set, e.corner_force, f);
}

void add_elastic_force_differential(const DeformableSet& set, std::span<const Vec3> x, std::span<const Vec3> x_old,
    double dt, std::span<const Vec3> dx, std::span<Vec3> df, bool transposed, ElasticEvaluation& e)
{
    e.corner_change.resize(4 * set.tets.size());
    for_batches(set, [&](std::span<const Range> batches) {
        set_corner_force_differentials(set, batches, x, x_old, dt, dx, transposed, e);
    });
    gather(set, e.corner_change, df);
}

void elastic_force_blocks(const ElasticEvaluation& e, int t, int corner, std::array<Mat3, 4>& row)
{
    const ElementStiffness& K = e.derivative[t];
    if (corner == 0)
        for (int b = 0; b < 3; ++b)
            row[b + 1] = -(K.block<3, 3>(0, 3 * b) + K.block<3, 3>(3, 3 * b) + K.block<3, 3>(6, 3 * b));
    else
        for (int b = 0; b < 3; ++b)
            row[b + 1] = K.block<3, 3>(3 * (corner - 1), 3 * b);
    row[0] = -(row[1] + row[2] + row[3]);
}

} // namespace stickslip
