#pragma once

#include "stickslip/contact/relax/walk_derivative.h"

#include "geometry/closed_meshes.h"
#include "support/numeric.h"
#include "support/terrain.h"

#include <memory>
#include <string>
#include <vector>

namespace stickslip {

/// A mesh to walk on, placed where it was made.
struct WalkMesh {
    std::string name;
    TriMesh mesh;
    EdgeTopology topology;
    double size; // [m] of an edge

    WalkMesh(std::string its_name, TriMesh its_mesh)
        : name(std::move(its_name))
        , mesh(std::move(its_mesh))
        , topology(mesh)
        , size(0)
    {
        for (const auto& [a, b] : topology.edges)
            size += (mesh.vertices[a] - mesh.vertices[b]).norm() / static_cast<double>(topology.edges.size());
    }
    WalkMesh(const WalkMesh&) = delete;

    PlacedSurface placed() const { return {topology, mesh.vertices}; }
    bool is_closed() const { return stickslip::is_closed(mesh.triangles); }
};

/// Random closed and open meshes: smooth, sharp, spiky, rough, with holes, with triangles wound at random, unwelded.
inline std::vector<std::unique_ptr<WalkMesh>> walk_meshes(Random& random)
{
    const auto radius = [&](double low) { return [&random, low](const Vec3&, int) { return random.uniform(low, 1); }; };
    const auto rough = [&](double height) {
        return [&random, height](double, double) { return random.uniform(-height, height); };
    };
    std::vector<std::unique_ptr<WalkMesh>> all;
    const auto add = [&](const char* name, TriMesh mesh) {
        all.push_back(std::make_unique<WalkMesh>(name, std::move(mesh)));
    };
    add("cube", moved(cube_mesh(1), {random.vector(), random.rotation()}));
    add("ball", sphere_mesh(1, 3));
    add("potato", star_mesh(2, radius(0.85)));
    add("spikes", star_mesh(2, radius(0.3)));
    add("torus", torus_mesh(0.7, 0.3, 17, 9));
    add("plain", moved(terrain(9, random, rough(0)), {random.vector(), random.rotation()}));
    add("hills", terrain(9, random, rough(0.02)));
    add("mountains", terrain(9, random, rough(0.2)));
    TriMesh holes = terrain(9, random, rough(0.05));
    for (const int removed : {130, 90, 41, 40}) // inner ones
        holes.triangles.erase(holes.triangles.begin() + removed);
    add("holes", holes);
    TriMesh wound = terrain(9, random, rough(0.05));
    for (std::size_t f = 1; f < wound.triangles.size(); ++f)
        if (random.uniform(0, 1) < 0.5)
            std::swap(wound.triangles[f][0], wound.triangles[f][1]);
    add("wound", wound);
    const TriMesh ball = sphere_mesh(1, 2);
    TriMesh soup; // each triangle with vertices of its own
    for (const Triangle& t : ball.triangles) {
        const int first = static_cast<int>(soup.vertices.size());
        soup.triangles.push_back({first, first + 1, first + 2});
        for (const int v : t)
            soup.vertices.push_back(ball.vertices[v]);
    }
    add("soup", soup);
    return all;
}

/// Weights within a triangle, now and then on a side or at a corner.
inline Vec3 random_weights(Random& random)
{
    Vec3 w(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    const double kind = random.uniform(0, 1);
    const int k = static_cast<int>(random.uniform(0, 3));
    if (kind < 0.1)
        w[k] = 0;
    else if (kind < 0.15)
        w = Vec3::Unit(k);
    return w / w.sum();
}

/// A walk from anywhere on the mesh, of a point behind it or, seldom, in front, as far aside as two edges or so.
inline MeshWalk random_walk(const WalkMesh& mesh, Random& random)
{
    const int facet = static_cast<int>(random.uniform(0, 1) * static_cast<double>(mesh.mesh.triangles.size()));
    const Vec3 w = random_weights(random);
    const PlacedSurface surface = mesh.placed();
    const Vec3 X = weighted(surface.corners(facet), w);
    const Vec3 n = plane_of(surface.corners(facet), surface.sign(facet)).n;
    constexpr std::array<double, 6> frictions{0, 0, 0.1, 0.4, 1.5, infinity};
    const double depth = random.uniform(-0.1, 0.6);
    return {.facet = facet,
        .w = w,
        .Z = X + mesh.size * (random.vector(random.uniform(0, 2)) - depth * n),
        .mu = frictions[static_cast<std::size_t>(random.uniform(0, 6))]};
}

/// The walk over the mesh with its vertices moved to x.
struct Walked {
    MeshRelaxation at;
    std::vector<WalkStep> path;
};
inline Walked walked(const EdgeTopology& topology, const std::vector<Vec3>& x, const MeshWalk& walk)
{
    Walked result;
    result.at = relax_mesh({topology, x}, walk, result.path);
    return result;
}
inline Walked walked(const WalkMesh& mesh, const MeshWalk& walk)
{
    return walked(mesh.topology, mesh.mesh.vertices, walk);
}

/// Over the same features, left by the same sides.
inline bool same_path(const Walked& a, const Walked& b)
{
    return a.at.end == b.at.end && a.at.feature == b.at.feature && a.at.number == b.at.number
        && a.at.facet == b.at.facet
        && std::equal(
            a.path.begin(), a.path.end(), b.path.begin(), b.path.end(), [](const WalkStep& p, const WalkStep& q) {
                return p.feature == q.feature && p.number == q.number && p.left_by == q.left_by;
            });
}

} // namespace stickslip
