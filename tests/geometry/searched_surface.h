#pragma once

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/queries/box_tree.h"
#include "stickslip/geometry/queries/contact_shares.h"
#include "stickslip/geometry/queries/sphere_surface_contacts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace stickslip {

/// A surface with what finds its candidates.
struct SearchedSurface {
    explicit SearchedSurface(const TriMesh& mesh_in, const EdgeTopologyOptions& options = {})
        : mesh(mesh_in)
        , topology(mesh_in, options)
    {
        std::vector<Bounds> boxes(mesh.triangles.size());
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            for (int v : mesh.triangles[t])
                boxes[t].add(mesh.vertices[v]);
        }
        tree = BoxTree(boxes);
    }

    const std::vector<SphereSurfaceContact>& contacts(const Vec3& centre, double radius)
    {
        candidates.clear();
        const Vec3 half = Vec3::Constant(radius);
        tree.visit_overlapping(
            {.min = centre - half, .max = centre + half}, [&](int facet) { candidates.push_back(facet); });
        std::sort(candidates.begin(), candidates.end());
        find_sphere_surface_contacts(topology, candidates, centre, radius, EdgeRule::smooth, found);
        return found;
    }

    /// Over the stiffness [m]; `energy`, if not null, too [m^2].
    Vec3 force(const Vec3& centre, double radius, double* energy = nullptr)
    {
        touching.clear();
        for (const SphereSurfaceContact& contact : contacts(centre, radius))
            touching.push_back({contact.n, contact.overlap});
        shares.find(touching);
        Vec3 sum = Vec3::Zero();
        double stored = 0;
        for (const Touching& contact : touching) {
            sum += contact.push * contact.n;
            stored += contact.push * contact.depth / 2;
        }
        if (energy)
            *energy = stored;
        return sum;
    }

    TriMesh mesh;
    EdgeTopology topology;
    BoxTree tree;
    std::vector<Touching> touching;
    ContactShares shares;
    std::vector<int> candidates;
    std::vector<SphereSurfaceContact> found;
};

/// A square of side 2 as a grid, cut along random diagonals, with random heights, holes and windings.
inline TriMesh ragged_terrain(unsigned seed, double roughness)
{
    RandomPoints random(seed);
    TriMesh mesh;
    const int n = 9;
    for (int i = 0; i < n * n; ++i) {
        const double x = 2.0 * (i % n) / (n - 1) - 1, y = 2.0 * (i / n) / (n - 1) - 1;
        mesh.vertices.emplace_back(x, y, roughness * random.number(-1, 1));
    }
    for (int i = 0; i + 1 < n; ++i) {
        for (int j = 0; j + 1 < n; ++j) {
            const int a = i * n + j, b = a + 1, c = a + n, d = c + 1;
            std::array<Triangle, 2> pair = {{{a, b, d}, {a, d, c}}};
            if (random.number(0, 1) < 0.5)
                pair = {{{a, b, c}, {b, d, c}}};
            for (Triangle& t : pair) {
                if (random.number(0, 1) < 0.3)
                    std::swap(t[0], t[1]);
                if (random.number(0, 1) < 0.9)
                    mesh.triangles.push_back(t);
            }
        }
    }
    return mesh;
}

/// Random triangles over few vertices: edges of many facets, vertices of many fans, facets that cut one another.
inline TriMesh tangle(unsigned seed)
{
    RandomPoints random(seed);
    TriMesh mesh;
    for (int v = 0; v < 12; ++v)
        mesh.vertices.push_back(random.in_cube(1));
    std::set<Triangle> taken;
    while (mesh.triangles.size() < 25) {
        const auto vertex = [&] { return std::min(static_cast<int>(random.number(0, 12)), 11); };
        Triangle t = {vertex(), vertex(), vertex()};
        Triangle key = t;
        std::sort(key.begin(), key.end());
        if (key[0] != key[1] && key[1] != key[2] && taken.insert(key).second)
            mesh.triangles.push_back(t);
    }
    return mesh;
}

/// Closed, open, rough, smooth, branching; each within a cube of half width 1.1.
inline std::map<std::string, TriMesh> all_meshes()
{
    return {{"cube", cube_mesh(1)}, {"sphere", sphere_mesh(0.8, 2)}, {"spikes", spiky_mesh(2)},
        {"torus", torus_mesh(0.7, 0.3, 12, 8)}, {"terrain", ragged_terrain(1, 0.1)},
        {"gentle terrain", ragged_terrain(2, 0.01)}, {"tangle", tangle(3)}, {"second tangle", tangle(4)}};
}

} // namespace stickslip
