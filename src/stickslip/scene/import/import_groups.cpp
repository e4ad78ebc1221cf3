#include "stickslip/scene/import/import_groups.h"

namespace stickslip {

ImportedGroups::ImportedGroups(const std::vector<ImportedBody>& bodies)
{
    for (const ImportedBody& body : bodies)
        if (!body.is_free() && body.group >= 0)
            unfree_.insert(body.group);
}

bool ImportedGroups::are_apart(const ImportedBody& a, const ImportedBody& b) const
{
    if (a.is_free() && b.is_free())
        return a.group >= 0 && a.group == b.group;
    const ImportedBody& one = a.is_free() ? a : b;
    return !one.is_free() || unfree_.contains(one.group);
}

std::vector<PairSettings> ImportedGroups::rules(const std::vector<ImportedBody>& bodies) const
{
    std::vector<PairSettings> rules;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if ((bodies[i].is_free() || bodies[k].is_free()) && are_apart(bodies[i], bodies[k]))
                rules.push_back({.bodies = {bodies[k].settings.name, bodies[i].settings.name}, .enabled = false});
    return rules;
}

} // namespace stickslip
