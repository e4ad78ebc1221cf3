#pragma once

#include "stickslip/dem/granular_material.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/io/scene.h"

#include <map>
#include <string>
#include <vector>

namespace stickslip {

/// The materials of a scene of spheres, each that is used once: bodies of one material share an entry, unless the scene
/// says something of the single body.
class GranularMaterials {
public:
    explicit GranularMaterials(const Scene& scene)
        : scene_(scene)
        , of_body_(scene.bodies.size(), -1)
    {
    }

    /// Entry of a body of the scene. An obstacle without a material has that of the first spheres, else of the first
    /// rigid body.
    int add(int body);

    const std::vector<GranularMaterial>& list() const { return list_; }

    /// The law of the scene; by itself linear where springs are given, DMT where surfaces attract, else Hertz.
    NormalLaw force_law() const;

    /// What the scene says of pairs. Pre: every body was added.
    std::vector<PairException> pair_exceptions() const;

private:
    const MaterialSettings& settings_of(const BodySettings& body) const;
    const std::string& name_of(const BodySettings& body) const;
    bool is_in_a_pair(const BodySettings& body) const;

    const Scene& scene_;
    std::vector<GranularMaterial> list_;
    std::map<std::string, int> entries_;
    std::vector<int> of_body_;
};

} // namespace stickslip
