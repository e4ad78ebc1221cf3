#include "mesh_walks.h"

#include "stickslip/contact/relax/inside_mesh.h"

#include <map>
#include <numbers>
#include <set>

namespace stickslip::relax_mesh_test {
namespace {

/// Facets that hold the point with these weights, each with the corner of it or the side on it: -1 where there is none.
struct FacetAround {
    int facet, side, corner;
};
std::vector<FacetAround> facets_around(const EdgeTopology& topology, int facet, const Vec3& w)
{
    std::vector<FacetAround> around;
    for (int k = 0; k < 3; ++k)
        if (w[k] == 1) {
            for (const int corner : topology.corners_of(topology.facets[facet][k]))
                around.push_back({corner / 3, -1, corner % 3});
            return around;
        }
    for (int k = 0; k < 3; ++k)
        if (w[(k + 2) % 3] == 0) {
            for (const int side : topology.sides_of(topology.facet_edges[facet][k]))
                around.push_back({side / 3, side % 3, -1});
            return around;
        }
    return {{facet, -1, -1}};
}

/// Largest cosine between the way to Z and a way along the surface from Y: what the cone is about, whatever the case.
double steepest(const PlacedSurface& surface, const MeshRelaxation& at, const Vec3& Z)
{
    constexpr int ways = 24;
    const Vec3 z = (Z - at.Y).normalized();
    double most = -1;
    const bool only_one =
        at.feature == TriangleFeature::face && (at.end == WalkEnd::stuck || at.end == WalkEnd::outside);
    const std::vector<FacetAround> around =
        only_one ? std::vector<FacetAround>{{at.number, -1, -1}} : facets_around(surface.topology, at.facet, at.w);
    for (const auto& [f, side, corner] : around) {
        const std::array<Vec3, 3> x = surface.corners(f);
        const Vec3 n = plane_of(x, 1).n;
        const int k = std::max({side, corner, 0});
        const Vec3 a = (x[(k + 1) % 3] - x[k]).normalized(), b = x[(k + 2) % 3] - x[k], up = n.cross(a);
        const double open = corner >= 0 ? std::atan2(b.dot(up), b.dot(a))
            : side >= 0                 ? std::numbers::pi
                                        : 2 * std::numbers::pi;
        for (int i = 0; i <= ways; ++i) {
            const double angle = open * i / ways;
            most = std::max(most, z.dot(std::cos(angle) * a + std::sin(angle) * up));
        }
    }
    return most;
}

TEST(RelaxMesh, WalksEndInTheConeAndNeverGetFartherFromZ)
{
    Random random(1);
    const auto meshes = walk_meshes(random);
    std::map<WalkEnd, int> ends;
    std::size_t longest = 0, steps = 0;
    std::vector<WalkStep> path;
    constexpr int walks = 100000;
    for (int i = 0; i < walks; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        const PlacedSurface surface = mesh.placed();
        const MeshWalk walk = random_walk(mesh, random);
        const MeshRelaxation at = relax_mesh(surface, walk, path);
        const std::string what = mesh.name + " walk " + std::to_string(i);
        ++ends[at.end];
        longest = std::max(longest, path.size());
        steps += path.size();

        const double round_off = 1e-14;
        double distance = (weighted(surface.corners(walk.facet), walk.w) - walk.Z).norm();
        for (const WalkStep& step : path) {
            ASSERT_LE((step.Y - walk.Z).norm(), distance + round_off) << what;
            distance = (step.Y - walk.Z).norm();
        }
        ASSERT_EQ((at.Y - walk.Z).norm(), distance) << what;
        ASSERT_GE(at.w.minCoeff(), 0) << what;
        ASSERT_NEAR(at.w.sum(), 1, 4e-16) << what;
        ASSERT_TRUE(same_bits({at.Y}, {weighted(surface.corners(at.facet), at.w)})) << what;
        ASSERT_EQ(at.end == WalkEnd::stuck, in_contact(at.end) && path.empty()) << what;

        if (at.end == WalkEnd::boundary) {
            bool on_boundary = false;
            for (int k = 0; k < 3; ++k)
                on_boundary = on_boundary
                    || (at.w[(k + 2) % 3] == 0
                        && mesh.topology.edge_kind[mesh.topology.facet_edges[at.facet][k]] == EdgeKind::boundary)
                    || (at.w[k] == 1 && !mesh.topology.vertex_internal[mesh.topology.facets[at.facet][k]]);
            ASSERT_TRUE(on_boundary) << what;
            continue;
        }
        const Vec3 spring = at.Y - walk.Z;
        const double normal = spring.dot(at.n), sign = at.end == WalkEnd::outside ? -1 : 1;
        ASSERT_NEAR(at.n.norm(), 1, 1e-14) << what;
        ASSERT_NEAR(normal, at.depth, round_off) << what;
        ASSERT_GE(sign * at.depth, -round_off) << what;
        if (std::isinf(walk.mu))
            continue;
        ASSERT_LE((spring - normal * at.n).norm(), walk.mu * sign * normal + round_off) << what;
        const double sine = spring.norm() > 1e-6 ? steepest(surface, at, walk.Z) : 0;
        ASSERT_LE(sine, walk.mu / std::hypot(1, walk.mu) + 1e-7) << what;
    }
    for (const WalkEnd end :
        {WalkEnd::stuck, WalkEnd::triangle, WalkEnd::edge, WalkEnd::vertex, WalkEnd::boundary, WalkEnd::outside})
        EXPECT_GT(ends[end], 100) << "end " << static_cast<int>(end);
    EXPECT_EQ(ends.size(), 6u) << "no other end";
    EXPECT_GT(longest, 10u);
    EXPECT_LT(longest, 60u);
    EXPECT_GT(steps, 100000u);
}

TEST(RelaxMesh, StickingKeepsFacetAndWeightsBitForBit)
{
    Random random(2);
    const auto meshes = walk_meshes(random);
    std::map<TriangleFeature, int> on;
    for (int i = 0; i < 60000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        const MeshWalk first = random_walk(mesh, random);
        const MeshRelaxation at = walked(mesh, first).at;
        if (!in_contact(at.end) || first.mu == 0)
            continue;
        MeshWalk again = first; // relaxed once, it sticks where the way is a little shorter
        again.facet = at.facet;
        again.w = at.w;
        again.Z += 1e-9 * (at.Y - at.n * at.depth - first.Z);
        const Walked stuck = walked(mesh, again);
        ASSERT_EQ(stuck.at.end, WalkEnd::stuck) << mesh.name << " walk " << i;
        EXPECT_TRUE(stuck.path.empty());
        EXPECT_EQ(stuck.at.facet, again.facet);
        EXPECT_TRUE(same_bits({stuck.at.w}, {again.w}));
        ++on[stuck.at.feature];
    }
    for (const TriangleFeature feature : {TriangleFeature::face, TriangleFeature::edge, TriangleFeature::vertex})
        EXPECT_GT(on[feature], 20);
}

/// Whether the way from Y to Z meets a facet that does not hold Y.
bool is_hidden(const WalkMesh& mesh, const MeshRelaxation& at, const Vec3& Z)
{
    std::set<int> around;
    for (const FacetAround& one : facets_around(mesh.topology, at.facet, at.w))
        around.insert(one.facet);
    const Vec3 way = Z - at.Y;
    for (int f = 0; f < static_cast<int>(mesh.mesh.triangles.size()); ++f) {
        if (around.contains(f))
            continue;
        const std::array<Vec3, 3> x = mesh.placed().corners(f);
        const Vec3 N = (x[1] - x[0]).cross(x[2] - x[0]);
        const double t = N.dot(x[0] - at.Y) / N.dot(way);
        if (!(t >= 0 && t <= 1))
            continue;
        const Vec3 w = Vec3::UnitX() + plane_of(x, 1).gradient * (at.Y + t * way - x[0]);
        if (w.minCoeff() > -1e-9)
            return true;
    }
    return false;
}

TEST(RelaxMesh, InsideTestsAgreeWithTheWindingNumber)
{
    Random random(3);
    const auto meshes = walk_meshes(random);
    std::map<std::pair<TriangleFeature, bool>, int> compared;
    for (int i = 0; i < 50000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        if (!mesh.is_closed())
            continue;
        MeshWalk walk = random_walk(mesh, random);
        if (i % 3 == 0)
            walk.mu = 0; // most rests on edges and vertices
        const MeshRelaxation at = walked(mesh, walk).at;
        const bool on_rim = at.feature == TriangleFeature::face // of the facet that holds it, where only that counts
            && facets_around(mesh.topology, at.facet, at.w).size() > 1;
        if (std::abs(at.depth) < 1e-9 || on_rim || is_hidden(mesh, at, walk.Z))
            continue;
        const bool inside = winding_number(mesh.mesh, walk.Z) > 0.5;
        ASSERT_EQ(in_contact(at.end), inside) << mesh.name << " walk " << i << " feature " << int(at.feature);
        ++compared[{at.feature, inside}];
    }
    for (const TriangleFeature feature : {TriangleFeature::face, TriangleFeature::edge, TriangleFeature::vertex})
        for (const bool inside : {false, true})
            EXPECT_GT(compared[std::make_pair(feature, inside)], 30) << int(feature) << inside;
}

TEST(RelaxMesh, InsideTestsCountWhatIsOnTheSurfaceAsInside)
{
    Random random(4);
    for (const auto& mesh : walk_meshes(random)) {
        const PlacedSurface surface = mesh->placed();
        for (std::size_t v = 0; v < mesh->mesh.vertices.size(); ++v)
            EXPECT_TRUE(inside_vertex(surface, static_cast<int>(v), mesh->mesh.vertices[v])) << mesh->name;
        for (std::size_t e = 0; e < mesh->topology.edges.size(); ++e) {
            const Vec3& A = mesh->mesh.vertices[mesh->topology.edges[e][0]];
            EXPECT_TRUE(
                mesh->topology.edge_kind[e] != EdgeKind::internal || inside_edge(surface, static_cast<int>(e), A))
                << mesh->name;
        }
    }
}

TEST(RelaxMesh, WindingOfTrianglesPlaysNoPart)
{
    Random random(5);
    const WalkMesh mesh("hills", terrain(9, random, [&](double, double) { return random.uniform(-0.1, 0.1); }));
    TriMesh turned = mesh.mesh;
    for (std::size_t f = 1; f < turned.triangles.size(); f += 2)
        std::swap(turned.triangles[f][1], turned.triangles[f][2]);
    const WalkMesh other("turned", turned);
    for (int i = 0; i < 2000; ++i) {
        const MeshWalk walk = random_walk(mesh, random);
        MeshWalk same = walk;
        if (walk.facet % 2 == 1)
            std::swap(same.w[1], same.w[2]);
        const MeshRelaxation a = walked(mesh, walk).at, b = walked(other, same).at;
        ASSERT_EQ(a.end, b.end);
        EXPECT_CLOSE_ALL(a.Y, b.Y, 1e-12);
        EXPECT_CLOSE_ALL(a.n, b.n, 1e-9);
        EXPECT_NEAR(a.depth, b.depth, 1e-12);
    }
}

TEST(RelaxMesh, AnOpenSurfaceIsHeldFromEitherSide)
{
    Random random(6);
    const WalkMesh mesh("hills", terrain(9, random, [&](double, double) { return random.uniform(-0.1, 0.1); }));
    std::vector<WalkStep> path;
    int held = 0;
    for (int i = 0; i < 2000; ++i) {
        const MeshWalk walk = random_walk(mesh, random);
        const MeshRelaxation above = relax_mesh({mesh.topology, mesh.mesh.vertices, 1}, walk, path);
        const MeshRelaxation below = relax_mesh({mesh.topology, mesh.mesh.vertices, -1}, walk, path);
        if (above.end == WalkEnd::boundary || above.feature != TriangleFeature::face)
            continue;
        EXPECT_NE(in_contact(above.end), in_contact(below.end));
        EXPECT_TRUE(same_bits({above.Y}, {below.Y}));
        EXPECT_EQ(above.n, -below.n);
        EXPECT_EQ(above.depth, -below.depth);
        ++held;
    }
    EXPECT_GT(held, 500);
}

TEST(RelaxMesh, TurnsWithTheScene)
{
    Random random(7);
    const auto meshes = walk_meshes(random);
    int moved_on = 0;
    for (int i = 0; i < 2000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        const Frame frame{random.vector(), random.rotation()};
        MeshWalk walk = random_walk(mesh, random);
        const Walked here = walked(mesh, walk);
        walk.Z = frame.to_world(walk.Z);
        const Walked there = walked(mesh.topology, moved(mesh.mesh, frame).vertices, walk);
        if (!same_path(here, there)) // a place on an edge, within round-off
            continue;
        ++moved_on;
        EXPECT_CLOSE_ALL(frame.to_world(here.at.Y), there.at.Y, 1e-12);
        EXPECT_CLOSE_ALL(frame.R * here.at.n, there.at.n, 1e-9);
    }
    EXPECT_GT(moved_on, 1950);
}

TEST(RelaxMesh, EndsTheContactAtFeaturesOfThePointItself)
{
    Random random(8);
    const WalkMesh mesh("ball", sphere_mesh(1, 2));
    int met = 0;
    for (int i = 0; i < 2000; ++i) {
        MeshWalk walk = random_walk(mesh, random);
        const Walked free = walked(mesh, walk);
        walk.own[i % 3] = free.at.feature == TriangleFeature::face ? mesh.topology.facets[free.at.number][i % 2]
            : free.at.feature == TriangleFeature::edge             ? mesh.topology.edges[free.at.number][i % 2]
                                                                   : free.at.number;
        const Walked ended = walked(mesh, walk);
        EXPECT_EQ(ended.at.end, WalkEnd::own_feature);
        EXPECT_FALSE(in_contact(ended.at.end));
        walk.own[i % 3] = 0;
        bool passes = false; // by a facet that has vertex 0
        for (const WalkStep& step : free.path)
            passes = passes || (step.feature == TriangleFeature::face && step.corners[0] == 0);
        if (passes) {
            ++met;
            EXPECT_EQ(walked(mesh, walk).at.end, WalkEnd::own_feature);
        }
    }
    EXPECT_GT(met, 10);
}

TEST(RelaxMesh, AllocatesNothingOnceItsStorageIsLargeEnough)
{
    Random random(10);
    const auto meshes = walk_meshes(random);
    std::vector<WalkStep> path;
    WalkDerivative derivative;
    path.reserve(60);
    derivative.by_vertices.reserve(60);
    const auto* steps = path.data();
    const auto* blocks = derivative.by_vertices.data();
    for (int i = 0; i < 2000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        const MeshWalk walk = random_walk(mesh, random);
        differentiate(mesh.placed(), walk, relax_mesh(mesh.placed(), walk, path), path, derivative);
    }
    EXPECT_EQ(path.data(), steps);
    EXPECT_EQ(derivative.by_vertices.data(), blocks);
}

TEST(RelaxMesh, SaysWhereItGaveUp)
{
    Random random(9);
    const WalkMesh mesh("plain", terrain(20, random, [](double, double) { return 0; }));
    const Vec3 third = Vec3::Constant(1.0 / 3);
    const MeshWalk walk{.facet = 0, .w = third, .Z = Vec3(0.9, -0.01, 0.9), .mu = 0.1};
    const Walked whole = walked(mesh, walk);
    EXPECT_EQ(whole.at.end, WalkEnd::triangle);
    EXPECT_GT(whole.path.size(), 20u);
    MeshWalk limited = walk;
    limited.limit = 5;
    const Walked part = walked(mesh, limited);
    EXPECT_EQ(part.at.end, WalkEnd::limit);
    EXPECT_FALSE(in_contact(part.at.end));
    EXPECT_EQ(part.path.size(), 5u);

    std::vector<Vec3> x = mesh.mesh.vertices;
    const Triangle& flat = mesh.topology.facets[whole.path[9].number];
    x[flat[1]] = x[flat[0]];
    const Walked stopped = walked(mesh.topology, x, walk);
    EXPECT_EQ(stopped.at.end, WalkEnd::flat_facet);
    EXPECT_TRUE(stopped.at.Y.allFinite() && stopped.at.n.allFinite() && std::isfinite(stopped.at.depth));
}

} // namespace
} // namespace stickslip::relax_mesh_test
