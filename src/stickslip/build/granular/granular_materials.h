#pragma once

#include "stickslip/dem/granular_material.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/scene/checks/body_pairs.h"

#include <map>
#include <string>
#include <vector>

namespace stickslip {

/// The materials of a scene of spheres, each that is used once: bodies of one material share an entry, unless rules
/// tell them apart.
class GranularMaterials {
public:
    explicit GranularMaterials(const Scene& scene)
        : scene_(scene)
        , kinds_(kinds_of_pairs(scene))
    {
    }

    /// Entry of a body of the scene. An obstacle without a material has that of the first spheres, else of the first
    /// rigid body.
    int add(int body);

    const std::vector<GranularMaterial>& list() const { return list_; }

    /// The law of the scene; by itself linear where springs are given, DMT where surfaces attract, else Hertz.
    NormalLaw force_law() const;

    /// The scene's rules for pairs of the bodies that were added.
    std::vector<PairException> pair_exceptions() const;

private:
    const MaterialSettings& settings_of(const BodySettings& body) const;
    const std::string& name_of(const BodySettings& body) const;

    const Scene& scene_;
    const PairKinds kinds_;
    std::vector<GranularMaterial> list_;
    std::vector<int> kind_; // of each entry: kinds_ has rules for it
    std::map<std::pair<std::string, int>, int> entries_; // by name and kind
};

} // namespace stickslip
