#pragma once

#include "stickslip/contact/relax/placed_surface.h"

namespace stickslip {

/// Whether Z is behind the surface, as the edge where its attachment rests sees it: in the wedge of its two facets,
/// continued beyond their other sides. Where Z is behind one facet only, a concave edge has it inside.
/// Pre: an internal edge. Paper: Alg 12 INSIDE_EDGE
bool inside_edge(const PlacedSurface& surface, int edge, const Vec3& Z);

/// The same of a vertex, where that is the nearest place of its facets: by the mean normal weighted by angles, which
/// unlike the source's solid angle counts Z on the vertex itself as inside, and serves open fans (docs/errata.md#mesh).
/// Paper: Alg 12 INSIDE_VERTEX
bool inside_vertex(const PlacedSurface& surface, int vertex, const Vec3& Z);

/// Mean outward normals: unit, those of a vertex weighted by angles; zero where they cancel.
Vec3 outward_of_edge(const PlacedSurface& surface, int edge);
Vec3 outward_of_vertex(const PlacedSurface& surface, int vertex);

} // namespace stickslip
