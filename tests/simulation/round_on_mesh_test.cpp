#include <stickslip/stickslip.h>

#include "geometry/closed_meshes.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

/// What is round, however large, beside a mesh that others meet by its sampled distance: a ball of radius 0.1 m.
namespace stickslip::round_on_mesh_test {
namespace {

constexpr double R = 0.1;

class RoundOnMesh : public testing::Test {
protected:
    RoundOnMesh()
    {
        const TriMesh ball = sphere_mesh(R, 4); // 2048 triangles, with vertices at the poles
        std::ofstream out(folder_.path() / "ball.obj");
        for (const Vec3& v : ball.vertices)
            out << "v " << v.x() << ' ' << v.y() << ' ' << v.z() << '\n';
        for (const auto& [a, b, c] : ball.triangles)
            out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
    }

    Simulation start(const std::string& bodies, const std::string& settings) const
    {
        return Simulation(scene_from_text("stickslip: 1\n" + settings
                + "\nmaterials: {m: {density: 1000, kn: 1e8, restitution: 0.3}}\nbodies:\n" + bodies,
            {.folder = folder_.path().string()}));
    }

    TemporaryFolder folder_;
};

std::string number(double x)
{
    return std::to_string(x);
}

const std::string resting = "  - {name: mesh, kind: obstacle, shape: {mesh: {file: ball.obj}}}\n"
                            "  - {name: body, kind: rigid, material: m, fixed_dofs: [x, z, rx, ry, rz], ";

TEST_F(RoundOnMesh, ABodyOfAnySizeRestsOnItsTop)
{
    for (const double r : {0.005, 0.02, 0.03, 0.05, 0.1, 0.3}) {
        SCOPED_TRACE(r);
        const double length = 4 * r; // a ball of it is over the top
        for (const std::string& shape : {"capsule: {radius: " + number(r) + ", height: " + number(length)
                     + "}}, rotation: {axis: [1, 0, 0], degrees: 90}",
                 "torus: {major: " + number(3 * r) + ", minor: " + number(r)
                     + "}}, rotation: {axis: [1, 0, 0], degrees: 90}"}) {
            SCOPED_TRACE(shape);
            const double ring = shape[0] == 't' ? 3 * r : 0;
            Simulation simulation =
                start(resting + "shape: {" + shape + ", position: [0, " + number(R + r + ring + 0.02) + ", 0]}\n",
                    "time: {step: 0.005, end: 1}");
            ASSERT_EQ(simulation.run(0.5), RunStatus::done);
            EXPECT_NEAR(simulation.pose("body").x.y(), R + r + ring, 2e-3 * R);
            EXPECT_LT(simulation.energies().kinetic, 1e-9);
        }
    }
}

TEST_F(RoundOnMesh, ACapsuleOfSpheresRestsOnItsTop)
{
    for (const double r : {0.02, 0.05, 0.2}) {
        SCOPED_TRACE(r);
        Simulation simulation = start(resting + "shape: {capsule: {radius: " + number(r) + ", height: " + number(4 * r)
                + "}}, rotation: {axis: [1, 0, 0], degrees: 90}, position: [0, " + number(R + r + 0.01) + ", 0]}\n",
            "time: {step: auto, end: 1}\nsolver: {integration: explicit}");
        ASSERT_EQ(simulation.run(0.6), RunStatus::done);
        EXPECT_NEAR(simulation.pose("body").x.y(), R + r, 2e-3 * R);
    }
}

TEST_F(RoundOnMesh, NothingIsFeltAcrossAGap)
{
    const Vec3 beside = (R + 0.08 + 0.005) * Vec3(-0.9, 0.2, 0.4).normalized();
    const std::string place =
        "position: [" + number(beside.x()) + ", " + number(beside.y()) + ", " + number(beside.z()) + "]}\n";
    for (const std::string kind : {"kind: obstacle, ", "kind: rigid, material: m, "}) {
        Simulation simulation =
            start("  - {name: mesh, kind: rigid, material: m, shape: {mesh: {file: ball.obj}}}\n  - {name: ball, "
                    + kind + "shape: {sphere: 0.08}, " + place,
                "gravity: [0, 0, 0]\ntime: {step: 0.005, end: 0.1}\nsolver: {audit: every}");
        ASSERT_EQ(simulation.run(0.1), RunStatus::done);
        EXPECT_LT(simulation.pose("mesh").x.norm(), 1e-6);
        EXPECT_LT(simulation.energies().kinetic, 1e-12);
        EXPECT_TRUE(simulation.messages().empty()) << simulation.messages().front();
    }
}

// It meets a sphere that stands by its triangles, as a sphere would it.
TEST_F(RoundOnMesh, ItFallsOnASphereThatStands)
{
    Simulation simulation = start(
        "  - {name: mesh, kind: rigid, material: m, shape: {mesh: {file: ball.obj}}, position: [0.01, 0.45, 0.02]}\n"
        "  - {name: ball, kind: obstacle, shape: {sphere: 0.3}}\n",
        "time: {step: 0.005, end: 1}\ncontact: {friction: 0.5}");
    const Energies before = simulation.energies();
    ASSERT_EQ(simulation.run(0.4), RunStatus::done);
    const Energies after = simulation.energies();
    EXPECT_NEAR(simulation.pose("mesh").x.norm(), 0.4, 1e-3); // it lies on a facet, or rolls off
    EXPECT_LT(after.kinetic + after.potential, before.kinetic + before.potential);
    EXPECT_TRUE(simulation.messages().empty()) << simulation.messages().front();
}

} // namespace
} // namespace stickslip::round_on_mesh_test
