#pragma once

#include "stickslip/scene/scene_places.h"
#include "stickslip/scene/text/scene_reading.h"

#include <initializer_list>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace stickslip {

/// Context of the checks of a read scene: its values, their positions, and which of them are already at fault.
class SceneCheck {
public:
    SceneCheck(const Scene& scene, const SceneTree& tree, Reading& reading);

    /// Nothing at, above or below any of these paths is at fault.
    bool sound(std::initializer_list<std::string> paths) const;
    /// Neither this path nor one above it is at fault; what lies below may be.
    bool reached(const std::string& path) const { return reading_.reached(path); }
    void fault(const std::string& path, const std::string& message);
    void warn(const std::string& path, const std::string& message);
    bool given(const std::string& path) const;
    std::string body_path(std::size_t index) const { return places_.body_path(index); }
    std::string outlet_path(std::size_t index) const;
    /// Index of the first body of this name, or the number of bodies.
    std::size_t first_of_name(const std::string& name) const;
    /// There are bodies `name[0]`, `name[1]`, ...
    bool is_family(const std::string& name) const { return families_.contains(name) || templates_.contains(name); }
    /// Records a fault at path when there is no body or family of this name.
    bool body_exists(const std::string& name, const std::string& path);

private:
    const Scene& scene_;
    const SceneNode& root_;
    ScenePlaces places_;
    Reading& reading_;
    std::vector<std::string> outlet_steps_;
    std::unordered_map<std::string, std::size_t> first_; // body of each name
    std::unordered_set<std::string> families_, templates_; // templates: of copies that are not made yet
};

/// Records a fault at path when there is no material of this name; silent where the materials are at fault themselves.
bool check_material_exists(const Scene& scene, const std::string& name, const std::string& path, SceneCheck& check);

/// Names, material, shape, motion and held regions of one body.
void check_body(const Scene& scene, std::size_t index, SceneCheck& check);

} // namespace stickslip
