#pragma once

#include "stickslip/bodies/deformable.h"
#include "stickslip/bodies/elastic_laws.h"

#include <algorithm>
#include <span>

namespace stickslip {

/// Four tetrahedra of one body in lanes; the last one repeated where there are fewer. F = sum over corners c = 1, 2, 3
/// of (x_c - x_0) g_c^T with the gradients g_c of their shape functions, the rows of the rest inverse, and
/// g_0 = -(g_1 + g_2 + g_3).
struct ElementBatch {
    const DeformableSet* set;
    Range tets;
    std::array<int, lanes> t;
    Three<Lanes> g;
    Lanes volume;

    ElementBatch(const DeformableSet& s, const Range& range)
        : set(&s)
        , tets(range)
    {
        for (int l = 0; l < lanes; ++l)
            t[l] = std::min(range.begin + l, range.end - 1);
        const Mat3 &a = s.rest_inverse[t[0]], &b = s.rest_inverse[t[1]], &c = s.rest_inverse[t[2]],
                   &d = s.rest_inverse[t[3]];
        for (int k = 0; k < 3; ++k)
            g[k] = {Lanes{a(k, 0), b(k, 0), c(k, 0), d(k, 0)}, Lanes{a(k, 1), b(k, 1), c(k, 1), d(k, 1)},
                Lanes{a(k, 2), b(k, 2), c(k, 2), d(k, 2)}};
        volume = Lanes{s.volume[t[0]], s.volume[t[1]], s.volume[t[2]], s.volume[t[3]]};
    }

    int size() const { return tets.size(); }
    const ElasticMaterial& material() const { return set->materials[set->material_of_tet[t[0]]]; }

    Triple<Lanes> corner(int c, std::span<const Vec3> x) const
    {
        const auto at = [&](int l) -> const Vec3& { return x[set->tets[t[l]][c]]; };
        return triple(at(0), at(1), at(2), at(3));
    }

    Matrix3<Lanes> deformation_gradient(std::span<const Vec3> x) const
    {
        const Triple<Lanes> x0 = corner(0, x);
        return outer(corner(1, x) - x0, g[0]) + outer(corner(2, x) - x0, g[1]) + outer(corner(3, x) - x0, g[2]);
    }
};

/// Calls body with the law of the material at F.
template <typename Body>
auto with_elastic_law(const ElementBatch& batch, const Matrix3<Lanes>& F, const Body& body)
{
    const ElasticMaterial& m = batch.material();
    return with_law(m.model, Lanes{} + m.mu, Lanes{} + m.lambda, F, body);
}

/// Calls body with the viscous law, if the material has one.
template <typename Body>
void with_viscous_law(
    const ElementBatch& batch, const Matrix3<Lanes>& F, std::span<const Vec3> x_old, double dt, const Body& body)
{
    const ElasticMaterial& m = batch.material();
    if (m.damping > 0)
        body(viscous_law(
            Lanes{} + m.damping * m.mu, Lanes{} + m.damping * m.lambda, F, batch.deformation_gradient(x_old), dt));
}

} // namespace stickslip
