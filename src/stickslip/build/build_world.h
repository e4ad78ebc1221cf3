#pragma once

#include "stickslip/build/build_granular.h"
#include "stickslip/build/build_report.h"
#include "stickslip/contact/contact_batch.h"
#include "stickslip/geometry/tri_mesh.h"
#include "stickslip/scene/scene.h"
#include "stickslip/world/time_step.h"
#include "stickslip/world/world.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// Where a body of the scene went in the world.
struct BodyHandle {
    BodyKind kind;
    int index; // into World::deformables.bodies, rigids or obstacles; of spheres: BuiltGranular::sets, world.walls
};

/// The number of a body among those that may touch (contact_law.h), and its name.
int contact_body(const World& world, const BodyHandle& body);
const std::string& contact_body_name(const World& world, int body);

/// The point of a contact as reports number it: node of a deformable body's mesh, else sample or ball.
int point_number(const World& world, const ContactInfo& contact);

/// A scene made ready to run.
struct BuiltWorld {
    World world;
    State state;
    StepOptions options;
    std::optional<BuiltGranular> granular; // an explicit run: then world and state hold nothing
    std::vector<BodyHandle> bodies; // in the order of the scene; a rigid body with a motion is an obstacle
    std::vector<std::shared_ptr<const TriMesh>> surfaces; // likewise: triangles of its file, own frame; null: none
    std::vector<std::string> notes; // for the log: element quality, stiffness used
};

struct BuildResult : BuildReport {
    BuiltWorld built; // complete only when there are no faults
};

/// Opens the files that a scene names (relative to `folder`), meshes its primitives, resolves its names. All faults at
/// once. `grid_cache`: where sampled level sets are kept; empty: nowhere.
BuildResult build_world(
    const Scene& scene, const std::filesystem::path& folder, const std::filesystem::path& grid_cache = {});

/// Files that a scene names, relative to its folder, each once.
std::vector<std::string> input_files(const Scene& scene);

} // namespace stickslip
