#include "stickslip/geometry/mesh/mass_properties.h"

#include "geometry/closed_meshes.h"
#include "stickslip/geometry/mesh/surface_shapes.h"
#include "stickslip/math/error.h"

#include "support/numeric.h"

namespace stickslip::mass_properties_test {
namespace {

const std::vector<Primitive> shapes{Box{{0.3, 0.7, 1.1}}, RoundedBox{{0.5, 0.7, 1.1}, 0.2}, Sphere{0.4},
    Cylinder{0.3, 0.9}, Cone{0.3, 0.9}, Capsule{0.25, 0.6}, Torus{0.5, 0.2}};

TriMesh moved(TriMesh mesh, const Mat3& R, const Vec3& by)
{
    for (Vec3& x : mesh.vertices)
        x = R * x + by;
    return mesh;
}

TEST(MassProperties, OfABoxAreThoseOfItsMesh)
{
    const Box box{{0.3, 0.7, 1.1}};
    const MassProperties exact = mass_properties(box), mesh = mass_properties(triangulate(box, 1));
    EXPECT_NEAR(mesh.volume, exact.volume, 1e-15); // a few roundings
    EXPECT_CLOSE_ALL(mesh.centre, Vec3(0, 0, 0), 1e-15);
    EXPECT_NEAR_ALL(mesh.inertia, exact.inertia, 1e-14);
    EXPECT_NEAR(exact.inertia(0, 0), exact.volume / 12 * (0.7 * 0.7 + 1.1 * 1.1), 1e-15);
}

TEST(MassProperties, OfRoundShapesAreTheLimitOfTheirMeshes)
{
    for (const Primitive& shape : shapes) {
        const MassProperties exact = mass_properties(shape);
        const auto error = [&](double resolution) {
            const MassProperties mesh = mass_properties(triangulate(shape, resolution));
            EXPECT_LT((mesh.centre - exact.centre).norm(), 1e-12);
            return std::max(std::abs(mesh.volume - exact.volume) / exact.volume,
                (mesh.inertia - exact.inertia).norm() / exact.inertia.norm());
        };
        const double coarse = error(0.02), fine = error(0.01);
        EXPECT_LT(fine, 0.002) << shape.index();
        if (!std::holds_alternative<Box>(shape)) {
            EXPECT_NEAR(coarse / fine, 4, 0.6) << shape.index(); // second order in the edge length
        }
    }
}

TEST(MassProperties, OfATetrahedronAreTheClosedForm)
{
    const TriMesh corner{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    const MassProperties p = mass_properties(corner);
    EXPECT_NEAR(p.volume, 1.0 / 6, 1e-16);
    EXPECT_CLOSE_ALL(p.centre, Vec3(0.25, 0.25, 0.25), 1e-16);
    // about the corner: integral of x^2 = 1/60, of x y = 1/120; moved to the centre
    const double square = 1.0 / 60 - 1.0 / 96, product = 1.0 / 120 - 1.0 / 96;
    Mat3 expected = Mat3::Constant(-product);
    expected.diagonal().setConstant(2 * square);
    EXPECT_CLOSE_ALL(p.inertia, expected, 1e-16);
}

TEST(MassProperties, TurnAndMoveWithTheMesh)
{
    Random random(3);
    const TriMesh mesh = spiky_mesh(3);
    const MassProperties p = mass_properties(mesh);
    for (int trial = 0; trial < 20; ++trial) {
        const Mat3 R = random.rotation();
        const Vec3 by = random.vector(trial < 10 ? 3 : 1000);
        const MassProperties q = mass_properties(moved(mesh, R, by));
        const double round_off = trial < 10 ? 1e-13 : 1e-10; // of coordinates of that size
        EXPECT_NEAR(q.volume, p.volume, round_off * p.volume);
        EXPECT_CLOSE_ALL(q.centre, Vec3(R * p.centre + by), round_off);
        EXPECT_NEAR_ALL(q.inertia, Mat3(R * p.inertia * R.transpose()), round_off);
    }
}

TEST(MassProperties, OfTwoPartsFollowTheParallelAxes)
{
    TriMesh both = cube_mesh(1);
    const TriMesh small = moved(cube_mesh(0.5), Mat3::Identity(), Vec3(2, 0, 0));
    for (const Triangle& t : small.triangles)
        both.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    both.vertices.insert(both.vertices.end(), small.vertices.begin(), small.vertices.end());
    const MassProperties p = mass_properties(both);
    const double m = 0.125, d1 = 2 * m / (1 + m), d2 = 2 - d1;
    EXPECT_NEAR(p.volume, 1 + m, 1e-15);
    EXPECT_CLOSE_ALL(p.centre, Vec3(d1, 0, 0), 1e-15);
    const double own = 1.0 / 6 + m / 24, apart = d1 * d1 + m * d2 * d2;
    EXPECT_CLOSE_ALL(p.inertia, Mat3(Vec3(own, own + apart, own + apart).asDiagonal()), 1e-14);
}

TEST(MassProperties, OfAPlaneAreRefused)
{
    EXPECT_THROW(mass_properties(Primitive(Plane{})), InputError);
    EXPECT_THROW(mass_properties(Primitive(Torus{1, 2})), InputError);
}

} // namespace
} // namespace stickslip::mass_properties_test
