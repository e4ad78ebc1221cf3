#include <stickslip/stickslip.h>

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

/// Bodies that are not convex, met by their triangles, and thrown at each other. A corner that goes over an edge of the
/// other gets more and more of a spring that is deep already.
namespace stickslip::thrown_meshes_test {
namespace {

/// Five points in outline, 0.2 m wide and 0.05 m thick.
void write_star(std::ostream& obj)
{
    for (const double z : {-0.025, 0.025})
        for (int i = 0; i < 10; ++i) {
            const double r = i % 2 == 0 ? 0.1 : 0.045, angle = std::numbers::pi * i / 5;
            obj << "v " << r * std::cos(angle) << ' ' << r * std::sin(angle) << ' ' << z << '\n';
        }
    const auto facet = [&](int a, int b, int c) { obj << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n'; };
    const auto on_both_sides = [&](int a, int b, int c) {
        facet(c, b, a);
        facet(a + 10, b + 10, c + 10);
    };
    for (int i = 0; i < 10; i += 2)
        on_both_sides((i + 9) % 10, i, i + 1);
    for (const int i : {3, 5, 7})
        on_both_sides(1, i, i + 2);
    for (int i = 0; i < 10; ++i) {
        const int j = (i + 1) % 10;
        facet(i, j, j + 10);
        facet(i, j + 10, i + 10);
    }
}

/// Two plates of 0.04 m at right angles, 0.2 m wide.
constexpr const char* angle = R"(v 0.1 -0.1 -0.1
v 0.1 -0.06 -0.1
v 0.1 -0.06 0.1
v 0.1 -0.1 0.1
v -0.06 -0.1 -0.1
v -0.06 -0.1 0.1
v -0.06 -0.06 -0.1
v -0.06 -0.06 0.1
v -0.1 -0.1 -0.1
v -0.1 -0.1 0.1
v -0.1 -0.06 0.1
v -0.1 -0.06 -0.1
v -0.1 0.1 0.1
v -0.1 0.1 -0.1
v -0.06 0.1 -0.1
v -0.06 0.1 0.1
f 1 2 3
f 1 3 4
f 5 1 4
f 5 4 6
f 7 8 3
f 7 3 2
f 5 7 2
f 5 2 1
f 6 4 3
f 6 3 8
f 9 10 11
f 9 11 12
f 9 5 6
f 9 6 10
f 9 12 7
f 9 7 5
f 10 6 8
f 10 8 11
f 12 11 13
f 12 13 14
f 7 15 16
f 7 16 8
f 14 13 16
f 14 16 15
f 12 14 15
f 12 15 7
f 11 8 16
f 11 16 13
)";

struct Throw {
    const char* name; // what a step gained before
    const char *file, *one, *other;
};

const Throw throws[] = {
    {"0.38 J of 1.9 J", "star.obj",
        "position: [-0.2, -0.057, 0.050], rotation: {quaternion: [-0.7229, -0.3943, 0.4619, -0.3295]}, velocity: [2, "
        "0, 0], angular_velocity: [-2.3, 7.1, 0.8]",
        "position: [0.2, -0.029, -0.041], rotation: {quaternion: [-0.6316, -0.5833, -0.2846, -0.4241]}, velocity: [-2, "
        "0, 0], angular_velocity: [-7.8, 2.3, 2.0]"},
    {"0.43 J of 30 J", "angle.obj",
        "position: [-0.2, 0.031, 0.049], rotation: {quaternion: [-0.2008, -0.198, -0.6494, 0.7063]}, velocity: [4, 0, "
        "0], angular_velocity: [-4.3, -1.6, 1.2]",
        "position: [0.2, -0.047, 0.010], rotation: {quaternion: [0.638, 0.6919, -0.278, 0.1925]}, velocity: [-4, 0, "
        "0], angular_velocity: [7.3, 3.0, -3.7]"}};

TEST(ThrownMeshes, GainNoEnergy)
{
    const TemporaryFolder folder;
    std::ofstream star(folder.path() / "star.obj");
    write_star(star);
    star.close();
    std::ofstream(folder.path() / "angle.obj") << angle;
    for (const Throw& t : throws) {
        SCOPED_TRACE(t.name);
        const std::string body = std::string(", kind: rigid, shape: {mesh: {file: ") + t.file + "}}, material: oak, ";
        Simulation simulation(scene_from_text(
            "stickslip: 1\ntime: {step: 0.0166666667, end: 0.25}\ngravity: [0, 0, 0]\ncontact: {friction: 0.2}\n"
            "solver: {audit: every}\nmaterials: {oak: {density: 700}}\nbodies:\n  - {name: a"
                + body + t.one + "}\n  - {name: b" + body + t.other + "}\n",
            {.folder = folder.path().string()}));
        const auto energy = [](const Simulation& s) { return s.energies().kinetic + s.energies().contact; };
        const double first = energy(simulation);
        double last = first;
        ASSERT_EQ(simulation.run(0.25,
                      [&](Simulation& now) {
                          EXPECT_LT(energy(now), last + 1e-4 * first) << "at t = " << now.time();
                          last = energy(now);
                      }),
            RunStatus::done);
        EXPECT_LT(last, 0.9 * first) << "they have not met";
    }
}

// Flat on one another, 2 mm too near. The springs have what they begin with, and give no more.
TEST(OverlappingMeshes, PartWhereARunStarts)
{
    const TemporaryFolder folder;
    std::ofstream star(folder.path() / "star.obj");
    write_star(star);
    star.close();
    const std::string body = ", kind: rigid, shape: {mesh: {file: star.obj}}, material: oak, position: ";
    Simulation simulation(scene_from_text("stickslip: 1\ntime: {step: 0.01, end: 0.3}\ngravity: [0, 0, 0]\n"
                                          "materials: {oak: {density: 700}}\nbodies:\n  - {name: a"
            + body + "[0, 0, 0]}\n  - {name: b" + body + "[0.01, 0.02, 0.048]}\n",
        {.folder = folder.path().string()}));
    double last = infinity;
    ASSERT_EQ(simulation.run(0.3,
                  [&](Simulation& now) {
                      const double energy = now.energies().kinetic + now.energies().contact;
                      EXPECT_LE(energy, last * (1 + 1e-9)) << "at t = " << now.time();
                      last = energy;
                  }),
        RunStatus::done);
    EXPECT_GT(simulation.pose("b").x.z() - simulation.pose("a").x.z(), 0.05);
}

} // namespace
} // namespace stickslip::thrown_meshes_test
