#include "stickslip/dem/walls/wall_overlap.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

double wall_overlap(const GranularWall& wall, const Frame& frame, const SpherePlace& sphere)
{
    const Vec3 x = frame.to_local(sphere.x);
    if (const auto* solid = std::get_if<LevelSet>(&wall.shape))
        return sphere.radius - signed_distance(*solid, x);
    if (wall.is_solid && signed_distance(*wall.inside, x) < 0)
        return sphere.radius - signed_distance(*wall.inside, x);
    const TriangulatedSurface& surface = *std::get<WallTriangles>(wall.shape);
    const EdgeTopology& topology = surface.topology;
    const Vec3 reach = Vec3::Constant(sphere.radius);
    double squared = infinity;
    surface.tree.visit_overlapping({x - reach, x + reach}, [&](int facet) {
        if (topology.is_left_out(facet))
            return;
        const auto& [a, b, c] = topology.facets[facet];
        const std::vector<Vec3>& at = topology.positions;
        squared = std::min(squared, (closest_point_on_triangle(x, at[a], at[b], at[c]).point - x).squaredNorm());
    });
    return sphere.radius - std::sqrt(squared);
}

std::vector<Frame> wall_frames_at_start(const GranularWorld& world)
{
    std::vector<Frame> frames;
    for (const GranularWall& wall : world.walls) {
        if (wall.body < 0) {
            frames.push_back(frame_at(wall.motion, wall.start, world.start_time));
            continue;
        }
        const GranularBody& body = world.bodies[wall.body];
        frames.push_back(solid_frame(body.rigid, body.start.x, body.start.R.toRotationMatrix()));
    }
    return frames;
}

} // namespace stickslip
