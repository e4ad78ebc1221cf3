#include "stickslip/io/granular_materials.h"

#include "stickslip/io/body_names.h"
#include "stickslip/io/body_pairs.h"

#include <algorithm>

namespace stickslip {

int GranularMaterials::add(int body_index)
{
    const BodySettings& body = scene_.bodies[body_index];
    const std::string& name = name_of(body);
    const std::string key = is_in_a_pair(body) ? body.name + "\n" + name : name;
    const auto [found, fresh] = entries_.emplace(key, static_cast<int>(list_.size()));
    if (fresh) {
        const MaterialSettings& m = settings_of(body);
        GranularMaterial grain{.density = m.density,
            .stiffness = m.kn.value_or(0),
            .friction = scene_.contact.friction,
            .restitution = m.restitution,
            .rolling_friction = m.rolling_friction,
            .twisting_friction = m.twisting_friction,
            .surface_energy = m.surface_energy};
        grain.young = m.young.value_or(grain.young);
        grain.poisson = m.poisson.value_or(grain.poisson);
        if (m.kn && m.kt)
            grain.shear_ratio = *m.kt / *m.kn;
        list_.push_back(grain);
    }
    of_body_[body_index] = found->second;
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
    if (scene_.contact.pairs.empty())
        return said;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const PairSettings* pair = settings_of_pair(scene_.contact, scene_.bodies[i].name, scene_.bodies[j].name);
            if (pair)
                said.push_back({of_body_[i], of_body_[j], pair->friction, pair->restitution});
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

bool GranularMaterials::is_in_a_pair(const BodySettings& body) const
{
    return std::any_of(scene_.contact.pairs.begin(), scene_.contact.pairs.end(), [&](const PairSettings& pair) {
        return names_body(pair.bodies[0], body.name) || names_body(pair.bodies[1], body.name);
    });
}

} // namespace stickslip
