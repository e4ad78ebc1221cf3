#include "mesh_walks.h"

#include "stickslip/contact/relax/relax_plane.h"

#include <numbers>

namespace stickslip::mesh_walk_forces_test {
namespace {

/// A finely triangulated square of 2 m, somewhere.
struct FinePlane {
    Frame frame;
    WalkMesh mesh;
    Vec3 n;

    explicit FinePlane(Random& random)
        : frame{random.vector(), random.rotation()}
        , mesh("plane", moved(terrain(30, random, [](double, double) { return 0; }), frame))
        , n(frame.R.col(1))
    {
    }
    Vec3 at(double x, double z, double depth = 0) const { return frame.to_world({x, -depth, z}); }
    PlaneRelaxation relaxed(const Vec3& Z, const Vec3& X, double mu) const
    {
        return relax_plane(Z, X, Z - n.dot(Z - frame.x) * n, n, mu);
    }
};

TEST(MeshWalkForces, AFineMeshOfAPlaneAnswersAsThePlane)
{
    Random random(1);
    const FinePlane plane(random);
    std::size_t longest = 0;
    for (int i = 0; i < 5000; ++i) {
        MeshWalk walk{
            .facet = static_cast<int>(random.uniform(0, 1800)), .w = random_weights(random), .Z = {}, .mu = 0};
        constexpr std::array<double, 5> frictions{0, 0.1, 0.5, 1, infinity};
        walk.mu = frictions[static_cast<std::size_t>(i) % 5];
        walk.Z = plane.at(random.uniform(-0.95, 0.95), random.uniform(-0.95, 0.95), random.uniform(0, 0.1));
        const Walked here = walked(plane.mesh, walk);
        ASSERT_TRUE(in_contact(here.at.end)) << i;
        longest = std::max(longest, here.path.size());

        const Vec3 X = weighted(plane.mesh.placed().corners(walk.facet), walk.w);
        const PlaneRelaxation expected = plane.relaxed(walk.Z, X, walk.mu);
        EXPECT_CLOSE_ALL(here.at.Y, expected.K, 1e-12);
        EXPECT_CLOSE_ALL(here.at.n, plane.n, 1e-12);
        EXPECT_NEAR(here.at.depth, plane.n.dot(plane.frame.x - walk.Z), 1e-12);
        WalkDerivative derivative;
        differentiate(plane.mesh.placed(), walk, here.at, here.path, derivative);
        const Mat3 nn = plane.n * plane.n.transpose();
        EXPECT_CLOSE_ALL(derivative.dY_dZ, expected.dK_dZ + expected.dK_dW * (Mat3::Identity() - nn), 1e-9);
        Mat3 by_all = Mat3::Zero(); // the whole mesh moves: X by all of it, W by what is across the plane
        for (const auto& by : derivative.by_vertices)
            by_all += by.dY;
        EXPECT_CLOSE_ALL(by_all, expected.dK_dX + expected.dK_dW * nn, 1e-9);
    }
    EXPECT_GT(longest, 60u);
}

TEST(MeshWalkForces, SlidingOverInnerEdgesAndVerticesOfAPlaneLeavesNoTrace)
{
    Random random(2);
    const FinePlane plane(random);
    for (const double mu : {0.0, 0.3, 1.0})
        for (const bool over_vertices : {false, true}) {
            MeshWalk walk{.facet = 930, .w = Vec3::Constant(1.0 / 3), .Z = {}, .mu = mu};
            Vec3 X = weighted(plane.mesh.placed().corners(walk.facet), walk.w);
            const Vec3 from = X, to = plane.mesh.mesh.vertices[over_vertices ? 5 * 31 + 24 : 0];
            double worst = 0;
            for (int i = 1; i <= 500; ++i) { // to and fro
                const double way = 0.9 * std::sin(0.02 * i);
                walk.Z = from + way * (to - from) - (0.02 + 1e-5 * i) * plane.n;
                const MeshRelaxation at = walked(plane.mesh, walk).at;
                ASSERT_TRUE(in_contact(at.end));
                X = plane.relaxed(walk.Z, X, mu).K;
                worst = std::max(worst, (at.Y - X).norm());
                walk.facet = at.facet;
                walk.w = at.w;
            }
            EXPECT_LT(worst, 1e-12) << mu;
        }
}

/// Two triangles with the common edge along z through the origin; the second one lies lower by the angle `fold`, seen
/// from the first (negative: higher).
struct Fold2 {
    WalkMesh mesh;

    explicit Fold2(double fold)
        : mesh("fold",
            TriMesh{{{0, 0, -9}, {0, 0, 9}, {-9, 0, 0}, {9 * std::cos(fold), -9 * std::sin(fold), 0}},
                {{0, 2, 1}, {0, 1, 3}}})
    {
    }
    /// Spring of a point `depth` below the first triangle, relaxed to a place `beyond` the edge in its plane, dragged
    /// there at the angle theta from straight across.
    struct Spring {
        WalkEnd end;
        Vec3 j;
    };
    Spring spring(double mu, double theta, double depth, double beyond) const
    {
        const Vec3 v(-std::cos(theta), 0, -std::sin(theta)), K(beyond, 0, 0), X = K + 2 * v;
        MeshWalk walk{.facet = 0, .w = {}, .Z = K - mu * depth * v - depth * Vec3::UnitY(), .mu = mu};
        const std::array<Vec3, 3> x = mesh.placed().corners(0);
        walk.w = Vec3::UnitX() + plane_of(x, 1).gradient * (X - x[0]);
        const MeshRelaxation at = walked(mesh, walk).at;
        return {at.end, at.Y - walk.Z};
    }
};

// docs/derivations.md#walk-over-a-mesh: a known property of the walk, not a wish.
TEST(MeshWalkForces, TheForceJumpsAtAConvexFoldByTheDerivedAmount)
{
    constexpr double degree = std::numbers::pi / 180;
    for (const double fold : {2.0, 10.0, 20.0, 40.0})
        for (const double mu : {0.0, 0.3, 0.7})
            for (const double theta : {0.0, 30.0, -75.0}) {
                SCOPED_TRACE(testing::Message() << "fold " << fold << " mu " << mu << " theta " << theta);
                const Fold2 mesh(fold * degree);
                const auto before = mesh.spring(mu, theta * degree, 0.1, -1e-10);
                const auto after = mesh.spring(mu, theta * degree, 0.1, 1e-10);
                EXPECT_EQ(before.end, WalkEnd::triangle);
                EXPECT_EQ(after.end, WalkEnd::triangle);
                const double c = std::cos(fold * degree), s = std::sin(fold * degree);
                const double D = c - mu * std::cos(theta * degree) * s, secant = std::hypot(1, mu);
                const double jump = (after.j - before.j).norm() / before.j.norm();
                EXPECT_NEAR(after.j.norm() / before.j.norm(), D, 1e-8);
                EXPECT_NEAR(jump, (std::sqrt(1 + mu * mu - D * D) - mu * D) / secant, 1e-8);
                EXPECT_LE(jump, s * secant + 1e-8);
                EXPECT_TRUE(theta != 0 || jump > s * secant - 1e-8) << "straight across it is the largest";
            }
}

TEST(MeshWalkForces, BeyondASteepConvexFoldTheContactEnds)
{
    constexpr double degree = std::numbers::pi / 180;
    const Fold2 mesh(70 * degree); // steeper than 90 degrees less the angle of friction
    EXPECT_EQ(mesh.spring(0.5, 0, 0.1, -1e-10).end, WalkEnd::triangle);
    EXPECT_EQ(mesh.spring(0.5, 0, 0.1, 1e-10).end, WalkEnd::outside);
}

TEST(MeshWalkForces, TheForceDoesNotJumpAtAConcaveFold)
{
    constexpr double degree = std::numbers::pi / 180;
    for (const double fold : {-2.0, -20.0, -40.0, -80.0})
        for (const double mu : {0.0, 0.3, 0.7})
            for (const double theta : {0.0, 30.0, -75.0}) {
                const Fold2 mesh(fold * degree);
                const auto before = mesh.spring(mu, theta * degree, 0.1, -1e-10);
                const auto after = mesh.spring(mu, theta * degree, 0.1, 1e-10);
                EXPECT_LT((after.j - before.j).norm(), 1e-9) << fold << " " << mu << " " << theta;
            }
}

} // namespace
} // namespace stickslip::mesh_walk_forces_test
