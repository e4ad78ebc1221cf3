#pragma once

#include "stickslip/contact/meshes/patch_view.h"

namespace stickslip {

/// Foot of a point Z on a smooth patch, along the normals that are interpolated over its facets:
///     Z = sum w_i P_i - d sum w_i N_i         sum w_i = 1
struct MeshFoot {
    int facet = -1; // -1: none, as of points far from a curved surface
    Vec3 w; // [-] barycentric; some negative beyond a rim or a crease
    double d; // [m] along the interpolated normal, which is shorter than 1; positive behind the surface
    Mat3 inverse; // of J = d(right side)/d(w_0, w_1, d): what moves Z or a corner moves w_0, w_1 and d
};

/// Starts on facet `start` and goes from facet to facet of its patch until the foot lies within, or beyond rims and
/// creases alone. A foot that lies beyond other facets, or behind the focus of its own, is none: then the foot in the
/// middle of `start` is followed as its place goes straight to Z. None where that leads to an end.
MeshFoot find_foot(const PatchView& surface, const Vec3& Z, int start);

} // namespace stickslip
