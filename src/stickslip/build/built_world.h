#pragma once

#include "stickslip/build/build_report.h"
#include "stickslip/contact/contact_blocks.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/dem/succession.h"
#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/scene/scene.h"
#include "stickslip/world/time_step.h"
#include "stickslip/world/world.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// Index of a body of the scene in the world.
struct BodyHandle {
    BodyKind kind;
    int index; // into World::deformables.bodies, rigids, obstacles or mpm.bodies; of spheres: BuiltGranular::sets,
               // world.walls
};

/// The number of a body among those that may touch (contact_law.h), and its name.
int contact_body(const World& world, const BodyHandle& body);
const std::string& contact_body_name(const World& world, int body);

/// The point of a contact as reports number it: node (of a quadrature point, the nearest) of a deformable body's mesh,
/// else sample or ball. Of a sharp edge, the vertex where it begins.
int point_number(const World& world, const Contact& contact);

/// The spheres of one body, or its clumps: those of one group.
struct SphereSet {
    std::string name;
    int body; // of the scene
    int material;
    int clump = -1; // of world.clumps: what it is made of; -1: spheres by themselves
    double reach = 0; // [m] radius of the ball around the centre of mass that holds a clump
};

/// A rigid body of the scene.
struct GranularRigid {
    int scene_body;
    int body; // of world.bodies
    int wall; // of world.walls; -1: a ball, which is a sphere of the system
};

/// A scene of spheres made ready to run.
struct BuiltGranular {
    GranularWorld world; // dt as it will be; walls in the order of the scene's obstacles and rigid bodies
    std::vector<Grain> grains; // set by set
    std::vector<SphereSet> sets; // by group
    std::vector<GranularRigid> rigids; // in the order of the scene
    std::vector<int> wall_body; // of the scene, by wall
    std::shared_ptr<const GranularState> earlier; // of the run to start from, for its contacts; null: there is none
    Succession successors; // of its spheres and walls
    double stability_limit = infinity; // [s] of the time step, about
};

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

} // namespace stickslip
