#include "stickslip/scene/checks/body_pairs.h"

#include "stickslip/bodies/friction.h"
#include "stickslip/scene/text/body_names.h"

#include <algorithm>
#include <optional>
#include <set>

namespace stickslip {

namespace {

// What rules distinguish of a body: its name and family, where a rule has them; its group, where a body lists it; what
// it lists itself; its material, where a rule has it or it has a friction.
struct RuleTraits {
    std::string name, family, group;
    std::optional<std::vector<std::string>> collides_with;
    std::string material;

    auto operator<=>(const RuleTraits&) const = default;
};

std::optional<double> friction_of(const Scene& scene, const std::string& material)
{
    for (const MaterialSettings& m : scene.materials)
        if (m.name == material)
            return m.friction;
    return std::nullopt;
}

/// The lesser of the two materials', or that of the one that has any.
std::optional<double> friction_of_materials(const Scene& scene, const std::string& a, const std::string& b)
{
    const std::optional<double> first = friction_of(scene, a), second = friction_of(scene, b);
    return first && second ? of_two_materials(*first, *second) : first ? first : second;
}

std::vector<RuleTraits> rule_traits(const Scene& scene)
{
    std::set<std::string> named, listed, materials;
    for (const PairSettings& pair : scene.contact.pairs) {
        named.insert(pair.bodies.begin(), pair.bodies.end());
        materials.insert(pair.materials.begin(), pair.materials.end());
    }
    for (const MaterialSettings& m : scene.materials)
        if (m.friction)
            materials.insert(m.name);
    for (const BodySettings& body : scene.bodies)
        if (body.collides_with)
            listed.insert(body.collides_with->begin(), body.collides_with->end());
    const auto if_in = [](const std::set<std::string>& set, const std::string& name) {
        return set.contains(name) ? name : std::string();
    };
    std::vector<RuleTraits> traits;
    for (const BodySettings& body : scene.bodies)
        traits.push_back({if_in(named, body.name), if_in(named, family_of(body.name)), if_in(listed, group_of(body)),
            body.collides_with, if_in(materials, body.material)});
    return traits;
}

} // namespace

std::string group_of(const BodySettings& body)
{
    return body.group.empty() ? family_of(body.name) : body.group;
}

bool may_touch(const BodySettings& a, const BodySettings& b)
{
    const auto admits = [](const BodySettings& one, const BodySettings& other) {
        if (!one.collides_with)
            return true;
        const auto& groups = *one.collides_with;
        return std::find(groups.begin(), groups.end(), group_of(other)) != groups.end();
    };
    return admits(a, b) && admits(b, a);
}

const PairSettings* settings_of_pair(const ContactSettings& contact, const std::string& a, const std::string& b)
{
    const PairSettings* best = nullptr;
    int most = -1; // of the two names given as they are
    for (const PairSettings& pair : contact.pairs) {
        const auto& [first, second] = pair.bodies;
        const auto consider = [&](const std::string& p, const std::string& q) {
            const int exact = (first == p) + (second == q);
            if (names_body(first, p) && names_body(second, q) && exact > most) {
                best = &pair;
                most = exact;
            }
        };
        consider(a, b);
        consider(b, a);
    }
    return best;
}

const PairSettings* settings_of_materials(const ContactSettings& contact, const std::string& a, const std::string& b)
{
    if (a.empty() || b.empty())
        return nullptr;
    const auto found = std::find_if(contact.pairs.begin(), contact.pairs.end(), [&](const PairSettings& pair) {
        return pair.materials == std::array{a, b} || pair.materials == std::array{b, a};
    });
    return found == contact.pairs.end() ? nullptr : &*found;
}

PairSettings PairKinds::Rule::values() const
{
    PairSettings all = of_bodies ? *of_bodies : PairSettings{};
    if (of_materials) {
        const auto fill = [&](std::optional<double> PairSettings::*value) {
            if (!(all.*value))
                all.*value = of_materials->*value;
        };
        if (!all.kn) // kt belongs to it
            fill(&PairSettings::kt);
        for (const auto value : {&PairSettings::friction, &PairSettings::restitution, &PairSettings::stiffness,
                 &PairSettings::rolling_friction, &PairSettings::twisting_friction, &PairSettings::kn,
                 &PairSettings::surface_energy})
            fill(value);
        all.enabled = all.enabled && of_materials->enabled;
    }
    if (!all.friction)
        all.friction = friction;
    all.enabled = all.enabled && may_touch;
    return all;
}

PairKinds kinds_of_pairs(const Scene& scene)
{
    PairKinds result;
    std::map<RuleTraits, int> numbers;
    std::vector<std::vector<const BodySettings*>> members; // two of each kind are enough
    const std::vector<RuleTraits> traits = rule_traits(scene);
    for (std::size_t b = 0; b < traits.size(); ++b) {
        const int kind = numbers.try_emplace(traits[b], static_cast<int>(numbers.size())).first->second;
        result.of_body.push_back(kind);
        members.resize(numbers.size());
        if (members[kind].size() < 2)
            members[kind].push_back(&scene.bodies[b]);
    }
    const int count = static_cast<int>(members.size());
    std::map<std::string, std::vector<int>> of_name, of_material; // kinds of the bodies that a name stands for
    std::set<std::pair<int, int>> pairs;
    for (int k = 0; k < count; ++k) {
        const BodySettings& body = *members[k][0];
        const RuleTraits& of_body = traits[&body - scene.bodies.data()];
        for (const std::string& name : std::set<std::string>{of_body.name, of_body.family})
            of_name[name].push_back(k);
        of_material[of_body.material].push_back(k);
        const bool pairs_with_all = body.collides_with || friction_of(scene, body.material);
        for (int other = 0; pairs_with_all && other < count; ++other)
            pairs.insert(std::minmax(k, other));
    }
    const auto add_pairs = [&](const std::vector<int>& some, const std::vector<int>& others) {
        for (const int a : some)
            for (const int b : others)
                pairs.insert(std::minmax(a, b));
    };
    for (const PairSettings& pair : scene.contact.pairs) {
        if (!pair.bodies[0].empty())
            add_pairs(of_name[pair.bodies[0]], of_name[pair.bodies[1]]);
        else
            add_pairs(of_material[pair.materials[0]], of_material[pair.materials[1]]);
    }
    for (const auto& [a, b] : pairs) {
        const bool alone = a == b && members[a].size() < 2;
        if (alone && members[a][0]->kind != BodyKind::spheres)
            continue;
        const BodySettings &first = *members[a][0], &second = *members[b][a == b && !alone ? 1 : 0];
        const PairKinds::Rule rule{settings_of_pair(scene.contact, first.name, second.name), may_touch(first, second),
            settings_of_materials(scene.contact, first.material, second.material),
            friction_of_materials(scene, first.material, second.material)};
        if (rule.of_bodies || !rule.may_touch || rule.of_materials || rule.friction)
            result.rules[{a, b}] = rule;
    }
    return result;
}

} // namespace stickslip
