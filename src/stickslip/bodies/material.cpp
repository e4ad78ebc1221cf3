#include "stickslip/bodies/material.h"

#include "stickslip/bodies/elastic_laws.h"

namespace stickslip {

namespace {

// Block (c, d): columns c and d of P and F.
template <typename Law>
Mat9 derivative_by_unit_vectors(Law law)
{
    const Matrix3<double> I = identity<double>();
    law.set_vectors({I.x, I.y, I.z});
    Mat9 D;
    for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
            D.block<3, 3>(3 * c, 3 * d) = mat3(law.derivative(c, d));
    return D;
}

SecondPiolaLaw<double> viscous_law(const ElasticMaterial& m, const Mat3& F, const Mat3& F_old, double dt)
{
    return viscous_law(m.damping * m.mu, m.damping * m.lambda, matrix3(F), matrix3(F_old), dt);
}

} // namespace

ElasticMaterial make_material(ElasticModel model, double density, double young, double poisson, double damping)
{
    ElasticMaterial m;
    m.model = model;
    m.density = density;
    m.mu = young / (2 * (1 + poisson));
    m.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    m.damping = damping;
    return m;
}

double young_modulus(const ElasticMaterial& m)
{
    return m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu);
}

double energy_density(const ElasticMaterial& m, const Mat3& F)
{
    return with_law(m.model, m.mu, m.lambda, matrix3(F), [](const auto& law) { return law.energy(); });
}

Mat3 first_piola(const ElasticMaterial& m, const Mat3& F)
{
    return with_law(m.model, m.mu, m.lambda, matrix3(F), [](const auto& law) { return mat3(law.stress()); });
}

Mat9 first_piola_derivative(const ElasticMaterial& m, const Mat3& F)
{
    return with_law(
        m.model, m.mu, m.lambda, matrix3(F), [](const auto& law) { return derivative_by_unit_vectors(law); });
}

Mat3 viscous_piola(const ElasticMaterial& m, const Mat3& F, const Mat3& F_old, double dt)
{
    return mat3(viscous_law(m, F, F_old, dt).stress());
}

Mat9 viscous_piola_derivative(const ElasticMaterial& m, const Mat3& F, const Mat3& F_old, double dt)
{
    return derivative_by_unit_vectors(viscous_law(m, F, F_old, dt));
}

} // namespace stickslip
