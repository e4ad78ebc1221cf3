#pragma once

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/build/built_world.h"
#include "stickslip/geometry/mesh/mass_properties.h"
#include "stickslip/world/reach.h"

#include <string>
#include <vector>

namespace stickslip {

/// A free rigid body as the scene says it, but for its samples. `unit`: of density 1, in the solid's frame.
RigidBody make_rigid(const BodySettings& body, const LevelSet& solid, const MassProperties& unit, double density);

/// Initial state. The accelerations, guesses of those of the first step, are those of free fall.
RigidState initial_rigid(const RigidBody& rigid, const BodySettings& body, const Vec3& gravity);

/// Distance [m] of the points of sharp edges: no more than half the width of what may lie across them, so that it does
/// not slip between two, nor an eighth of that of what has a round side, but at least a 64th of the longest edge.
double edge_spacing(double longest, double others, double of_round);
/// Edge length [m] that a cylinder, cone, capsule, sphere or torus is triangulated with for its points.
double curved_resolution(const Primitive& shape);

/// Points of a body's surface from `centre`, by its `sample` or this spacing; none of a shape without a bounded
/// one. without_rims: not those on circles, which the implicit contact treats by themselves. InputError: too many.
std::vector<SurfaceSample> sample_surface(
    const BodySettings& body, const TriMesh* mesh, const Vec3& centre, const SampleSpacing& spacing, bool without_rims);

/// Gives rigid bodies and bounded obstacles the points by which their surfaces enter other bodies; nothing unless there
/// is a rigid body that could meet them. The spacing is BodySettings::sample, or
///     max( longest edge of the body's bounding box / 8,  half the smallest middle edge of a body's that it may meet )
/// on faces, which the corners of smaller bodies meet; on sharp edges the latter alone, but at least a 64th of the
/// longest edge, so that what is half as wide as a neighbour does not slip between two points of an edge. The vertices
/// of a curved shape are its points: triangulated with edges of BodySettings::sample, or a quarter of its radius
/// (torus: half that of its tube).
struct SampleFault {
    std::size_t body; // of the scene
    std::string message; // these would be too many
};
std::vector<SampleFault> add_samples(const Scene& scene, const Reach& reach, BuiltWorld& built);

/// Gives solids the points by which they meet deformable bodies, where there are any: their vertices, and points on
/// their edges half an element of the finest deformable body apart, at least a 64th of their longest edge. None on
/// faces and round sides, which its nodes meet: a second set of points there would hold what rolls; what is thin and
/// round has balls within instead (inner_balls). None to belts and to what has no bounded surface. To open meshes the
/// vertices where they are folded.
std::vector<SampleFault> add_patch_points(const Scene& scene, BuiltWorld& built);

/// For warnings: the bodies that an open mesh does not hold up, families as one: "pill", "brick". Spheres and clumps
/// are held.
std::string bodies_through_open_meshes(const Scene& scene);
/// In implicit runs: what has circles. Nodes, vertices of boxes and meshes, and balls are held.
std::string bodies_through_sheets(const Scene& scene);

/// For the log: mass, inertia, points. Equal copies in a row share a line.
std::vector<std::string> describe(const std::vector<RigidBody>& rigids);

} // namespace stickslip
