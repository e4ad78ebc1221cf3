#pragma once

#include "stickslip/geometry/queries/triangulated_surface.h"

#include "support/numeric.h"

namespace stickslip {

constexpr double ball_radius = 0.1; // [m] of the ball

/// A place outside from which a ball touches the feature of a facet, `depth` deep, its nearest points elsewhere or not.
inline Vec3 over_feature(
    const TriangulatedSurface& surface, int facet, TriangleFeature kind, double depth, Random& random)
{
    const EdgeTopology& t = surface.topology;
    const auto& [a, b, c] = t.facets[facet];
    const double u = random.uniform(0.2, 0.4), w = random.uniform(0.2, 0.4);
    if (kind == TriangleFeature::face)
        return u * t.positions[a] + w * t.positions[b] + (1 - u - w) * t.positions[c]
            + (ball_radius - depth) * t.orientation[facet] * t.normals[facet];
    if (kind == TriangleFeature::edge)
        return u * t.positions[a] + (1 - u) * t.positions[b]
            + (ball_radius - depth) * t.edge_normal(t.facet_edges[facet][0]);
    return t.positions[a] + (ball_radius - depth) * t.vertex_normal(a);
}

/// All rules in turn, the default most often.
inline EdgeRule rule_of(int trial)
{
    return trial % 7 == 0 ? EdgeRule::raw : trial % 7 < 3 ? EdgeRule::zones : EdgeRule::smooth;
}

} // namespace stickslip
