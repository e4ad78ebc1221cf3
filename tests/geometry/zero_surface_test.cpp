#include "stickslip/geometry/solids/zero_surface.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/mesh/edge_topology.h"
#include "stickslip/geometry/mesh/surface_flaws.h"
#include "stickslip/geometry/queries/mesh_distance.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::zero_surface_test {
namespace {

/// Farthest from the mesh that was sampled, vertices and middles of triangles [m].
double farthest_from(const TriMesh& mesh, const TriMesh& surface)
{
    const MeshDistance exact(mesh);
    double farthest = 0;
    const auto look = [&](const Vec3& x) { farthest = std::max(farthest, std::abs(exact.sample(x).phi)); };
    for (const Vec3& x : surface.vertices)
        look(x);
    for (const auto& [a, b, c] : surface.triangles)
        look((surface.vertices[a] + surface.vertices[b] + surface.vertices[c]) / 3);
    return farthest;
}

TEST(ZeroSurface, IsClosedAndThatOfTheMeshThatWasSampled)
{
    struct Case {
        const char* name;
        TriMesh mesh;
        double cells; // how far off it may be
    };
    for (const Case& c : {Case{"sphere", sphere_mesh(0.8, 4), 0.07}, {"torus", torus_mesh(0.7, 0.3, 120, 60), 0.07},
             {"cube", cube_mesh(1), 0.4}}) {
        SCOPED_TRACE(c.name);
        const auto grid = build_grid_level_set(c.mesh);
        const TriMesh surface = zero_surface(*grid);
        EXPECT_TRUE(is_closed(surface.triangles));
        EXPECT_NEAR(enclosed_volume(surface), enclosed_volume(c.mesh), 0.01 * enclosed_volume(c.mesh)); // outward too
        EXPECT_LT(farthest_from(c.mesh, surface), c.cells * grid->spacing());
        double off = 0;
        for (const Vec3& x : surface.vertices)
            off = std::max(off, std::abs(grid->distance(x)));
        EXPECT_LT(off, 1e-3 * grid->spacing());
        const EdgeTopology topology(surface, {.weld_tolerance = -1});
        EXPECT_TRUE(topology.defects.empty());
        EXPECT_TRUE(find_flaws(topology).empty());
    }
}

/// A cube whose faces lie in planes of nodes, where the sign of the distance is noise.
TEST(ZeroSurface, HasOneLayerWhereFacesLieInTheGrid)
{
    const auto grid = build_grid_level_set(cube_mesh(1), {.spacing = 1.0 / 32});
    const TriMesh surface = zero_surface(*grid);
    EXPECT_NEAR(static_cast<double>(surface.triangles.size()), 6 * 2 * 32 * 32, 0.15 * 6 * 2 * 32 * 32);
}

TEST(ZeroSurface, IsEmptyWhereThereIsNone)
{
    const GridLevelSet outside(
        {.key = "", .spacing = 1, .count = {8, 8, 8}, .values = std::vector<double>(512, 1.0), .solid = {}});
    EXPECT_TRUE(zero_surface(outside).triangles.empty());
}

} // namespace
} // namespace stickslip::zero_surface_test
