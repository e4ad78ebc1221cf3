#include "stickslip/build/granular/granular_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

struct SphereSizes {
    double largest = 0, root_mean_square = 0; // [m] radii
};

/// Those at the start and the largest that come later.
SphereSizes sphere_sizes(const BuiltGranular& granular)
{
    SphereSizes sizes;
    double squares = 0;
    std::size_t count = 0;
    const auto add = [&](double radius) {
        sizes.largest = std::max(sizes.largest, radius);
        squares += radius * radius;
        ++count;
    };
    for (const Grain& grain : granular.grains)
        add(grain.radius);
    for (const GranularBody& body : granular.world.bodies)
        for (const RoundPoint& ball : body.is_clump ? body.rigid.rounds : std::vector<RoundPoint>{})
            add(ball.radius);
    if (granular.world.largest_radius > 0)
        add(granular.world.largest_radius);
    sizes.root_mean_square = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(count, 1)));
    return sizes;
}

/// Plates alone: a sphere slips round a wire before it goes through. Solids of bodies give way.
void warn_of_thin_plate(const GranularWall& wall, const BodySettings& body, double radius, BuildResult& result)
{
    const auto* solid = std::get_if<LevelSet>(&wall.shape);
    if (!solid || wall.body >= 0)
        return;
    const Bounds box = bounds(*solid);
    Vec3 side = box.max - box.min;
    std::sort(side.begin(), side.end());
    if (!(side[0] < radius && side[1] > radius))
        return;
    result.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
        "thinner than the radius of a sphere: " + short_number(side[0]) + " m, spheres of radius "
            + short_number(radius)
            + " m. A sphere whose centre passes the middle is pushed out on the far side. Use a mesh, which keeps "
              "track of the side, or make it thicker");
}

/// On average over the surface and the spheres, by the area of a disc as wide as a sphere.
void warn_of_fine_mesh(const GranularWall& wall, const BodySettings& body, double radius, BuildResult& result)
{
    constexpr double usual = 80; // facets to a sphere: edges of 0.3 radii
    const auto* mesh = std::get_if<WallTriangles>(&wall.shape);
    if (!mesh || std::holds_alternative<Torus>(body.shape)) // whose triangles are as large as can be
        return;
    const EdgeTopology& topology = (*mesh)->topology;
    double area = 0;
    std::size_t count = 0;
    for (std::size_t f = 0; f < topology.facets.size(); ++f) {
        if (topology.is_left_out(static_cast<int>(f)))
            continue;
        const auto& [a, b, c] = topology.facets[f];
        const std::vector<Vec3>& at = topology.positions;
        area += 0.5 * (at[b] - at[a]).cross(at[c] - at[a]).norm();
        ++count;
    }
    const double facets = std::numbers::pi * radius * radius * static_cast<double>(count) / area;
    if (!(facets > usual))
        return;
    const std::string advice = std::holds_alternative<LevelSetShape>(body.shape)
        ? "sample it at wider spacings"
        : "coarsen the mesh to edges of half a radius or longer";
    const double edge = std::sqrt(4 / std::sqrt(3.0) * area / static_cast<double>(count)) / radius;
    result.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
        "finer than necessary for spheres of radius " + short_number(radius) + " m: about "
            + short_number(std::round(facets)) + " facets per sphere, edges of about "
            + short_number(0.01 * std::round(100 * edge)) + " radii. This slows the run; " + advice);
}

} // namespace

void report_misfits(const Scene& scene, BuildResult& result)
{
    const BuiltGranular& granular = *result.built.granular;
    const SphereSizes sizes = sphere_sizes(granular);
    for (std::size_t w = 0; w < granular.world.walls.size(); ++w) {
        const BodySettings& body = scene.bodies[granular.wall_body[w]];
        warn_of_thin_plate(granular.world.walls[w], body, sizes.largest, result);
        warn_of_fine_mesh(granular.world.walls[w], body, sizes.root_mean_square, result);
    }
}

} // namespace stickslip
