#pragma once

#include "stickslip/contact/detect/contact_bodies.h"
#include "stickslip/contact/edges/axis_crossing.h"
#include "stickslip/geometry/queries/triangulated_surface.h"

#include <vector>

namespace stickslip {

/// What triangles present to a round side that lies across them: their edges that are convex, of a sheet from one of
/// its sides, and turn by more than 5 degrees. Beside flatter ones the circles of the side hold it.
struct MeshTubes {
    std::vector<Tube> tubes;
    std::vector<int> of_edge; // number of the tube for each edge of the surface, or -1
};
MeshTubes mesh_tubes(const EdgeTopology& surface, bool is_sheet);

/// The box around a round side at two poses of its own frame.
Bounds way_of(const RoundSide& side, const Frame& old, const Frame& pose);

/// Numbers of the tubes that are near a round side, ascending. old, pose: of the side's own frame in that of the
/// triangles, at the start of the step and as predicted, or solved, for its end.
std::vector<int> tubes_near(const TriangulatedSurface& surface, const MeshTubes& tubes, const RoundSide& side,
    const Frame& old, const Frame& pose);

/// Distance [m] of x from the surface: of a solid negative inside.
double distance_from(const TriangulatedSurface& surface, bool is_sheet, const Vec3& x);

/// From what contact meets of a body that keeps its shape. Not beyond the life of `bodies`.
DistanceToSolid distance_to(const ContactBodies& bodies, int body);

} // namespace stickslip
