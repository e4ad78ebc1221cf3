#pragma once

#include "stickslip/contact/relax/relax_mesh.h"

#include <span>
#include <vector>

namespace stickslip {

/// Of an attachment's place and barycentric weights: a differential, or what both are multiplied with in a product.
struct AttachmentMotion {
    Vec3 Y; // [m]
    Vec3 w; // [-]
};

/// Derivatives of the attachment that a walk came to, along its path: by Z, by each vertex that it depends on and by
/// the attachment X that it began with.
///   dY = dY_dZ dZ + sum_v dY_dx dx_v + dY_dX dX        dw likewise, sum of dw = 0
/// dX: over its facet, beside the motion of that; 0 of an attachment that is kept. Blocks for assembly; the products
/// are made of them.
struct WalkDerivative {
    struct ByVertex {
        int vertex;
        Mat3 dY; // [-]
        Mat3 dw; // [1/m]
    };

    Mat3 dY_dZ, dY_dX; // [-]
    Mat3 dw_dZ, dw_dX; // [1/m]
    std::vector<ByVertex> by_vertices; // each once; the corners of the last facet come first

    /// The differential along dZ and that of the vertices of the mesh, by their numbers [m]; dX = 0.
    AttachmentMotion times(const Vec3& dZ, std::span<const Vec3> dx) const;

    /// The transposed product: adds to dZ and to the entries of the vertices.
    void add_transposed(const AttachmentMotion& y, Vec3& dZ, std::span<Vec3> dx) const;
};

/// `result`: replaced, its storage reused. `relaxed` and `path` are what relax_mesh made of `walk`. The walk is
/// differentiated where its features stay the same; backwards, as far as Y depends on what was before: no farther than
/// to the last edge, vertex or, without friction, facet.
void differentiate(const PlacedSurface& surface, const MeshWalk& walk, const MeshRelaxation& relaxed,
    std::span<const WalkStep> path, WalkDerivative& result);

} // namespace stickslip
