#include "stickslip/files/atomic_file.h"
#include "support/granular_scenes.h"
#include "support/numeric.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace stickslip::mesh_report_test {
namespace {

constexpr const char* square = "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n";
constexpr const char* again_and_flat = "f 3 2 1\nv 0 0 0\nf 1 3 5\n"; // the first once more, and a diagonal
const std::string sheet = "  - {name: sheet, kind: obstacle, shape: {mesh: {file: sheet.obj}}}\n";
const std::string ball =
    "  - {name: ball, kind: rigid, material: glass, shape: {sphere: 0.1}, position: [0, 0.2, 0]}\n";
const std::string box = "  - {name: box, kind: rigid, material: glass, shape: {box: [1, 1, 1]}, position: [0, 2, 0]}\n";

/// What building a scene says of a surface in sheet.obj.
struct Report {
    TemporaryFolder folder;
    BuildResult result;

    Report(const std::string& integration, const std::string& mesh, const std::string& bodies)
    {
        write_file_atomically(folder.path() / "sheet.obj", mesh);
        const SceneResult read =
            read_scene_text("stickslip: 1\ntime: {step: 1e-4, end: 0.01}\nsolver: {integration: " + integration
                    + "}\nmaterials: {glass: {density: 2500, kn: 1e4}, jelly: {density: 1000, young: 1e5, poisson: "
                      "0.3}}\nbodies:\n"
                    + bodies,
                "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        result = build_world(read.scene, folder.path());
    }
    std::string warnings() const { return format(result.warnings); }
    std::string faults() const { return format(result.faults); }
    long notes(const std::string& start) const
    {
        const std::vector<std::string>& all = result.built.notes;
        return std::count_if(
            all.begin(), all.end(), [&](const std::string& note) { return note.compare(0, start.size(), start) == 0; });
    }
};

class MeshReport : public testing::TestWithParam<const char*> { };

TEST_P(MeshReport, SaysWhatIsLeftOutAndWhatIsJoined)
{
    const std::string twin = "v -1 0 -1\n"; // of the first vertex
    const Report report(GetParam(), std::string(square) + again_and_flat + twin + "v -2 0 0\nf 6 4 7\n", sheet + ball);
    EXPECT_EQ(report.faults(), "");
    EXPECT_NE(report.warnings().find("scene.yaml:6:56: warning: bodies.sheet.shape.mesh.file: triangles without area, "
                                     "left out (1): triangle 3"),
        std::string::npos)
        << report.warnings();
    EXPECT_NE(report.warnings().find("triangles given twice, left out (1): triangle 2 like 0"), std::string::npos)
        << report.warnings();
    EXPECT_EQ(report.notes("sheet: 5 facets, 1 vertex welded, 1 smooth patch"), 1);
}

TEST_P(MeshReport, TellsOfAFileOnce)
{
    const std::string other =
        "  - {name: other, kind: obstacle, shape: {mesh: {file: sheet.obj}}, position: [0, 5, 0]}\n";
    const Report report(GetParam(), std::string(square) + again_and_flat, sheet + other + ball);
    EXPECT_EQ(report.result.warnings.size(), 2u) << report.warnings();
    EXPECT_EQ(report.notes("other:"), 0);
}

TEST_P(MeshReport, RefusesAMeshOfNoFacet)
{
    const Report report(GetParam(), "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\n", sheet + ball);
    EXPECT_NE(report.faults().find("scene.yaml:6:56: error: bodies.sheet.shape.mesh.file: expected a triangle with an "
                                   "area, found none"),
        std::string::npos)
        << report.faults();
}

TEST_P(MeshReport, NamesWhatAnOpenMeshDoesNotHold)
{
    const std::string open = "  - {name: sheet, kind: obstacle, shape: {mesh: {file: sheet.obj}}"
        + std::string(GetParam() == std::string("implicit") ? ", contact_geometry: mesh}\n" : "}\n");
    const std::string cans =
        "  - {name: can, kind: rigid, material: glass, shape: {cylinder: {radius: 0.1, height: 0.1}}, "
        "position: [0, 3, 0], copies: {stack: {count: 2}}}\n";
    const std::string warnings = Report(GetParam(), square, open + ball + cans).warnings();
    if (GetParam() == std::string("implicit")) {
        EXPECT_EQ(warnings, "");
    } else {
        EXPECT_NE(warnings.find("6:56: warning: bodies.sheet.shape.mesh.file: is an open mesh, which only spheres"),
            std::string::npos)
            << warnings;
        EXPECT_NE(warnings.find("touch: \"can\" passes through; close the mesh"), std::string::npos) << warnings;
    }
    EXPECT_EQ(Report(GetParam(), square, open + ball).warnings(), "");
}

/// In implicit runs a sheet that says so holds what has vertices.
const std::string open_sheet =
    "  - {name: sheet, kind: obstacle, shape: {mesh: {file: sheet.obj}}, contact_geometry: mesh}\n";

TEST(OpenMesh, HoldsWhatHasVerticesWithoutAWarning)
{
    const std::string lying =
        "  - {name: box, kind: rigid, material: glass, shape: {box: [1, 1, 1]}, position: [0, 0.5, 0]}\n";
    EXPECT_EQ(Report("implicit", square, open_sheet + lying).warnings(), "");
    EXPECT_EQ(Report("implicit", square, open_sheet + box).warnings(), "");
}

TEST(OpenMesh, HoldsWhatHasBallsWithoutAWarning)
{
    const std::string lying =
        "  - {name: pill, kind: rigid, material: glass, shape: {capsule: {radius: 0.1, height: 0.3}}, position: [0, "
        "0.25, 0]}\n"
        "  - {name: die, kind: rigid, material: glass, shape: {rounded_box: {size: [1, 1, 1], radius: 0.1}}, position: "
        "[3, 0.5, 0]}\n";
    EXPECT_EQ(Report("implicit", square, open_sheet + lying).warnings(), "");
}

TEST(OpenMesh, NamesOfWhatIsRoundOnlyWhatStartsAcross)
{
    const auto can = [](const std::string& name, double y) {
        return "  - {name: " + name + ", kind: rigid, material: glass, shape: {cylinder: {radius: 0.1, height: 0.1}}, "
            + "position: [0.5, " + std::to_string(y) + ", 0.5]}\n";
    };
    const std::string warnings =
        Report("implicit", square, open_sheet + can("above", 3) + can("across", 0.01)).warnings();
    EXPECT_NE(warnings.find("bodies.across.position: starts across the open mesh"), std::string::npos) << warnings;
    EXPECT_EQ(warnings.find("\"above\""), std::string::npos) << warnings;
}

TEST(OpenMesh, OffersDeformableBodiesItsFoldsAndRims)
{
    const std::string tent = "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv 0 1 0\nv 3 0 0\nv 2 0 0\n"
                             "f 5 2 1\nf 5 2 3\nf 5 4 3\nf 5 1 4\n"; // of mixed winding
    const std::string soft = "  - {name: soft, kind: deformable, material: jelly, shape: {box: [1, 1, 1]}, resolution: "
                             "0.5, position: [0, 3, 0]}\n";
    Report report("implicit", tent, open_sheet + soft);
    EXPECT_EQ(report.faults() + report.warnings(), "");
    const PatchPoints& points = report.result.built.world.obstacles[0].patch_points;
    // half an element of 0.58 m apart: 5 used vertices, 6 points on each side of 2 m and 5 on each fold of 1.73 m
    EXPECT_EQ(points.samples.size(), 49u);
    EXPECT_NEAR(report.result.built.world.deformables.bodies[0].element_size, 0.58, 0.03);
    for (const SurfaceSample& point : points.samples) {
        EXPECT_TRUE(point.two_sided);
        const Vec3 x = point.z.cwiseAbs();
        const bool on_rim = std::max(x.x(), x.z()) == 1 && x.y() == 0;
        const bool on_fold = std::abs(x.x() - x.z()) < 1e-12 && std::abs(x.y() + x.x() - 1) < 1e-12;
        EXPECT_TRUE(on_rim || on_fold) << point.z.transpose();
    }
}

TEST(OpenMesh, NamesWhatStartsAcrossIt)
{
    const std::string across =
        "  - {name: box, kind: rigid, material: glass, shape: {box: [1, 1, 1]}, position: [0.1, 0.4, 0]}\n";
    const std::string pill = "  - {name: pill, kind: rigid, material: glass, shape: {capsule: {radius: 0.1, height: "
                             "0.3}}, position: [-0.3, 0.05, 0]}\n";
    const std::string warnings = Report("implicit", square, open_sheet + across + pill).warnings();
    EXPECT_NE(warnings.find("bodies.pill.position: starts across the open mesh"), std::string::npos) << warnings;
    EXPECT_NE(
        warnings.find("bodies.box.position: starts across the open mesh \"sheet\", which cuts "), std::string::npos)
        << warnings;
}

TEST(OpenMesh, MayBeAConveyor)
{
    std::string belt = open_sheet;
    belt.insert(belt.rfind('}'), ", motion: {surface_velocity: [1, 0, 0]}");
    EXPECT_EQ(
        Report("implicit", square, belt + box).warnings(), Report("implicit", square, open_sheet + box).warnings());
}

TEST(MeshOfASolid, IsSilentWhereNoSphereMeetsTriangles)
{
    const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    const Report report("implicit", tetrahedron, sheet + box);
    EXPECT_EQ(report.faults() + report.warnings(), "");
    EXPECT_EQ(report.notes("sheet:"), 0);
}

TEST(FlatSheet, IsNotToldToHoldABallInsideByRoundOff)
{
    for (int degrees = 1; degrees < 90; ++degrees) {
        const double a = degrees * std::numbers::pi / 180;
        char bodies[400];
        std::snprintf(bodies, sizeof bodies,
            "  - {name: sheet, kind: obstacle, shape: {mesh: {file: sheet.obj}}, rotation: {axis: [0, 0, 1], degrees: "
            "%d}}\n"
            "  - {name: ball, kind: rigid, material: glass, shape: {sphere: 0.1}, position: [%.17g, %.17g, 0]}\n",
            degrees, -0.1 * std::sin(a), 0.1 * std::cos(a));
        EXPECT_EQ(Report("implicit", square, bodies).warnings(), "") << degrees;
    }
}

/// A unit cube, each facet with its own corners, moved at random by up to `slop`.
std::string loose_cube(double slop)
{
    Random random(3);
    std::string text;
    const auto add = [&](const Vec3& x) {
        const Vec3 moved = x + slop * random.vector(1);
        char line[120];
        std::snprintf(line, sizeof line, "v %.17g %.17g %.17g\n", moved.x(), moved.y(), moved.z());
        text += line;
    };
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-0.5, 0.5}) {
            Vec3 u = Vec3::Zero(), v = Vec3::Zero(), n = Vec3::Zero();
            n[axis] = side;
            u[(axis + 1) % 3] = 0.5;
            v[(axis + 2) % 3] = side;
            for (const auto& [i, j] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}})
                add(n + i * u + j * v);
        }
    }
    for (int f = 0; f < 12; ++f)
        text +=
            "f " + std::to_string(3 * f + 1) + " " + std::to_string(3 * f + 2) + " " + std::to_string(3 * f + 3) + "\n";
    return text;
}

std::string obstacle_of(const std::string& keys)
{
    return "  - {name: sheet, kind: obstacle, shape: {mesh: {file: sheet.obj" + keys + "}}}\n";
}

TEST_P(MeshReport, JoinsCornersWhereverTheMeshIsUsed)
{
    const std::string rigid =
        "  - {name: crate, kind: rigid, material: glass, shape: {mesh: {file: sheet.obj}}, position: [0, 3, 0]}\n";
    const std::string filled = "  - {name: sand, kind: spheres, material: glass, radius: 0.05, fill: {mesh: {file: "
                               "sheet.obj}, count: 20}}\n";
    const std::string cube = loose_cube(0);
    EXPECT_EQ(Report(GetParam(), cube, rigid + ball).faults(), "");
    EXPECT_EQ(Report("explicit", cube, filled).faults(), "");
    EXPECT_EQ(
        Report(GetParam(), cube, obstacle_of("") + ball).notes("sheet: 12 facets, 28 vertices welded, 6 smooth"), 1);
    EXPECT_NE(Report(GetParam(), loose_cube(1e-4), rigid + ball).faults().find("open edges"), std::string::npos);
}

TEST_P(MeshReport, NamesASeamThatIsNearlyClosedAndWhatClosesIt)
{
    const std::string cube = loose_cube(1e-4);
    const Report open(GetParam(), cube, obstacle_of("") + ball);
    EXPECT_NE(open.warnings().find("36 edges with one triangle only, up to 0.000"), std::string::npos)
        << open.warnings();
    const std::size_t at = open.warnings().find("`weld: ");
    ASSERT_NE(at, std::string::npos) << open.warnings();
    const std::string weld = open.warnings().substr(at + 1, open.warnings().find('`', at + 1) - at - 1);
    const Report closed(GetParam(), cube, obstacle_of(", " + weld) + ball);
    EXPECT_EQ(closed.warnings(), "");
    EXPECT_EQ(closed.notes("sheet: 12 facets, 28 vertices welded, 6 smooth"), 1);
    EXPECT_NE(Report(GetParam(), cube, obstacle_of(", weld: 0.3") + ball).faults().find("`weld` below a tenth"),
        std::string::npos);
}

TEST_P(MeshReport, SmoothPatchesFollowThePatchAngle)
{
    const std::string bent = "v -1 0 0\nv 0 0 0\nv 0 0 1\nv 1 0.4663 0\nf 1 2 3\nf 2 4 3\n"; // by 25 degrees
    EXPECT_EQ(
        Report(GetParam(), bent, obstacle_of("") + ball).notes("sheet: 2 facets, 0 vertices welded, 2 smooth"), 1);
    EXPECT_EQ(Report(GetParam(), bent, obstacle_of(", patch_angle: 30") + ball)
                  .notes("sheet: 2 facets, 0 vertices welded, 1 smooth"),
        1);
}

TEST_P(MeshReport, NamesFoldsInASheet)
{
    const std::string folded = "v -1 0 0\nv 0 0 0\nv 0 0 1\nv -0.5 0.001 0.2\nf 1 2 3\nf 2 4 3\n";
    const std::string warnings = Report(GetParam(), folded, obstacle_of("") + ball).warnings();
    EXPECT_NE(warnings.find(
                  "1 edge where a triangle is folded onto its neighbour by more than 179 degrees (triangles 0 and 1)"),
        std::string::npos)
        << warnings;
}

INSTANTIATE_TEST_SUITE_P(, MeshReport, testing::Values("implicit", "explicit"));

} // namespace
} // namespace stickslip::mesh_report_test
