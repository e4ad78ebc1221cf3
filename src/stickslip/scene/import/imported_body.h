#pragma once

#include "stickslip/scene/import/import_motion.h"
#include "stickslip/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// A flat rectangle that becomes a box.
struct ImportedSheet {
    Bounds box; // [m] in the frame of the body, without extent along `axis`
    int axis = 0;
    bool looks_up = true; // its triangles face along +axis
};

/// A body of another program's scene on its way into ours.
struct ImportedBody {
    BodySettings settings;
    std::string place; // in the other file, ends in a dot
    int group = -1; // bodies of a group do not meet; -1: none
    std::vector<Vec3> world; // [m] its vertices at the start; empty: its mesh is missing
    std::optional<ImportedSheet> sheet;
    std::optional<KinematicScript> script; // of a body that is led
    Mat3 inertia = Mat3::Zero(); // [m^5] at density 1, axes of its frame; of a mesh
    double feature = infinity; // [m] smallest distance between faces that look away from each other; of sheets: none
    double area = 0, edges = 0; // [m^2] of its triangles, [m] of their edges

    /// Moves by its own mass.
    bool is_free() const { return settings.kind == BodyKind::rigid && !script; }
};

} // namespace stickslip
