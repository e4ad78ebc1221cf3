#include "stickslip/build/granular/narrow_holes.h"

#include "stickslip/build/body_surfaces.h"
#include "stickslip/dem/pairs/touch_table.h"
#include "stickslip/geometry/mesh/surface_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double sagitta = 1e-3; // [-] of the smallest sphere's radius: how far triangles may be off the torus
constexpr double most_drawn = 1e6; // some 500 MB

struct Radii {
    double smallest = infinity, largest = 0; // [m]
};

/// Of the spheres that touch a material, now or later.
Radii radii_that_touch(
    const GranularWorld& world, const std::vector<Grain>& spheres, const TouchTable& table, int material)
{
    Radii radii;
    const auto add = [&](double radius, int own) {
        if (!table.touch(own, material))
            return;
        radii.smallest = std::min(radii.smallest, radius);
        radii.largest = std::max(radii.largest, radius);
    };
    for (const Grain& sphere : spheres)
        add(sphere.radius, sphere.material);
    for (const std::vector<GranularBody>* bodies : {&world.bodies, &world.clumps})
        for (const GranularBody& body : *bodies)
            for (const RoundPoint& ball : body.is_clump ? body.rigid.rounds : std::vector<RoundPoint>{})
                add(ball.radius, body.material);
    if (radii.largest > 0)
        radii.largest = std::max(radii.largest, world.largest_radius);
    return radii;
}

/// Edges of triangles that are off by `most_off` [m] at most. The tube is bent more than the ring, also in the hole.
double edge_length(const Torus& torus, double most_off)
{
    const double half_turn = std::acos(std::max(1 - most_off / torus.minor, 0.5)); // of an edge about the tube
    return torus.minor / std::ceil(std::numbers::pi / (6 * half_turn)); // about the tube are 6 of these per radius
}

} // namespace

void stand_for_solid(std::shared_ptr<const TriangulatedSurface> triangles, const LevelSet& solid, GranularWall& wall)
{
    wall.shape = std::move(triangles);
    wall.inside = solid;
    wall.is_solid = true;
}

void triangulate_narrow_holes(const Scene& scene, const std::vector<Grain>& spheres, BuildResult& result)
{
    BuiltGranular& granular = *result.built.granular;
    const std::vector<PairLaw> laws = pair_laws(granular.world);
    const TouchTable table(laws);
    for (std::size_t w = 0; w < granular.world.walls.size(); ++w) {
        GranularWall& wall = granular.world.walls[w];
        const LevelSet* const solid = std::get_if<LevelSet>(&wall.shape);
        const Torus* const known = solid ? std::get_if<Torus>(solid) : nullptr;
        if (!known)
            continue;
        const Torus torus = *known;
        const Radii radii = radii_that_touch(granular.world, spheres, table, wall.material);
        const double hole = torus.major - torus.minor;
        if (!(radii.largest > hole))
            continue;
        const double edge = edge_length(torus, sagitta * radii.smallest);
        const double count = 24 * std::numbers::pi * torus.major * torus.minor / (edge * edge);
        if (count > most_drawn) {
            const BodySettings& body = scene.bodies[granular.wall_body[w]];
            result.warn(shape_position(body), "bodies." + body.name + "." + shape_key(body),
                "hole of radius " + short_number(hole) + " m, too narrow for spheres of radius "
                    + short_number(radii.largest)
                    + " m: one that lies in it is pushed from its nearest place alone, from side to side, and does not "
                      "come to rest; triangles that push from all sides would be some "
                    + short_number(count) + " for spheres of radius " + short_number(radii.smallest)
                    + " m: use a coarser mesh");
            continue;
        }
        const auto triangles = std::make_shared<const TriangulatedSurface>(
            triangulate(torus, edge), EdgeRule::smooth, EdgeTopologyOptions{.weld_tolerance = -1});
        stand_for_solid(triangles, torus, wall);
        result.built.notes.push_back(by_triangles(wall.name, *triangles) + ", within "
            + short_number(sagitta * radii.smallest) + " m of it: its hole is narrower than some of them");
    }
}

} // namespace stickslip
