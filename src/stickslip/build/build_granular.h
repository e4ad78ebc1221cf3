#pragma once

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

struct BuildResult;

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

/// Fills result.built.granular, its handles, surfaces and notes. All faults at once. earlier: the run that the scene
/// starts from, or null.
void build_granular(const Scene& scene, const std::filesystem::path& folder, const EarlierRun* earlier,
    BodySurfaces& surfaces, BuildResult& result);

} // namespace stickslip
