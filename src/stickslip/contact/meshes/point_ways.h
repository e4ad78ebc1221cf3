#pragma once

#include "stickslip/contact/meshes/mesh_surfaces.h"
#include "stickslip/contact/meshes/patch_entry.h"

#include <vector>

namespace stickslip {

/// The points of a body that may meet patches of another: of deformable bodies its quadrature points, material points
/// or patch points; of triangles that keep their shape its nodes or vertices.
struct PointsOnPatches {
    int first, count;
};
PointsOnPatches points_on_patches(const ContactBodies& bodies, const CandidatePair& pair);

/// [m] How much farther than a quarter of an edge what keeps its shape may get from its predicted way: PointWay::stray.
inline double stray(const StepStart& start)
{
    return 2 * start.fall();
}

/// Way of such a point in the step, in the frame of what keeps its shape.
PointWay point_way(const ContactBodies& bodies, const StepStart& start, const MeshSurfaces& surfaces,
    const CandidatePair& pair, int point);

/// Pairs of bodies whose points may meet patches in the step: those whose ways meet, and those that hold attachments.
/// Sorted.
std::vector<CandidatePair> pairs_with_patches(
    const ContactBodies& bodies, const StepStart& start, const MeshSurfaces& surfaces);

/// Triangle of a quadrature point, by the nodes of the world.
inline const Triangle& triangle_of(const DeformableSet& set, int body, const FacetSample& sample)
{
    return set.triangles[set.bodies[body].triangles.begin + sample.facet];
}

} // namespace stickslip
