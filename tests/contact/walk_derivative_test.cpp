#include "mesh_walks.h"

#include "stickslip/contact/relax/walk_cases.h"

#include <map>
#include <optional>

namespace stickslip::walk_derivative_test {
namespace {

/// A walk and how everything that it depends on moves.
struct MovingWalk {
    const EdgeTopology& topology;
    const std::vector<Vec3>& x;
    const MeshWalk& walk;
    Vec3 dZ;
    std::vector<Vec3> dx;
    Vec3 dw = Vec3::Zero(); // of the first weights

    MovingWalk(const WalkMesh& mesh, const MeshWalk& of, Random& random)
        : topology(mesh.topology)
        , x(mesh.mesh.vertices)
        , walk(of)
        , dZ(random.vector())
        , dx(random.vectors(x.size()))
    {
    }
    Walked at(double s) const
    {
        std::vector<Vec3> moved_x = x;
        for (std::size_t v = 0; v < x.size(); ++v)
            moved_x[v] += s * dx[v];
        MeshWalk moved_walk = walk;
        moved_walk.Z += s * dZ;
        moved_walk.w += s * dw;
        return walked(topology, moved_x, moved_walk);
    }
    WalkDerivative derivative(const Walked& here) const
    {
        WalkDerivative result;
        differentiate({topology, x}, walk, here.at, here.path, result);
        return result;
    }
    AttachmentMotion differential(const Walked& here) const
    {
        const WalkDerivative by = derivative(here);
        const Vec3 dX = weighted(PlacedSurface{topology, x}.corners(walk.facet), dw);
        const AttachmentMotion kept = by.times(dZ, dx);
        return {kept.Y + by.dY_dX * dX, kept.w + by.dw_dX * dX};
    }
    /// Central differences of fourth order, where the path is the same at all places.
    std::optional<AttachmentMotion> difference(double h) const
    {
        const Walked here = at(0);
        std::array<Walked, 4> beside{at(h), at(-h), at(2 * h), at(-2 * h)};
        for (const Walked& one : beside)
            if (!same_path(here, one))
                return std::nullopt;
        const auto combined = [&](const auto& value) -> Vec3 {
            return (8 * (value(beside[0]) - value(beside[1])) - (value(beside[2]) - value(beside[3]))) / (12 * h);
        };
        return AttachmentMotion{
            combined([](const Walked& one) { return one.at.Y; }), combined([](const Walked& one) { return one.at.w; })};
    }
};

/// Error of the derivative against differences, by its size where that is above 1.
double relative_error(const AttachmentMotion& a, const AttachmentMotion& b)
{
    return std::max((a.Y - b.Y).norm() / std::max(1.0, b.Y.norm()), (a.w - b.w).norm() / std::max(1.0, b.w.norm()));
}

TEST(WalkDerivative, MatchesDifferencesAlongEqualPaths)
{
    Random random(1);
    const auto meshes = walk_meshes(random);
    std::map<WalkEnd, int> compared;
    std::map<std::size_t, int> lengths;
    int coarse = 0, all = 0;
    for (int i = 0; i < 12000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        const MeshWalk walk = random_walk(mesh, random);
        MovingWalk moving(mesh, walk, random);
        if (walk.w.minCoeff() > 1e-4) {
            moving.dw = random.vector();
            moving.dw.array() -= moving.dw.mean();
        }
        const auto difference = moving.difference(1e-5 * mesh.size);
        if (!difference)
            continue;
        const Walked here = moving.at(0);
        const double error = relative_error(moving.differential(here), *difference);
        EXPECT_LT(error, 1e-4) << mesh.name << " walk " << i; // K turns fast where X is nearly above Z
        coarse += error > 1e-8;
        ++all;
        ++compared[here.at.end];
        ++lengths[here.path.size()];
    }
    EXPECT_LT(coarse, all / 100);
    for (const WalkEnd end :
        {WalkEnd::stuck, WalkEnd::triangle, WalkEnd::edge, WalkEnd::vertex, WalkEnd::boundary, WalkEnd::outside})
        EXPECT_GT(compared[end], 15) << "end " << static_cast<int>(end);
    for (std::size_t length = 0; length <= 8; ++length)
        EXPECT_GT(lengths[length], 10) << "path of " << length;
}

TEST(WalkDerivative, KeepsTheAttachmentOnItsFacet)
{
    Random random(2);
    const auto meshes = walk_meshes(random);
    for (int i = 0; i < 3000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        const MeshWalk walk = random_walk(mesh, random);
        const MovingWalk moving(mesh, walk, random);
        const Walked here = moving.at(0);
        const AttachmentMotion d = moving.derivative(here).times(moving.dZ, moving.dx);
        const Triangle& v = mesh.topology.facets[here.at.facet];
        const std::array<Vec3, 3> x = mesh.placed().corners(here.at.facet);
        const Vec3 by_weights =
            weighted(x, d.w) + weighted({moving.dx[v[0]], moving.dx[v[1]], moving.dx[v[2]]}, here.at.w);
        EXPECT_CLOSE_ALL(by_weights, d.Y, 1e-10 * std::max(1.0, d.Y.norm())) << mesh.name << " walk " << i;
        EXPECT_NEAR(d.w.sum(), 0, 1e-10 * std::max(1.0, d.w.norm()));
    }
}

/// Force of the spring k (Y - Z) on Z, and its opposite on the corners: as blocks Z first, then the vertices.
std::vector<Vec3> force(const EdgeTopology& topology, const MeshRelaxation& at, const Vec3& Z, std::size_t vertices)
{
    std::vector<Vec3> f(1 + vertices, Vec3::Zero());
    f[0] = at.Y - Z;
    for (int k = 0; k < 3; ++k)
        f[1 + topology.facets[at.facet][k]] -= at.w[k] * f[0];
    return f;
}

TEST(WalkDerivative, GivesTheDerivativeOfTheForceAndItsTranspose)
{
    Random random(3);
    const auto meshes = walk_meshes(random);
    int compared = 0;
    for (int i = 0; i < 3000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        const MeshWalk walk = random_walk(mesh, random);
        const MovingWalk moving(mesh, walk, random);
        const Walked here = moving.at(0);
        const WalkDerivative derivative = moving.derivative(here);
        const std::size_t vertices = moving.x.size();
        const Triangle& corners = mesh.topology.facets[here.at.facet];
        const Vec3 j = here.at.Y - walk.Z;

        // H v: dj = dY - dZ, on the corners -(w dj + dw j)
        const AttachmentMotion d = derivative.times(moving.dZ, moving.dx);
        std::vector<Vec3> df(1 + vertices, Vec3::Zero());
        df[0] = d.Y - moving.dZ;
        for (int k = 0; k < 3; ++k)
            df[1 + corners[k]] -= here.at.w[k] * df[0] + d.w[k] * j;

        // H^T y
        const std::vector<Vec3> y = random.vectors(1 + vertices);
        AttachmentMotion by{y[0], Vec3::Zero()};
        for (int k = 0; k < 3; ++k) {
            by.Y -= here.at.w[k] * y[1 + corners[k]];
            by.w[k] = -j.dot(y[1 + corners[k]]);
        }
        std::vector<Vec3> transposed(1 + vertices, Vec3::Zero());
        derivative.add_transposed(by, transposed[0], std::span(transposed).subspan(1));
        transposed[0] -= by.Y;
        std::vector<Vec3> v = moving.dx;
        v.insert(v.begin(), moving.dZ);
        const double size = norm_all(y) * norm_all(df) + norm_all(transposed) * norm_all(v);
        EXPECT_NEAR(dot_all(y, df), dot_all(transposed, v), 1e-14 * size) << mesh.name << " walk " << i;

        const double h = 1e-6 * mesh.size;
        const Walked plus = moving.at(h), minus = moving.at(-h);
        if (!same_path(here, plus) || !same_path(here, minus))
            continue;
        const auto f_plus = force(mesh.topology, plus.at, walk.Z + h * moving.dZ, vertices);
        const auto f_minus = force(mesh.topology, minus.at, walk.Z - h * moving.dZ, vertices);
        double error = 0;
        for (std::size_t b = 0; b <= vertices; ++b)
            error = std::max(error, ((f_plus[b] - f_minus[b]) / (2 * h) - df[b]).norm());
        compared += error < 1e-6 * std::max(1.0, norm_all(df));
    }
    EXPECT_GT(compared, 2850) << "paths that change and ways that turn fast are few";
}

TEST(WalkDerivative, DependsOnTheLastFacetAloneWithoutFriction)
{
    Random random(4);
    const auto meshes = walk_meshes(random);
    for (int i = 0; i < 3000; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        MeshWalk walk = random_walk(mesh, random);
        walk.mu = 0;
        const MovingWalk moving(mesh, walk, random);
        const Walked here = moving.at(0);
        if (here.at.end == WalkEnd::boundary)
            continue;
        EXPECT_EQ(moving.derivative(here).by_vertices.size(), 3u);
    }
}

TEST(WalkDerivative, OfAStickingAttachmentIsThatOfItsMaterialPoint)
{
    Random random(5);
    const auto meshes = walk_meshes(random);
    for (int i = 0; i < 300; ++i) {
        const WalkMesh& mesh = *meshes[i % meshes.size()];
        MeshWalk walk = random_walk(mesh, random);
        walk.mu = infinity;
        const MovingWalk moving(mesh, walk, random);
        const Walked here = moving.at(0);
        const WalkDerivative derivative = moving.derivative(here);
        EXPECT_TRUE(here.path.empty());
        EXPECT_EQ(derivative.dY_dZ, Mat3::Zero());
        EXPECT_EQ(derivative.dw_dZ, Mat3::Zero());
        ASSERT_EQ(derivative.by_vertices.size(), 3u);
        for (int k = 0; k < 3; ++k) {
            EXPECT_EQ(derivative.by_vertices[k].vertex, mesh.topology.facets[walk.facet][k]);
            EXPECT_EQ(derivative.by_vertices[k].dY, walk.w[k] * Mat3::Identity());
            EXPECT_EQ(derivative.by_vertices[k].dw, Mat3::Zero());
        }
    }
}

TEST(WalkDerivative, OnAnEdgeHoldsAtTheEndsOfFriction)
{
    const Vec3 A(0, 0, 0), B(2, 0, 0), down(0, -1, 0);
    const EdgeRelaxation held = relax_on_edge(A, B, 0.2, Vec3(1, 0, 0), down, infinity);
    EXPECT_TRUE(held.in_cone) << "also with Z on the line, where the cone has no width";
    EXPECT_EQ(held.q, 0.2);
    const EdgeRelaxation free = relax_on_edge(A, B, 0.5, Vec3(1, -0.1, 0), down, 0);
    EXPECT_FALSE(free.in_cone) << "also with X below Z, whose foot it is";
    EXPECT_EQ(free.q, 0.5);
    EXPECT_EQ(free.dY_dZ, Vec3(1, 0, 0).asDiagonal().toDenseMatrix());

    constexpr double h = 1e-6, mu = 0.3; // Z on the line: the derivative of going inward
    const EdgeRelaxation on_line = relax_on_edge(A, B, 0.2, Vec3(1, 0, 0), down, mu);
    const EdgeRelaxation inward = relax_on_edge(A, B, 0.2, Vec3(1, -h, 0), down, mu);
    EXPECT_EQ(on_line.q, 0.5);
    EXPECT_NEAR((on_line.dY_dZ * down).x(), 2 * (inward.q - on_line.q) / h, 1e-9);
}

/// States that lie `off` from a branch of the walk, on either side by its sign [-], of edges or of depths.
enum class Branch { X_on_edge, X_at_vertex, on_cone, K_on_edge, K_at_vertex, Z_on_surface, Z_on_edge, Z_on_vertex };
MeshWalk near_branch(const WalkMesh& mesh, Branch branch, double off, double mu, Random& random)
{
    const PlacedSurface surface = mesh.placed();
    const int facet = static_cast<int>(random.uniform(0, 1) * static_cast<double>(mesh.mesh.triangles.size()));
    const std::array<Vec3, 3> x = surface.corners(facet);
    const Vec3 n = plane_of(x, surface.sign(facet)).n;
    const int k = static_cast<int>(random.uniform(0, 3));
    const double along = random.uniform(0.2, 0.8), depth = random.uniform(0.02, 0.2) * mesh.size;
    Vec3 edge = Vec3::Zero(), corner = Vec3::Constant(off);
    edge[k] = off;
    edge[(k + 1) % 3] = along * (1 - off);
    edge[(k + 2) % 3] = (1 - along) * (1 - off);
    corner[k] = 1 - 2 * off;
    const Vec3 inner = Vec3(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Vec3 anywhere = random.vector(0.3 * mesh.size) - depth * n;

    MeshWalk walk{.facet = facet, .w = inner / inner.sum(), .Z = {}, .mu = mu};
    const Vec3 X = weighted(x, walk.w), friction = (std::isinf(mu) ? 1 : mu) * depth * n;
    const auto relaxed_to = [&](const Vec3& K) { return K - friction.norm() * (X - K).normalized() - depth * n; };
    switch (branch) {
    case Branch::X_on_edge:
        walk.w = edge.cwiseAbs() / edge.cwiseAbs().sum();
        walk.Z = weighted(x, walk.w) + anywhere;
        break;
    case Branch::X_at_vertex:
        walk.w = corner.cwiseAbs() / corner.cwiseAbs().sum();
        walk.Z = weighted(x, walk.w) + anywhere;
        break;
    case Branch::on_cone:
        walk.Z = X + (1 + off) * friction.norm() * n.cross(random.unit()).normalized() - depth * n;
        break;
    case Branch::K_on_edge:
        walk.Z = relaxed_to(weighted(x, edge));
        break;
    case Branch::K_at_vertex:
        walk.Z = relaxed_to(weighted(x, corner));
        break;
    case Branch::Z_on_surface:
        walk.Z = weighted(x, Vec3(along, 1 - along, 0) / 2 + Vec3(0, 0, 0.5)) - off * mesh.size * n;
        break;
    case Branch::Z_on_edge:
        walk.Z = weighted(x, edge) - off * mesh.size * n;
        break;
    case Branch::Z_on_vertex:
        walk.Z = x[k] + off * mesh.size * random.unit();
        break;
    }
    return walk;
}

TEST(WalkDerivative, NearEachBranchWalksEndAndDerivativesHoldOnBothSides)
{
    Random random(6);
    const auto meshes = walk_meshes(random);
    std::map<Branch, int> compared;
    for (const Branch branch : {Branch::X_on_edge, Branch::X_at_vertex, Branch::on_cone, Branch::K_on_edge,
             Branch::K_at_vertex, Branch::Z_on_surface, Branch::Z_on_edge, Branch::Z_on_vertex})
        for (const double mu : {0.0, 0.3, infinity})
            for (const double off : {0.0, 1e-12, -1e-12, 1e-6, -1e-6})
                for (int i = 0; i < 100; ++i) {
                    const WalkMesh& mesh = *meshes[i % meshes.size()];
                    const MeshWalk walk = near_branch(mesh, branch, off, mu, random);
                    const MovingWalk moving(mesh, walk, random);
                    const Walked here = moving.at(0);
                    SCOPED_TRACE(testing::Message()
                        << mesh.name << " branch " << int(branch) << " mu " << mu << " off " << off << " trial " << i);
                    ASSERT_LE(here.at.end, WalkEnd::outside);
                    const Vec3 X = weighted(mesh.placed().corners(walk.facet), walk.w);
                    EXPECT_LE((here.at.Y - walk.Z).norm(), (X - walk.Z).norm() + 1e-14);
                    EXPECT_TRUE(here.at.Y.allFinite() && here.at.n.allFinite() && std::isfinite(here.at.depth));
                    const AttachmentMotion d = moving.derivative(here).times(moving.dZ, moving.dx);
                    EXPECT_TRUE(d.Y.allFinite() && d.w.allFinite());
                    if (std::abs(off) != 1e-6)
                        continue;
                    double error = infinity; // of round-off, or of ways that turn within 1e-8
                    for (const double h : {1e-9, 1e-10})
                        if (const auto difference = moving.difference(h))
                            error = std::min(error, relative_error(d, *difference));
                    if (std::isinf(error))
                        continue;
                    EXPECT_LT(error, 1e-5);
                    ++compared[branch];
                }
    for (const auto& [branch, count] : compared)
        EXPECT_GT(count, 400) << "branch " << static_cast<int>(branch);
    EXPECT_EQ(compared.size(), 8u);
}

} // namespace
} // namespace stickslip::walk_derivative_test
