#pragma once

#include "stickslip/geometry/mesh/tet_mesh.h"
#include "stickslip/geometry/solids/primitives.h"

namespace stickslip {

/// A primitive filled with tetrahedra of edge length near resolution [m]: nodes of curved boundaries lie exactly on
/// them, so that the volume converges to the exact one at second order. The same input gives the same mesh, bit for bit
/// where libm does.
///
/// Box: round(size / resolution) cells an edge, at least one; no node but the corners of cells. Each cell is cut into
/// five tetrahedra, one
///   regular and four corners (mean ratio 1 and 0.84, against 0.76 for six Kuhn tetrahedra), mirrored from cell to
///   cell. The pattern is the same along x, y and z; with an even number of cells along an axis it is its own mirror
///   image there, which no cut without a node inside can be for an odd number: faces are cut along one diagonal.
/// Sphere: shells of radius k radius/n, n = round(radius / resolution), cut out of an icosahedron; 20 n^3 tetrahedra.
/// Cylinder: layers of triangular prisms over rings of 6 k nodes, each prism cut into three; turned over from layer to
/// layer. Capsule: such a cylinder between two half spheres (half cuboctahedra refined like the sphere, which meet the
/// rings node by node). Torus: the disc of the cylinder carried around; edges are shorter by up to (major -
/// minor)/major on the side of the hole and longer
///   by (major + minor)/major outside.
/// A box or cylinder much thinner than resolution has flat elements: one cell across it.
///
/// Mean ratio of the worst element for radius/1 .. radius/10: sphere 0.77, cylinder 0.68, capsule 0.66, torus 2.5:1
/// 0.63, torus 1.5:1 0.44; smallest dihedral angle 13 degrees (torus 1.5:1), 22 for the others (test
/// TetShapes.AreOfGoodQualityAtEverySize prints the table).
///
/// Errors: InputError for a plane (it has no volume), a cone (not yet), sizes or resolution that are not finite and >
/// 0, a torus without a hole (minor >= major), or more than 20 million tetrahedra.
TetMesh tetrahedralize(const Primitive& shape, double resolution);

} // namespace stickslip
