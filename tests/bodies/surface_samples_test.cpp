#include "stickslip/bodies/surface_samples.h"

#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/geometry/solids/level_set.h"

#include "support/numeric.h"

namespace stickslip::surface_samples_test {
namespace {

const Vec3 origin = Vec3::Zero();

double total_weight(const std::vector<SurfaceSample>& samples, std::size_t from = 0)
{
    double sum = 0;
    for (std::size_t i = from; i < samples.size(); ++i)
        sum += samples[i].weight;
    return sum;
}

TEST(SurfaceSamples, WithoutSpacingAreTheVertices)
{
    const TriMesh box = triangulate(Box{{1, 2, 3}}, 1);
    const auto samples = surface_samples(box, infinity, Vec3(0.1, 0.2, 0.3));
    ASSERT_EQ(samples.size(), 8u);
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(samples[i].z, Vec3(box.vertices[i] - Vec3(0.1, 0.2, 0.3)));
        EXPECT_EQ(samples[i].weight, 1);
    }
}

TEST(SurfaceSamples, LeaveOutVerticesOfNoTriangle)
{
    TriMesh box = triangulate(Box{{1, 1, 1}}, 1);
    box.vertices.insert(box.vertices.begin(), Vec3(9, 9, 9));
    for (Triangle& t : box.triangles)
        for (int& v : t)
            ++v;
    const auto samples = surface_samples(box, infinity, origin);
    ASSERT_EQ(samples.size(), 8u);
    EXPECT_EQ(samples[0].z, Vec3(-0.5, -0.5, -0.5));
}

TEST(SurfaceSamples, LieOnTheSurface)
{
    const Box box{{0.3, 0.7, 1.1}};
    for (const SurfaceSample& s : surface_samples(triangulate(box, 1), 0.09, origin))
        EXPECT_NEAR(signed_distance(box, s.z), 0, 1e-15);
}

/// Rows and the points in a row are at most a spacing apart, points on an edge too: half of that along the row to a
/// point or the edge, half along the edge, half across.
TEST(SurfaceSamples, LeaveNoHoleWiderThanTheSpacing)
{
    Random random(5);
    for (const Vec3& size : {Vec3(1, 1, 1), Vec3(0.3, 0.7, 1.1), Vec3(0.002, 0.6, 1)}) {
        const TriMesh mesh = triangulate(Box{size}, 1);
        const double spacing = 0.12;
        const auto samples = surface_samples(mesh, spacing, origin);
        for (int trial = 0; trial < 500; ++trial) {
            const Triangle& t = mesh.triangles[static_cast<std::size_t>(random.uniform(0, 12))];
            double a = random.uniform(0, 1), b = random.uniform(0, 1);
            if (a + b > 1) {
                a = 1 - a;
                b = 1 - b;
            }
            const Vec3& p = mesh.vertices[t[0]];
            const Vec3 x = p + a * (mesh.vertices[t[1]] - p) + b * (mesh.vertices[t[2]] - p);
            double nearest = infinity;
            for (const SurfaceSample& s : samples)
                nearest = std::min(nearest, (s.z - x).norm());
            EXPECT_LE(nearest, spacing);
        }
    }
}

TEST(SurfaceSamples, ASliverGetsNoPointsAcrossIt)
{
    const auto samples = surface_samples(triangulate(Box{{1, 0.001, 0.5}}, 1), 0.26, origin);
    std::size_t on_rim = 0;
    for (const SurfaceSample& s : samples)
        on_rim += std::abs(std::abs(s.z.x()) - 0.5) < 1e-12 && std::abs(s.z.z()) < 0.25 - 1e-12;
    // edges along z, 0.5 long: one point between their ends on each of four; one on each diagonal of the two sides
    EXPECT_EQ(on_rim, 6u);
}

TEST(SurfaceSamples, WeighAsMuchAsTheVerticesOfABoxHoweverManyThereAre)
{
    const TriMesh cube = triangulate(Box{{1, 1, 1}}, 1);
    double before = 0;
    for (const double spacing : {0.1, 0.05, 0.02}) {
        const auto samples = surface_samples(cube, spacing, origin);
        const double between = total_weight(samples, 8);
        EXPECT_LT(between, 8);
        EXPECT_GT(between, before); // what the corners own goes to zero
        EXPECT_NEAR(total_weight(samples) - between, 8, 1e-11); // sums of up to 20000 weights
        before = between;
    }
    EXPECT_GT(before, 7.98);
}

TEST(SurfaceSamples, OfACubesEdgesAndFacesWeighTheSame)
{
    const auto samples = surface_samples(triangulate(Box{{1, 1, 1}}, 1), 0.1, origin);
    for (std::size_t i = 9; i < samples.size(); ++i) // a whole cell each: half of two triangles, or inside one
        EXPECT_NEAR(samples[i].weight, samples[8].weight, 1e-12);
}

TEST(SurfaceSamples, AreDenserOnSharpEdgesThanOnFaces)
{
    const Vec3 size(2, 0.4, 1);
    int on_edge = 0, inside = 0;
    for (const SurfaceSample& s : surface_samples(triangulate(Box{size}, 1), {0.3, 0.05}, origin)) {
        const int sides = static_cast<int>(((2 * s.z.cwiseAbs() - size).cwiseAbs().array() < 1e-12).count());
        on_edge += sides == 2;
        inside += sides == 1;
        EXPECT_EQ(s.flat, sides == 1);
    }
    EXPECT_EQ(on_edge, 4 * (39 + 7 + 19));
    int inside_as_coarse = 0;
    for (const SurfaceSample& s : surface_samples(triangulate(Box{size}, 1), 0.3, origin))
        inside_as_coarse += s.flat;
    EXPECT_EQ(inside, inside_as_coarse);
}

TEST(SurfaceSamples, OfAnObstacleHoldACubeAsItHoldsItself)
{
    const Vec3 size(2, 0.4, 1);
    constexpr double cube = 0.2, spacing = 0.05;
    const TriMesh mesh = triangulate(Box{size}, 1);
    std::vector<SurfaceSample> before = surface_samples(mesh, spacing, origin), after = before;
    weigh_for_cubes(after, 2 * (2 * 0.4 + 0.4 * 1 + 2 * 1), spacing, cube);
    double face = 0, edge = 0; // as much of the top as a face of the cube, as much of its rim as an edge
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_GE(after[i].weight, before[i].weight);
        EXPECT_LE(after[i].weight, 1);
        const Vec3& z = after[i].z;
        if (after[i].flat && z.y() > 0.2 - 1e-9 && std::abs(z.x()) < 0.6 && std::abs(z.z()) < 0.4)
            face += after[i].weight * cube * cube / (1.2 * 0.8);
        if (!after[i].flat && z.y() > 0.2 - 1e-9 && z.x() > 1 - 1e-9 && std::abs(z.z()) < 0.4)
            edge += after[i].weight * cube / 0.8;
    }
    EXPECT_NEAR(face, 8.0 / 6, 0.1);
    EXPECT_NEAR(edge, 2, 0.15);
}

TEST(SurfaceSamples, VerticesOfAFineMeshWeighByTheirArea)
{
    const auto samples = surface_samples(triangulate(Sphere{1}, 0.1), infinity, origin);
    EXPECT_GT(samples.size(), 1000u);
    EXPECT_EQ(samples[0].weight, 0.1); // the least
    const auto coarse = surface_samples(triangulate(Sphere{1}, 1), infinity, origin);
    ASSERT_EQ(coarse.size(), 12u); // icosahedron: all alike
    for (const SurfaceSample& s : coarse)
        EXPECT_NEAR(s.weight, 8.0 / 12, 1e-12);
}

TEST(SurfaceSamples, OfABoxFaceAreBalancedAboutItsMiddle)
{
    Vec3 moment = Vec3::Zero();
    for (const SurfaceSample& s : surface_samples(triangulate(Box{{1, 0.2, 0.6}}, 1), 0.13, origin))
        if (s.z.y() > 0.1 - 1e-12)
            moment += s.weight * Vec3(s.z.x(), 0, s.z.z());
    EXPECT_LT(moment.norm(), 1e-13);
}

TEST(SurfaceSamples, ScaleWithTheBody)
{
    const auto small = surface_samples(triangulate(Box{{1, 2, 3}}, 1), 0.25, origin);
    const auto large = surface_samples(triangulate(Box{{1000, 2000, 3000}}, 1000), 250, origin);
    ASSERT_EQ(small.size(), large.size());
    for (std::size_t i = 0; i < small.size(); ++i)
        EXPECT_NEAR(small[i].weight, large[i].weight, 1e-12);
}

TEST(SurfaceSamples, LookTheWayTheirFacesDo)
{
    const Vec3 half(0.15, 0.35, 0.55);
    int flat = 0;
    for (const SurfaceSample& s : surface_samples(triangulate(Box{2 * half}, 1), 0.09, origin)) {
        const Vec3 on = (s.z.cwiseAbs() - half).cwiseAbs().unaryExpr([](double d) { return d < 1e-12 ? 1.0 : 0.0; });
        EXPECT_NEAR_ALL(s.n, on.cwiseProduct(s.z.cwiseSign()).normalized(), 1e-12); // however it is triangulated
        EXPECT_EQ(s.flat, on.sum() == 1) << s.z.transpose();
        flat += s.flat;
    }
    EXPECT_GT(flat, 50);
    for (const SurfaceSample& s : surface_samples(triangulate(Sphere{1}, 0.1), infinity, origin))
        EXPECT_GT(s.n.dot(s.z.normalized()), 0.99);
}

int peaks(const TriMesh& mesh, double spacing)
{
    const auto samples = surface_samples(mesh, spacing, origin);
    return std::count_if(samples.begin(), samples.end(), [](const SurfaceSample& s) { return s.peak; });
}

/// The corners of a box and the tip of a cone, also of one that is meshed finely; no point on an edge, on a rim or of
/// what is round.
TEST(SurfaceSamples, PeaksAreWhatMayTouchAlone)
{
    EXPECT_EQ(peaks(triangulate(Box{{1, 2, 3}}, 1), 0.4), 8);
    EXPECT_EQ(peaks(triangulate(Cylinder{0.5, 1}, 0.1), infinity), 0);
    EXPECT_EQ(peaks(triangulate(Sphere{0.5}, 0.1), infinity), 0);
    for (const double edge : {0.2, 0.05})
        EXPECT_EQ(peaks(triangulate(Cone{0.5, 1}, edge), 0.2), 1);
}

} // namespace
} // namespace stickslip::surface_samples_test
