#pragma once

#include "stickslip/geometry/solids/convex_polyhedron.h"
#include "stickslip/geometry/solids/grid_level_set.h"
#include "stickslip/geometry/solids/primitives.h"
#include "stickslip/math/types.h"

#include <memory>
#include <span>
#include <variant>

namespace stickslip {

/// Signed distance phi [m] (negative inside), its gradient n (outward) and Hessian [1/m] at one point.
///
/// n and the Hessian are exact derivatives of phi, always: W = U - phi n has dW/dU = I - n n^T - phi Hessian. For the
/// analytic solids n is unit. For a grid phi is an interpolant and n its plain gradient, unit only nearly (see
/// GridLevelSet): normalise a copy where a direction is wanted, never n inside W, or its derivative is wrong.
struct LevelSetSample {
    double phi;
    Vec3 n;
    Mat3 hessian;
};

/// A surface that encloses nothing, such as an open mesh: no point is inside, all are infinitely far from being so.
struct OpenSurface {
    Bounds box; // [m]
};

/// A solid with an exact signed distance: an analytic primitive or a convex polyhedron, or a grid sampled from a closed
/// mesh.
///
/// Near the rim of a box or a cylinder the nearest face of an interior point is not the one it came in by. A solid is
/// therefore the intersection of `patch_count` smooth pieces, phi = max over patches of phi_patch inside (box: 6 faces,
/// cylinder: side and two ends, cone: side and base, polyhedron: its faces, all others: one), and a contact remembers
/// the patch it entered by. Patches of boxes and cylinders meet at right angles, so that a point inside projects into
/// its patch, not beyond its rim; in a sharper rim it may project beyond, by its depth or so.
using LevelSet = std::variant<Plane, Box, RoundedBox, Sphere, Cylinder, Cone, Capsule, Torus,
    std::shared_ptr<const ConvexPolyhedron>, std::shared_ptr<const GridLevelSet>, OpenSurface>;

int patch_count(const LevelSet& solid);

/// The smooth function of one patch, defined everywhere: a plane for a face, the endless tube for a cylinder's side.
/// At a centre, axis or ring where the nearest point is not unique, n is one of the nearest directions (+x, or towards
/// +x) and stays unit; the Hessian, unbounded there, leaves out what is infinite.
LevelSetSample sample_patch(const LevelSet& solid, int patch, const Vec3& U);

/// phi_patch alone.
double patch_distance(const LevelSet& solid, int patch, const Vec3& U);

/// The patch with the largest phi_patch at U: the nearest one for a point inside.
int nearest_patch(const LevelSet& solid, const Vec3& U);

/// Exact signed distance to the whole solid, inside and outside (round about rims outside); infinite if it is open.
double signed_distance(const LevelSet& solid, const Vec3& U);

/// Exact distance, normal and Hessian of the whole solid. On the medial axis inside: those of nearest_patch.
LevelSetSample sample(const LevelSet& solid, const Vec3& U);

/// Where the curvature of the whole solid's distance jumps, wherever this is greater than -depth: at the planes U_i =
/// +-half_i, outside of which the nearest point lies on an edge or a cap of the solid and between which it does not;
/// beyond the flat round ends at y = -place and, where there are two, y = place, at the cylinder about y through their
/// edges; beyond the faces of polyhedra and of triangles, at the planes through their edges across the face.
struct Seams {
    Vec3 half = Vec3::Constant(infinity); // [m] infinite: none
    double depth = 0; // [m]
    int round_ends = 0;
    double radius = 0, place = 0; // [m] of these
    std::span<const FaceEdge> edges = {}; // kept by the solid
    std::span<const InnerEdge> inner = {}; // at the planes through these the gradient jumps
    double least = 0; // [m] distance from which on the edges are felt: nearer a sampled one is smooth
};
Seams seams(const LevelSet& solid);

/// Box around the solid in its own frame: every U with phi(U) < 0 lies within. Infinite for a plane.
Bounds bounds(const LevelSet& solid);

} // namespace stickslip
