#include "stickslip/io/body_pairs.h"

#include "stickslip/io/body_names.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace stickslip {

namespace {

// What rules can tell of a body: its name and family, where a rule has them; its group, where a body lists it; what it
// lists itself.
using Told = std::tuple<std::string, std::string, std::string, std::optional<std::vector<std::string>>>;

std::vector<Told> told_of_bodies(const Scene& scene)
{
    std::set<std::string> named, listed;
    for (const PairSettings& pair : scene.contact.pairs)
        named.insert(pair.bodies.begin(), pair.bodies.end());
    for (const BodySettings& body : scene.bodies)
        if (body.collides_with)
            listed.insert(body.collides_with->begin(), body.collides_with->end());
    const auto if_in = [](const std::set<std::string>& set, const std::string& name) {
        return set.contains(name) ? name : std::string();
    };
    std::vector<Told> told;
    for (const BodySettings& body : scene.bodies)
        told.emplace_back(if_in(named, body.name), if_in(named, family_of(body.name)), if_in(listed, group_of(body)),
            body.collides_with);
    return told;
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

PairKinds kinds_of_pairs(const Scene& scene)
{
    PairKinds result;
    std::map<Told, int> numbers;
    std::vector<std::vector<const BodySettings*>> members; // two of each kind are enough
    const std::vector<Told> told = told_of_bodies(scene);
    for (std::size_t b = 0; b < told.size(); ++b) {
        const int kind = numbers.try_emplace(told[b], static_cast<int>(numbers.size())).first->second;
        result.of_body.push_back(kind);
        members.resize(numbers.size());
        if (members[kind].size() < 2)
            members[kind].push_back(&scene.bodies[b]);
    }
    const int count = static_cast<int>(members.size());
    std::map<std::string, std::vector<int>> of_name; // kinds of the bodies that a name stands for
    std::set<std::pair<int, int>> met;
    for (int k = 0; k < count; ++k) {
        const BodySettings& body = *members[k][0];
        for (const std::string& name : std::set<std::string>{
                 std::get<0>(told[&body - scene.bodies.data()]), std::get<1>(told[&body - scene.bodies.data()])})
            of_name[name].push_back(k);
        for (int other = 0; body.collides_with && other < count; ++other)
            met.insert(std::minmax(k, other));
    }
    for (const PairSettings& pair : scene.contact.pairs)
        for (const int a : of_name[pair.bodies[0]])
            for (const int b : of_name[pair.bodies[1]])
                met.insert(std::minmax(a, b));
    for (const auto& [a, b] : met) {
        if (a == b && members[a].size() < 2)
            continue;
        const BodySettings &first = *members[a][0], &second = a == b ? *members[a][1] : *members[b][0];
        const PairKinds::Rule rule{settings_of_pair(scene.contact, first.name, second.name), may_touch(first, second)};
        if (rule.said || !rule.may_touch)
            result.rules[{a, b}] = rule;
    }
    return result;
}

} // namespace stickslip
