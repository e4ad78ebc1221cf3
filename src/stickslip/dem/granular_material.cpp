#include "stickslip/dem/granular_material.h"

#include "stickslip/math/error.h"

#include <cmath>
#include <string>

namespace stickslip {

namespace {

void demand(bool fulfilled, const char* field, const char* range, double value)
{
    if (!fulfilled)
        throw InputError(
            std::string("granular material: ") + field + " must be " + range + ", got " + std::to_string(value));
}

double shear_modulus(const GranularMaterial& m)
{
    return m.young / (2 * (1 + m.poisson));
}

} // namespace

void check(const GranularMaterial& m)
{
    const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
    const auto not_negative = [](double x) { return std::isfinite(x) && x >= 0; };
    demand(positive(m.density), "density", "> 0", m.density);
    demand(positive(m.young), "young", "> 0", m.young);
    demand(m.poisson > -1 && m.poisson <= 0.5, "poisson", "in (-1, 0.5]", m.poisson);
    demand(not_negative(m.stiffness), "stiffness", ">= 0", m.stiffness);
    demand(positive(m.shear_ratio), "shear_ratio", "> 0", m.shear_ratio);
    demand(not_negative(m.friction), "friction", ">= 0", m.friction);
    demand(m.restitution > 0 && m.restitution <= 1, "restitution", "in (0, 1]", m.restitution);
    demand(not_negative(m.rolling_friction), "rolling_friction", ">= 0", m.rolling_friction);
    demand(not_negative(m.twisting_friction), "twisting_friction", ">= 0", m.twisting_friction);
    demand(not_negative(m.surface_energy), "surface_energy", ">= 0", m.surface_energy);
}

double restitution(double ratio)
{
    if (ratio >= 1) {
        const double psi = std::acosh(ratio);
        return psi > 0 ? std::exp(-2 * psi / std::tanh(psi)) : std::exp(-2.0);
    }
    const double phi = std::acos(ratio);
    return std::exp(-2 * phi / std::tan(phi));
}

double damping_ratio(double e)
{
    if (!(e > 0 && e <= 1))
        throw InputError("restitution must be in (0, 1], got " + std::to_string(e));
    if (e == 1)
        return 0;
    double low = 0, high = 1;
    while (restitution(high) > e)
        high *= 2;
    for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
        const double middle = (low + high) / 2;
        (restitution(middle) > e ? low : high) = middle;
    }
    return (low + high) / 2;
}

PairLaw pair_law(const GranularMaterial& a, const GranularMaterial& b)
{
    const auto normal = [](const GranularMaterial& m) { return (1 - m.poisson * m.poisson) / m.young; };
    const auto tangential = [](const GranularMaterial& m) { return (2 - m.poisson) / shear_modulus(m); };
    return {.friction = of_two_materials(a.friction, b.friction),
        .rolling_friction = of_two_materials(a.rolling_friction, b.rolling_friction),
        .twisting_friction = of_two_materials(a.twisting_friction, b.twisting_friction),
        .damping_ratio = damping_ratio(of_two_materials(a.restitution, b.restitution)),
        .shear_ratio = (a.shear_ratio + b.shear_ratio) / 2,
        .young = 1 / (normal(a) + normal(b)),
        .shear = 1 / (tangential(a) + tangential(b)),
        .adhesion = 2 * std::sqrt(a.surface_energy * b.surface_energy)};
}

std::vector<PairLaw> pair_laws(const std::vector<GranularMaterial>& materials)
{
    std::vector<PairLaw> laws;
    for (const GranularMaterial& a : materials) {
        for (const GranularMaterial& b : materials)
            laws.push_back(pair_law(a, b));
    }
    return laws;
}

double side_compliance(const GranularMaterial& m, double radius)
{
    return 0.5 / (m.stiffness > 0 ? m.stiffness : m.young * radius);
}

} // namespace stickslip
