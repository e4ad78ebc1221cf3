#pragma once

#include "stickslip/scene/scene.h"
#include "stickslip/scene/text/scene_tree.h"

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace stickslip {

/// The tree that a scene was read from. A copy, or a single sphere of a body of spheres, has no node of its own there:
/// it stands where the body stands that it was made of.
struct SceneTree {
    SceneNode root;
    std::vector<std::size_t> origin; // item of the root's `bodies`, by body of the scene; empty: each its own

    std::set<std::string> expression_words; // of all expressions that stood there: the variables that are used
    std::set<std::string> words_before_overrides; // of those of the file, if there are overrides: some may be gone

    std::size_t item_of(std::size_t body) const { return origin.empty() ? body : origin[body]; }
};

/// Positions of the values of a scene in its text, and the paths of its bodies in faults.
class ScenePlaces {
public:
    /// Keeps a reference to the tree.
    ScenePlaces(const Scene& scene, const SceneTree& tree);

    /// "bodies.brick[3]"; "bodies[2]" where no other name is unique.
    std::string body_path(std::size_t body) const;

    /// The position of the value at a path, or of the nearest place above it that exists.
    SourcePosition locate(const std::string& path) const;

private:
    const SceneTree& tree_;
    std::vector<std::string> steps_; // by body
    std::unordered_map<std::string, std::size_t> bodies_; // by step
};

} // namespace stickslip
