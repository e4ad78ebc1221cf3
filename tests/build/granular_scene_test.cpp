#include "stickslip/files/atomic_file.h"
#include "stickslip/files/place_file.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/expand/sphere_sizes.h"
#include "stickslip/scene/table/scene_table.h"
#include "support/granular_scenes.h"
#include "support/temporary_folder.h"

#include "support/numeric.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip::granular_scene_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(GranularScene, FillsRegionsToTheirFraction)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "cube.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\n"
        "f 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n");
    const auto fraction_of = [&](const std::string& region, double volume) {
        const GranularScene scene(filled_body(region + ", fraction: 0.4, sizes: {mean: 0.02, deviation: 0.004}",
                                      "rotation: {axis: [0, 0, 1], degrees: 30}"),
            folder.path());
        double sum = 0;
        for (const Grain& g : scene.granular().grains)
            sum += 4 * pi / 3 * std::pow(g.radius, 3);
        return sum / volume;
    };
    const double one = 4 * pi / 3 * std::pow(0.028, 3); // the largest sphere there may be
    EXPECT_NEAR(fraction_of("box: [0.3, 0.4, 0.3]", 0.036), 0.4, one / 0.036);
    EXPECT_NEAR(
        fraction_of("cylinder: {radius: 0.15, height: 0.4}", pi * 0.0225 * 0.4), 0.4, one / (pi * 0.0225 * 0.4));
    EXPECT_NEAR(fraction_of("sphere: 0.2", 4 * pi / 3 * 0.008), 0.4, one / (4 * pi / 3 * 0.008));
    EXPECT_NEAR(fraction_of("mesh: {file: cube.obj, scale: 0.3}", 0.027), 0.4, one / 0.027);
}

TEST(GranularScene, WallsMayBeInAnyUnit)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "wall.obj", "v 0 0 0\nv 10 0 0\nv 0 0 10\nf 1 3 2\n");
    const GranularScene scene(
        "  - {name: wall, kind: obstacle, shape: {mesh: {file: wall.obj, unit: inch, scale: [1, 1, 2]}}}\n"
            + filled_body("box: [0.2, 0.2, 0.2], count: 5", "radius: 0.01"),
        folder.path());
    EXPECT_CLOSE_ALL(scene.built().surfaces[0]->vertices[1], Vec3(0.254, 0, 0), 1e-15);
    EXPECT_CLOSE_ALL(scene.built().surfaces[0]->vertices[2], Vec3(0, 0, 0.508), 1e-15);
}

TEST(GranularScene, PutsTheRegionWhereTheBodyIs)
{
    const GranularScene scene(filled_body("box: [0.2, 0.0204, 0.0204], count: 6",
        "radius: 0.01, rotation: {axis: [0, 0, "
        "1], degrees: 90}, velocity: [1, 2, 3]"));
    for (const Grain& g : scene.granular().grains) {
        EXPECT_NEAR(g.x.x(), 0, 1e-3); // a row that stands
        EXPECT_NEAR(g.x.y(), 0.3, 0.1);
        EXPECT_EQ(g.v, Vec3(1, 2, 3));
    }
}

TEST(GranularScene, ReadsPlacesAndRadiiFromATable)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "p.csv", "x,y,z,radius\n# two\n0, 1, 0, 0.1\n\n1e0,2,0,0.2\r\n");
    const GranularScene scene(
        "  - {name: g, kind: spheres, material: steel, positions: {file: p.csv}, position: [0, 0, 3]}\n",
        folder.path());
    ASSERT_EQ(scene.granular().grains.size(), 2u);
    EXPECT_EQ(scene.granular().grains[1].x, Vec3(1, 2, 3));
    EXPECT_EQ(scene.granular().grains[1].radius, 0.2);
}

TEST(GranularScene, ReadsVelocitiesFromATable)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "p.csv", "x,y,z,radius,vx,vy,vz,wx,wy,wz\n1,2,3,0.1,4,5,6,7,8,9\n");
    const std::string turned = "rotation: {axis: [0, 0, 1], degrees: 90}";
    const std::string body = "  - {name: g, kind: spheres, material: steel, positions: {file: p.csv}, ";
    const GranularScene scene(body + turned + "}\n", folder.path());
    const Grain& g = scene.granular().grains.at(0);
    EXPECT_NEAR((g.v - Vec3(-5, 4, 6)).norm(), 0, 1e-14);
    EXPECT_NEAR((g.w - Vec3(-8, 7, 9)).norm(), 0, 1e-14);
    const SceneResult read =
        read_scene_text("stickslip: 1\ntime: {step: auto, end: 1}\nsolver: {integration: explicit}\n"
                        "materials: {steel: {density: 1, kn: 1e4}}\nbodies:\n"
                + body + "velocity: [1, 0, 0]}\n",
            "scene.yaml");
    EXPECT_NE(
        format(build_world(read.scene, folder.path()).faults).find("the file contains velocities; remove `velocity`"),
        std::string::npos);
}

TEST(GranularScene, SaysWhatIsWrongInATable)
{
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "p.csv").string();
    const auto complaint = [&](const std::string& text) {
        write_file_atomically(path, text);
        try {
            read_places(path);
        } catch (const InputError& error) {
            return std::string(error.what()).substr(path.size());
        }
        return std::string();
    };
    EXPECT_EQ(complaint("x,y,z\n1,2\n"),
        ":2: error: expected x,y,z or x,y,z,radius or these with vx,vy,vz or with wx,wy,wz too, found \"1,2\"");
    EXPECT_EQ(complaint("1,2,nan\n"),
        ":1: error: expected x,y,z or x,y,z,radius or these with vx,vy,vz or with wx,wy,wz too, found \"1,2,nan\"");
    EXPECT_EQ(complaint("1,2,3,1\n1,2,3\n"), ":2: error: expected 4 numbers as in the lines before, found 3");
    EXPECT_EQ(complaint("1,2,3,0\n"), ":1: error: expected a radius > 0, found \"1,2,3,0\"");
    EXPECT_EQ(complaint("1,2,3,1\n1,2,x,1\n\n1,2,3\n1,1e40,3,1\n"),
        ":2: error: expected x,y,z or x,y,z,radius or these with vx,vy,vz or with wx,wy,wz too, found \"1,2,x,1\"; "
        "also "
        "wrong: line 4, 5");
    EXPECT_EQ(complaint("1,1e40,3\n"), ":1: error: expected numbers up to 1e30, found \"1,1e40,3\"");
    EXPECT_EQ(complaint("x,z,y\n1,2,3\n"), ":1: error: expected a header that begins with x,y,z, found \"x,z,y\"");
    EXPECT_EQ(complaint("\"x [m]\", \"y [m]\",\"z [m]\"\n1,2,3\n"), "");
    EXPECT_EQ(complaint("x,y,z\n"), ": error: expected at least one sphere, found none");
}

TEST(GranularScene, TakesMaterialsFromTheScene)
{
    const GranularScene linear(
        floor_body + filled_body("box: [0.2, 0.2, 0.2], count: 5", "radius: 0.01"), ".", "contact: {friction: 0.25}\n");
    const GranularWorld& world = linear.granular().world;
    EXPECT_EQ(world.law, NormalLaw::linear);
    ASSERT_EQ(world.materials.size(), 1u); // the floor takes that of the grains
    EXPECT_EQ(world.materials[0].stiffness, 1e4);
    EXPECT_EQ(world.materials[0].restitution, 0.6);
    EXPECT_EQ(world.materials[0].friction, 0.25);
    EXPECT_GT(world.dt, 0);

    const GranularScene hertz("  - {name: g, kind: spheres, material: steel, radius: 0.01, positions: [[0, 0, 0]]}\n");
    EXPECT_EQ(hertz.granular().world.law, NormalLaw::hertz);
    EXPECT_EQ(hertz.granular().world.materials[0].young, 1e8);
    const GranularScene sticky("  - {name: g, kind: spheres, material: clay, radius: 0.01, positions: [[0, 0, 0]]}\n",
        ".", "  clay: {density: 1500, young: 1e6, poisson: 0.3, surface_energy: 0.1}\n");
    EXPECT_EQ(sticky.granular().world.law, NormalLaw::dmt);
}

TEST(GranularScene, TheAutomaticStepIsAShareOfTheLimit)
{
    const std::string body = filled_body("box: [0.2, 0.2, 0.2], count: 5", "radius: 0.01");
    const double a = GranularScene(body).granular().world.dt;
    const double b = GranularScene(body, ".", "", "{step: auto, safety: 0.1, end: 0.1}").granular().world.dt;
    EXPECT_NEAR(a / b, 2, 1e-12);
    EXPECT_EQ(GranularScene(body, ".", "", "{step: 2e-5, end: 0.1}").granular().world.dt, 2e-5);
}

TEST(GranularScene, IsWrittenAndReadBack)
{
    const GranularScene scene(
        filled_body("box: [0.2, 0.2, 0.2], count: 5, sizes: {radii: [0.01, 0.02], shares: [1, 2]}, sizes_by: mass")
            + "  - {name: g, kind: spheres, material: steel, radii: [0.1, 0.2], positions: [[0, 0, 0], [1, 1, 1]]}\n"
              "  - {name: wall, kind: obstacle, shape: {mesh: {file: meshes/hopper.obj}}, edges: zones}\n",
        std::filesystem::path(STICKSLIP_SOURCE_DIR) / "scenes", "", "{step: auto, end: 0.1}");
    const std::string text = write_scene(scene.scene);
    const SceneResult read = read_scene_text(text, "again.yaml");
    EXPECT_EQ(format(read.faults), "");
    EXPECT_EQ(write_scene(read.scene), text);
}

/// Radii sorted into [0.01, 0.015) and [0.015, 0.02]: share of the second by number and by mass.
std::pair<double, double> upper_shares(const std::vector<double>& radii)
{
    double count = 0, mass = 0, all = 0;
    for (const double r : radii) {
        all += r * r * r;
        count += r >= 0.015;
        mass += r >= 0.015 ? r * r * r : 0;
    }
    return {count / static_cast<double>(radii.size()), mass / all};
}

TEST(SphereSizes, SharesAreByNumberOrByMass)
{
    constexpr int n = 40000;
    const double sigma = 0.5 / std::sqrt(n); // of the share by number; by mass about twice that
    EXPECT_NEAR(upper_shares(draw_radii(UniformSizes{0.01, 0.02}, ShareOf::count, n, 0, 1)).first, 0.5, 4 * sigma);
    EXPECT_NEAR(upper_shares(draw_radii(UniformSizes{0.01, 0.02}, ShareOf::mass, n, 0, 1)).second, 0.5, 8 * sigma);
    EXPECT_NEAR(upper_shares(draw_radii(NormalSizes{0.015, 0.002}, ShareOf::count, n, 0, 1)).first, 0.5, 4 * sigma);
    EXPECT_NEAR(
        upper_shares(draw_radii(TableSizes{{0.01, 0.02}, {1, 3}}, ShareOf::count, n, 0, 1)).first, 0.75, 4 * sigma);
    EXPECT_NEAR(
        upper_shares(draw_radii(TableSizes{{0.01, 0.02}, {1, 3}}, ShareOf::mass, n, 0, 1)).second, 0.75, 8 * sigma);
    EXPECT_EQ(draw_radii(UniformSizes{0.01, 0.02}, ShareOf::count, 10, 0, 7),
        draw_radii(UniformSizes{0.01, 0.02}, ShareOf::count, 10, 0, 7));
    EXPECT_NE(draw_radii(UniformSizes{0.01, 0.02}, ShareOf::count, 10, 0, 7),
        draw_radii(UniformSizes{0.01, 0.02}, ShareOf::count, 10, 0, 8));
}

TEST(SphereSizes, AFractionIsMetToHalfASphere)
{
    const double one = 4 * pi / 3 * 1e-6;
    EXPECT_EQ(draw_radii(UniformSizes{0.01, 0.01}, ShareOf::count, std::nullopt, 10.4 * one, 1).size(), 10u);
    EXPECT_EQ(draw_radii(UniformSizes{0.01, 0.01}, ShareOf::count, std::nullopt, 10.6 * one, 1).size(), 11u);
}

TEST(GranularScene, RefusesAtOnceWhatNoRegionHolds)
{
    const SceneResult read =
        read_scene_text("stickslip: 1\ntime: {step: auto, end: 0.1}\n"
                        "solver: {integration: explicit}\nmaterials: {glass: {density: 2500, kn: 1e4}}\nbodies:\n"
                        "  - {name: sand, kind: spheres, material: glass, radius: 0.005, fill: {box: [0.1, 0.1, 0.1], "
                        "count: 100000}}\n",
            "scene.yaml");
    ASSERT_EQ(format(read.faults), "");
    EXPECT_NE(format(build_world(read.scene, ".").faults)
                  .find("bodies.sand.fill: the spheres would fill 52.36 of the region's volume; at most about 0.58 can "
                        "be reached"),
        std::string::npos);
}

TEST(GranularScene, PairsMayNameTheSpheresOfABodyTwice)
{
    const std::string bodies = "  - {name: a, kind: spheres, material: glass, radius: 0.01, positions: [[0, 0, 0]]}\n"
                               "  - {name: b, kind: spheres, material: glass, radius: 0.01, positions: [[1, 0, 0]]}\n";
    const GranularScene scene(bodies, ".",
        "contact: {friction: 0.5, pairs: [{bodies: [a, a], friction: 0.1}, {bodies: [b, b], restitution: 0.2}, "
        "{bodies: [a, b], friction: 0.3, restitution: 0.9}]}\n");
    const GranularWorld& world = scene.granular().world;
    ASSERT_EQ(world.materials.size(), 2u);
    const std::vector<PairLaw> laws = pair_laws(world); // aa, ab, ba, bb
    const double usual = damping_ratio(0.6);
    const double friction[] = {0.1, 0.3, 0.3, 0.5};
    const double damping[] = {usual, damping_ratio(0.9), damping_ratio(0.9), damping_ratio(0.2)};
    for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(laws[k].friction, friction[k]) << k;
        EXPECT_EQ(laws[k].damping_ratio, damping[k]) << k;
    }
}

} // namespace
} // namespace stickslip::granular_scene_test
