#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

enum class RecordedKind { deformable, obstacle, rigid, spheres, mpm, unknown };
const char* to_string(RecordedKind kind);

struct RecordedBody {
    std::string name;
    RecordedKind kind = RecordedKind::unknown;
    bool is_plane = false; // its frames hold a square that stands for it
    double ball_radius = nan; // [m] of a rigid body that is a ball; else nan
};

/// The part of a run's scene that is shown. Read without judging: a scene of a later version does too.
struct RecordedScene {
    std::string title;
    Vec3 gravity = Vec3(0, -9.81, 0); // [m/s2]
    double end = nan; // [s]
    bool is_explicit = false; // its steps solve no equations: there are no iterations and residuals
    std::vector<RecordedBody> bodies; // in the order of the scene
    double friction = nan; // [-] default of all pairs
    struct Pair {
        std::array<int, 2> bodies; // indices
        double friction; // [-]
    };
    std::vector<Pair> pairs; // with a friction of their own

    /// Index of a body, -1 when there is none of this name.
    int find(std::string_view name) const;
    /// Names of bodies that another scene has none of; copies by their family where it has nothing of it.
    std::vector<std::string> missing_in(const RecordedScene& other) const;
};

/// Reads the scene.yaml of a run folder. Errors: FileError when it cannot be read, InputError when it is no YAML.
RecordedScene read_recorded_scene(const std::filesystem::path& path);

} // namespace stickslip
