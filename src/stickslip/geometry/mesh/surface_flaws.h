#pragma once

#include "stickslip/geometry/mesh/edge_topology.h"

#include <string>
#include <vector>

namespace stickslip {

/// What of a triangulated surface is probably not meant, though balls can meet it: how many edges, with the first one's
/// facets, and what would mend it. One text each; empty if nothing.
///   seams that are nearly closed: edges of one facet whose ends lie near those of another such edge, within a tenth of
///     their length and 1 % of the surface's size, but too far apart to be joined
///   folds: facets that lie on their neighbour, folded back by more than 179 degrees
std::vector<std::string> find_flaws(const EdgeTopology& surface);

} // namespace stickslip
