#pragma once

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/build/body_surfaces.h"
#include "stickslip/build/built_world.h"

#include <vector>

namespace stickslip {

/// How closely the points are spaced by which bodies and obstacles of an explicit run meet each other. On faces at most
/// an eighth of the longest edge; on sharp edges by edge_spacing() of the bodies that each may meet, as in implicit
/// runs. These feel crossing edges by themselves, too; here only points do. More points on edges than that are no
/// remedy: those of flush faces lie on each other's rims, where they feel nothing, and leave the less weight to the
/// faces.
class PointSpacing {
public:
    /// Keeps references.
    PointSpacing(const Scene& scene, BodySurfaces& surfaces);

    SampleSpacing of(const BodySettings& body) const;

    /// Warns of bodies whose edges can cross those of others between two points of either.
    void warn_of_gaps(BuildResult& result) const;

private:
    struct Extent {
        double longest = infinity, middle = infinity,
               smallest = infinity; // [m] edges of the bounding box; infinite: none
        bool has_edges = false; // sharp ones, spaced by what is met
        bool has_round_side = false; // cylinder or cone
        double curved = 0; // [m] spacing of a curved shape
    };
    Extent extent_of(const BodySettings& body) const;
    bool may_meet(std::size_t a, std::size_t b) const;
    double gap(std::size_t body) const;

    const Scene& scene_;
    BodySurfaces& surfaces_;
    std::vector<Extent> extents_; // of each body
    std::vector<double> edges_; // [m] spacing on sharp edges
};

/// Warns of what is round and rolls but meets others by points: it rolls as over bumps.
void warn_of_bumps(const Scene& scene, BuildResult& result);

} // namespace stickslip
