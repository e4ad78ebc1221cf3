#pragma once

#include "stickslip/scene/scene.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// The group a body belongs to: its own word, or the name of its family.
std::string group_of(const BodySettings& body);

/// Two bodies may touch: neither leaves the other's group out of its `collides_with`.
bool may_touch(const BodySettings& a, const BodySettings& b);

/// The scene's rule for the pair of these two names; null: none. Of several rules the one that names both bodies
/// themselves, then the one that names one of them and a family, then the one of two families; the first of each.
const PairSettings* settings_of_pair(const ContactSettings& contact, const std::string& a, const std::string& b);

/// The scene's first rule for the pair of these two materials; null: none. "": of no material.
const PairSettings* settings_of_materials(const ContactSettings& contact, const std::string& a, const std::string& b);

/// Bodies that nothing said of pairs, groups and frictions tells apart are of one kind; kinds are numbered as they
/// appear. What is said of two of a kind, or of one of each of two kinds, is found once for all of them: the work grows
/// with the kinds that rules name, not with the pairs of bodies.
struct PairKinds {
    struct Rule {
        const PairSettings* of_bodies; // what the scene says of them; null: nothing
        bool may_touch; // by their groups
        const PairSettings* of_materials = nullptr; // the same of their materials
        std::optional<double> friction; // [-] that follows from their materials; unset: that of ContactSettings

        /// All of it: what is said of the bodies, else of their materials, else what follows from these.
        PairSettings values() const;
    };
    std::vector<int> of_body; // in the order of the scene
    std::map<std::pair<int, int>, Rule> rules; // the first kind not greater; left out: nothing said, may touch
};
PairKinds kinds_of_pairs(const Scene& scene);

} // namespace stickslip
