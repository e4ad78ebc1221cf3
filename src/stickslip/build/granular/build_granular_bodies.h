#pragma once

#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/built_world.h"
#include "stickslip/build/granular/point_spacing.h"
#include "stickslip/build/restart/granular_start.h"

#include <vector>

namespace stickslip {

/// A clump at the origin, its centre of mass there; and of density 1.
struct ClumpShape {
    GranularBody body; // of this density
    double volume = 0; // [m^3] that its balls fill together
    double reach = 0; // [m] radius of the ball around its centre of mass that holds it
};
ClumpShape make_clump(const ClumpSettings& clump, double density);

/// The first `count` orientations of a seed, any alike; the same on every machine.
std::vector<Quat> random_orientations(int seed, std::size_t count);

/// A free rigid body of the scene into the world, its handle, surface and notes. A sphere becomes a clump of one ball.
/// InputError as BodySurfaces.
void add_granular_rigid(const Scene& scene, int index, int material, GranularStart& start, BodySurfaces& surfaces,
    const PointSpacing& spacing, BuildResult& result);

/// Initial states of clumps whose centres of mass are at these places of the body's own frame.
std::vector<RigidState> clump_places(const BodySettings& body, const std::vector<Vec3>& places);

/// Makes a set one of clumps: their kind into the world.
void add_clump_kind(const Scene& scene, int group, double density, BuildResult& result);

/// Clumps of a set that begin so, and a note.
std::vector<GranularBody> make_clumps(const SphereSet& set, const std::vector<RigidState>& starts, BuildResult& result);

/// Gives an obstacle what rigid bodies meet: its inside where its shape is a mesh, and points of its own; nothing where
/// there is none that meets solids by points. mesh: its triangles, or null.
void let_meet_rigid(const Scene& scene, const BodySettings& body, const TriMesh* mesh, BodySurfaces& surfaces,
    const PointSpacing& spacing, GranularWall& wall, BuildResult& result);

} // namespace stickslip
