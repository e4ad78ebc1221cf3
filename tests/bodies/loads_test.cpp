#include "stickslip/bodies/loads.h"

#include "support/boxes.h"

#include <Eigen/LU>

#include <numeric>

namespace stickslip::loads_test {
namespace {

constexpr double size = 0.2, pressure = 700;

/// Two bodies, the second one under pressure.
DeformableSet two_bodies()
{
    const ElasticMaterial m = make_material(ElasticModel::neo_hookean, 900, 1e5, 0.3, 0);
    DeformableSet set;
    add_deformable(set, "light", cube_mesh(size, 1), m);
    const int second =
        add_deformable(set, "heavy", cube_mesh(1.5 * size, 2), make_material(ElasticModel::linear, 2000, 1e5, 0.3, 0));
    set.bodies[second].pressure = pressure;
    set.bodies[second].acceleration = Vec3(1, 0, 2);
    finish(set);
    return set;
}

std::vector<Vec3> pressure_force(const DeformableSet& set, const std::vector<Vec3>& x)
{
    std::vector<Vec3> f(x.size(), Vec3::Zero());
    add_pressure_force(set, x, f);
    return f;
}

std::vector<Vec3> pressure_differential(
    const DeformableSet& set, const std::vector<Vec3>& x, const std::vector<Vec3>& dx, bool transposed)
{
    std::vector<Vec3> df(x.size(), Vec3::Zero());
    add_pressure_force_differential(set, x, dx, df, transposed);
    return df;
}

TEST(PressureForce, IsMinusTheGradientOfItsEnergy)
{
    Random random(1);
    const DeformableSet set = two_bodies();
    const std::vector<Vec3> x = shaken(set.rest, 0.1 * size, random);
    std::vector<Vec3> expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto energy = [&](const Vec3& p) {
            std::vector<Vec3> y = x;
            y[i] = p;
            return pressure_energy(set, y, set.bodies[0]) + pressure_energy(set, y, set.bodies[1]);
        };
        expected.push_back(-difference(energy, x[i], 0.1 * size).transpose());
    }
    EXPECT_NEAR_ALL(pressure_force(set, x), expected, 1e-11);
}

TEST(PressureForce, PushesInwardByPressureTimesArea)
{
    const DeformableSet set = two_bodies();
    const std::vector<Vec3> f = pressure_force(set, set.rest);
    Vec3 on_top = Vec3::Zero(), on_light = Vec3::Zero();
    for (int i = set.bodies[1].nodes.begin; i < set.bodies[1].nodes.end; ++i) {
        EXPECT_LE(f[i].dot(set.rest[i]), 0);
        if (set.rest[i].y() > 0.74 * size)
            on_top += f[i];
    }
    for (int i = set.bodies[0].nodes.begin; i < set.bodies[0].nodes.end; ++i)
        on_light += f[i].cwiseAbs();
    EXPECT_NEAR(on_top.y(), -pressure * 2.25 * size * size, 1e-11);
    EXPECT_EQ(on_light, Vec3::Zero());
}

TEST(PressureForce, OfAClosedBodyHasNoNetForceNorTorque)
{
    Random random(2);
    const DeformableSet set = two_bodies();
    const std::vector<Vec3> x = moved(shaken(set.rest, 0.1 * size, random), random.rotation(), Vec3(3, 4, 5));
    const std::vector<Vec3> f = pressure_force(set, x);
    EXPECT_LT(sum_of(f).norm(), 1e-12 * norm_all(f) * 10);
    EXPECT_LT(torque_of(x, f).norm(), 1e-11 * norm_all(f) * 10);
}

TEST(PressureForce, DifferentialMatchesDifferencesTransposeAndBlocks)
{
    Random random(3);
    const DeformableSet set = two_bodies();
    const std::vector<Vec3> x = shaken(set.rest, 0.1 * size, random);
    const auto a = random.vectors(x.size()), b = random.vectors(x.size());
    const auto Ha = pressure_differential(set, x, a, false);
    const auto f = [&](const std::vector<Vec3>& y) { return pressure_force(set, y); };
    EXPECT_NEAR_ALL(Ha, difference_along(f, x, a, 0.1 * size), 1e-11);
    EXPECT_NEAR(dot_all(b, Ha), dot_all(pressure_differential(set, x, b, true), a), 1e-13 * norm_all(Ha) * norm_all(b));
    std::vector<Vec3> sum(x.size(), Vec3::Zero());
    for (std::size_t t = 0; t < set.triangles.size(); ++t)
        for (int corner = 0; corner < 3; ++corner) {
            std::array<Mat3, 3> row;
            pressure_force_blocks(set, x, static_cast<int>(t), corner, row);
            for (int k = 0; k < 3; ++k)
                sum[set.triangles[t][corner]] += row[k] * a[set.triangles[t][k]];
        }
    EXPECT_NEAR_ALL(sum, Ha, 1e-13);
}

TEST(PressureEnergy, IsPressureTimesVolume)
{
    Random random(4);
    DeformableSet set = two_bodies();
    const Mat3 F = Mat3::Identity() + random.matrix(0.2);
    const std::vector<Vec3> x = moved(set.rest, F, Vec3(1, 2, 3));
    EXPECT_NEAR(pressure_energy(set, x, set.bodies[1]), pressure * F.determinant() * std::pow(1.5 * size, 3), 1e-10);
    EXPECT_EQ(pressure_energy(set, x, set.bodies[0]), 0);
    EXPECT_TRUE(has_pressure(set));
    set.bodies[1].pressure = 0;
    EXPECT_FALSE(has_pressure(set));
}

TEST(Weight, IsMassTimesGravityAndTheBodysOwnAcceleration)
{
    const DeformableSet set = two_bodies();
    std::vector<Vec3> f(set.rest.size(), Vec3::Zero());
    add_weight(set, Vec3(0, -10, 0), f);
    const double light = 900 * std::pow(size, 3), heavy = 2000 * std::pow(1.5 * size, 3);
    EXPECT_NEAR_ALL(sum_of(f), Vec3(heavy, -10 * (light + heavy), 2 * heavy), 1e-13);
}

TEST(DeformableSet, MassesAndAreasSumToThoseOfTheBodies)
{
    const DeformableSet set = two_bodies();
    const double volumes[] = {std::pow(size, 3), std::pow(1.5 * size, 3)}, densities[] = {900, 2000};
    const double areas[] = {6 * size * size, 13.5 * size * size};
    for (int b = 0; b < 2; ++b) {
        const DeformableBody& body = set.bodies[b];
        const auto sum = [&](const std::vector<double>& v, Range r) {
            return std::accumulate(v.begin() + r.begin, v.begin() + r.end, 0.0);
        };
        EXPECT_NEAR(body.mass, densities[b] * volumes[b], 1e-12 * body.mass);
        EXPECT_NEAR(sum(set.mass, body.nodes), body.mass, 1e-12 * body.mass);
        EXPECT_NEAR(sum(set.volume, body.tets), volumes[b], 1e-12 * volumes[b]);
        EXPECT_NEAR(body.surface_area, areas[b], 1e-12 * areas[b]);
        EXPECT_NEAR(sum(set.nodal_area, body.nodes), areas[b], 1e-12 * areas[b]);
        for (int i = body.nodes.begin; i < body.nodes.end; ++i) {
            EXPECT_GT(set.mass[i], 0);
            EXPECT_EQ(set.body_of_node[i], b);
        }
    }
}

TEST(DeformableSet, RangesFollowOneAnotherAndStayWithTheirBody)
{
    const DeformableSet set = two_bodies();
    EXPECT_EQ(set.bodies[0].nodes.end, set.bodies[1].nodes.begin);
    EXPECT_EQ(set.bodies[1].nodes.end, static_cast<int>(set.rest.size()));
    EXPECT_EQ(set.bodies[1].triangles.end, static_cast<int>(set.triangles.size()));
    EXPECT_TRUE(std::is_sorted(set.surface_nodes.begin(), set.surface_nodes.end()));
    for (const DeformableBody& body : set.bodies) {
        for (int t = body.tets.begin; t < body.tets.end; ++t)
            for (const int node : set.tets[t])
                EXPECT_TRUE(node >= body.nodes.begin && node < body.nodes.end);
        for (int s = body.surface_nodes.begin; s < body.surface_nodes.end; ++s)
            EXPECT_GT(set.nodal_area[set.surface_nodes[s]], 0);
    }
    // a cube of 2 x 2 x 2 cells has one node inside
    EXPECT_EQ(set.bodies[1].surface_nodes.size(), 26);
    EXPECT_EQ(set.bodies[1].nodes.size(), 27);
}

TEST(DeformableSet, CornerListsHoldEveryCornerOnce)
{
    const DeformableSet set = two_bodies();
    ASSERT_EQ(set.tet_corners.size(), 4 * set.tets.size());
    ASSERT_EQ(set.triangle_corners.size(), 3 * set.triangles.size());
    for (std::size_t node = 0; node < set.rest.size(); ++node) {
        for (int k = set.tet_corners_begin[node]; k < set.tet_corners_begin[node + 1]; ++k)
            EXPECT_EQ(set.tets[set.tet_corners[k] / 4][set.tet_corners[k] % 4], static_cast<int>(node));
        for (int k = set.triangle_corners_begin[node]; k < set.triangle_corners_begin[node + 1]; ++k)
            EXPECT_EQ(set.triangles[set.triangle_corners[k] / 3][set.triangle_corners[k] % 3], static_cast<int>(node));
    }
}

TEST(DeformableSet, ElementSizeIsTheMeanEdge)
{
    const DeformableSet set = two_bodies();
    // one cell in five tetrahedra: twelve sides and six face diagonals
    EXPECT_NEAR(set.bodies[0].element_size, size * (12 + 6 * std::sqrt(2)) / 18, 1e-14);
}

} // namespace
} // namespace stickslip::loads_test
