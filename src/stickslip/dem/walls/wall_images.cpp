#include "stickslip/dem/walls/wall_images.h"

#include "stickslip/dem/walls/walls.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {

namespace {

Vec3 centre_of_mass(const GranularWorld& world, const GranularWall& wall, const Frame& frame)
{
    return frame.to_world(world.bodies[wall.body].rigid.centre);
}

/// The rows of all parts, which share no sphere, in the order of the spheres.
NearWall joined(const std::vector<NearWall>& parts)
{
    struct Row {
        int sphere, part, entry;
    };
    std::vector<Row> rows;
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (std::size_t c = 0; c < parts[p].sphere.size(); ++c)
            rows.push_back({parts[p].sphere[c], static_cast<int>(p), static_cast<int>(c)});
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.sphere < b.sphere; });
    NearWall near;
    if (!parts.front().first_facet.empty())
        near.first_facet.push_back(0);
    for (const Row& row : rows) {
        const NearWall& part = parts[row.part];
        near.sphere.push_back(row.sphere);
        if (near.first_facet.empty())
            continue;
        const std::span<const int> facets = part.facets(row.entry);
        near.facet.insert(near.facet.end(), facets.begin(), facets.end());
        near.first_facet.push_back(static_cast<int>(near.facet.size()));
    }
    return near;
}

} // namespace

Vec3 image_at_wall(const GranularWorld& world, const GranularWall& wall, const Frame& frame, const Vec3& x)
{
    return wall.body < 0 ? x : world.box.nearest(x, centre_of_mass(world, wall, frame));
}

NearWall near_wall_images(const GranularWorld& world, const GranularWall& wall, const Frame& frame,
    const Spheres& spheres, const SphereBlocks& blocks, double margin)
{
    if (wall.body < 0 || !world.box.any())
        return near_wall(wall, frame, spheres, blocks, margin);
    const Vec3 centre = centre_of_mass(world, wall, frame);
    const Vec3 into_box = world.box.wrapped(centre) - centre;
    std::vector<NearWall> parts;
    for (int image = 0; image < 27; ++image) {
        const Vec3 boxes(image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1);
        Vec3 shift = into_box;
        bool exists = true;
        for (int axis = 0; axis < 3; ++axis) {
            if (std::isfinite(world.box.size[axis]))
                shift[axis] += boxes[axis] * world.box.size[axis];
            else
                exists = exists && boxes[axis] == 0;
        }
        if (exists)
            parts.push_back(near_wall(wall, {frame.x + shift, frame.R}, spheres, blocks, margin));
    }
    return joined(parts);
}

double reach_of_body(const GranularWorld& world, const GranularWall& wall)
{
    return farthest_from(world.bodies[wall.body].rigid.centre, bounds(wall));
}

double periodic_range(const GranularWorld& world, const GranularWall& wall, double largest_radius)
{
    double largest = largest_radius;
    for (const GranularWall& other : world.walls)
        for (const SurfacePoint& point : other.points)
            largest = std::max(largest, point.radius);
    return reach_of_body(world, wall) + largest;
}

} // namespace stickslip
