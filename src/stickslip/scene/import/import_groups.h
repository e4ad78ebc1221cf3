#pragma once

#include "stickslip/scene/import/imported_body.h"

#include <set>
#include <vector>

namespace stickslip {

/// Which bodies do not meet in rigid-ipc: those of a group, those that do not move freely, and one that shares its
/// group with one of these and any of these.
class ImportedGroups {
public:
    explicit ImportedGroups(const std::vector<ImportedBody>& bodies);

    bool are_apart(const ImportedBody& a, const ImportedBody& b) const;

    /// Rules for the pairs that would meet here: at least one of the two moves freely.
    std::vector<PairSettings> rules(const std::vector<ImportedBody>& bodies) const;

private:
    std::set<int> unfree_; // groups of bodies that do not move freely
};

} // namespace stickslip
