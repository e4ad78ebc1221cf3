#include "stickslip/build/granular/granular_materials.h"

#include <algorithm>

namespace stickslip {

namespace {

PairException exception(int first, int second, const PairSettings& pair)
{
    PairException e{.first = first,
        .second = second,
        .friction = pair.friction,
        .restitution = pair.restitution,
        .rolling_friction = pair.rolling_friction,
        .twisting_friction = pair.twisting_friction,
        .stiffness = pair.kn,
        .surface_energy = pair.surface_energy,
        .touches = pair.enabled};
    if (pair.kn && pair.kt)
        e.shear_ratio = *pair.kt / *pair.kn;
    return e;
}

} // namespace

int GranularMaterials::add(int body_index)
{
    const BodySettings& body = scene_.bodies[body_index];
    const std::string& name = name_of(body);
    const int kind = kinds_.of_body[body_index];
    const auto [found, fresh] = entries_.try_emplace({name, kind}, static_cast<int>(list_.size()));
    if (fresh) {
        const MaterialSettings& m = settings_of(body);
        GranularMaterial grain{.density = m.density,
            .stiffness = m.kn.value_or(0),
            .friction = m.friction.value_or(scene_.contact.friction),
            .restitution = m.restitution,
            .rolling_friction = m.rolling_friction,
            .twisting_friction = m.twisting_friction,
            .surface_energy = m.surface_energy};
        grain.young = m.young.value_or(grain.young);
        grain.poisson = m.poisson.value_or(grain.poisson);
        if (m.kn && m.kt)
            grain.shear_ratio = *m.kt / *m.kn;
        list_.push_back(grain);
        kind_.push_back(kind);
    }
    return found->second;
}

NormalLaw GranularMaterials::force_law() const
{
    bool springs = false, adhesive = false;
    for (const BodySettings& body : scene_.bodies) {
        const MaterialSettings& m = settings_of(body);
        springs = springs || m.kn;
        adhesive = adhesive || m.surface_energy > 0;
    }
    for (const PairSettings& pair : scene_.contact.pairs) {
        springs = springs || pair.kn;
        adhesive = adhesive || pair.surface_energy > 0.0;
    }
    switch (scene_.contact.law) {
    case ForceLaw::linear:
        return NormalLaw::linear;
    case ForceLaw::hertz:
        return NormalLaw::hertz;
    case ForceLaw::dmt:
        return NormalLaw::dmt;
    case ForceLaw::jkr:
        return NormalLaw::jkr;
    case ForceLaw::automatic:
        break;
    }
    return springs ? NormalLaw::linear : adhesive ? NormalLaw::dmt : NormalLaw::hertz;
}

std::vector<PairException> GranularMaterials::pair_exceptions() const
{
    std::vector<PairException> said;
    const int count = static_cast<int>(list_.size());
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j <= i; ++j) {
            const auto rule = kinds_.rules.find(std::minmax({kind_[i], kind_[j]}));
            if (rule != kinds_.rules.end())
                said.push_back(exception(i, j, rule->second.values()));
        }
    }
    return said;
}

const MaterialSettings& GranularMaterials::settings_of(const BodySettings& body) const
{
    return *std::find_if(scene_.materials.begin(), scene_.materials.end(),
        [&](const MaterialSettings& m) { return m.name == name_of(body); });
}

const std::string& GranularMaterials::name_of(const BodySettings& body) const
{
    if (!body.material.empty())
        return body.material;
    const auto first = [&](const auto& condition) {
        return std::find_if(scene_.bodies.begin(), scene_.bodies.end(), condition);
    };
    const auto spheres = first([](const BodySettings& b) { return b.kind == BodyKind::spheres; });
    return spheres != scene_.bodies.end() ? spheres->material
                                          : first([](const BodySettings& b) { return b.is_free_rigid(); })->material;
}

} // namespace stickslip
