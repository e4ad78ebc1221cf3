#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/geometry/tri_mesh.h"

namespace stickslip {

/// Point side of a solid with a closed surface: its vertices, and points between them on edges and faces wherever these
/// are longer than `spacing` [m] (infinite: vertices alone). Vertices first, in the mesh's order; a point that edges of
/// coplanar triangles share is no feature of the shape but is sampled all the same.
///
/// Weights: with the area a_i that goes to each sample and the whole surface S, a sample in between has 8 a_i/S, a
/// vertex the same but at least 0.1 and, on a surface of up to 8 vertices, 1. So the samples of a face together are as
/// stiff as the vertices of a box's face, however many there are. `centre`: of mass, subtracted. A sample has a normal
/// where the triangles around it turn by less than 20 degrees.
std::vector<SurfaceSample> surface_samples(const TriMesh& mesh, double spacing, const Vec3& centre);

} // namespace stickslip
