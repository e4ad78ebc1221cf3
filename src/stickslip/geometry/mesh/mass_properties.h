#pragma once

#include "stickslip/geometry/mesh/tri_mesh.h"
#include "stickslip/geometry/solids/primitives.h"

namespace stickslip {

/// Of a solid of density 1 in its own frame. Multiply volume and inertia by the density [kg/m^3].
struct MassProperties {
    double volume = 0; // [m^3]
    Vec3 centre = Vec3::Zero(); // [m] of mass
    Mat3 inertia = Mat3::Zero(); // [m^5] about the centre, axes of the frame: integral |r|^2 I - r r^T
};

/// Exact. Error: InputError for a plane, which has no volume.
MassProperties mass_properties(const Primitive& shape);

/// Exact integrals over the solid that a closed surface encloses (divergence theorem). Pre: no defects, not inside out.
MassProperties mass_properties(const TriMesh& mesh);

} // namespace stickslip
