#pragma once

#include "stickslip/bodies/rigid_body.h"
#include "stickslip/geometry/mesh/tri_mesh.h"

namespace stickslip {

/// Largest distances between samples.
struct SampleSpacing {
    double faces; // [m]
    double edges; // [m] that turn by more than 20 degrees: other bodies lie on them, and tip over them
};

/// Point side of a solid with a closed surface: its vertices, and points between them on edges and faces wherever these
/// are longer than `spacing` (infinite: vertices alone). Vertices first, in the mesh's order; a point that edges of
/// coplanar triangles share is no feature of the shape but is sampled all the same.
///
/// Weights: with the area a_i that goes to each sample and the whole surface S, a sample in between has 8 a_i/S, a
/// vertex the same but at least 0.1 and, on a surface of up to 8 vertices, 1. So the samples of a face together are as
/// stiff as the vertices of a box's face, however many there are. `centre`: of mass, subtracted. A sample is flat
/// where the triangles around it turn by less than 20 degrees.
std::vector<SurfaceSample> surface_samples(const TriMesh& mesh, const SampleSpacing& spacing, const Vec3& centre);

/// Unit, of a sum of unit directions; zero where they cancel.
inline Vec3 mean_direction(const Vec3& sum)
{
    constexpr double cancelled = 1e-6; // [-] more than round-off
    return sum.norm() > cancelled ? Vec3(sum.normalized()) : Vec3(Vec3::Zero());
}

inline std::vector<SurfaceSample> surface_samples(const TriMesh& mesh, double spacing, const Vec3& centre)
{
    return surface_samples(mesh, SampleSpacing{spacing, spacing}, centre);
}

/// Weighs the points of an obstacle with surface `area` [m^2], whose edges have one every `spacing` [m], by the bodies
/// it is to hold rather than by its own size: of face as much as the whole surface of a cube with this edge [m] has
/// there is 8 in all, and of edge as long as the cube 2, as on its own face and edge. No point weighs more than a
/// corner: 1, and none less than it did.
void weigh_for_cubes(std::vector<SurfaceSample>& samples, double area, double spacing, double cube);

} // namespace stickslip
