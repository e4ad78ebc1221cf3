#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"

#include <string>
#include <vector>

namespace stickslip {

/// Flaws of a triangulated surface that are probably not meant, though balls can meet it: the number of edges, the
/// facets of the first one, and the remedy. One text each; empty if there is none.
///   seams that are nearly closed: edges of one facet whose ends lie near those of another such edge, within a tenth of
///     their length and 1 % of the surface's size, but too far apart to be joined
///   folds: facets that lie on their neighbour, folded back by more than 179 degrees
std::vector<std::string> find_flaws(const EdgeTopology& surface);

} // namespace stickslip
