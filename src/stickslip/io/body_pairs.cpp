#include "stickslip/io/body_pairs.h"

#include "stickslip/io/body_names.h"

#include <algorithm>

namespace stickslip {

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

} // namespace stickslip
