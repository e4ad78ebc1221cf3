#include "support/imported_scene.h"

#include "stickslip/bodies/motion.h"
#include "stickslip/math/error.h"
#include "stickslip/math/rotation.h"

#include "support/numeric.h"

#include <cmath>
#include <numbers>

/// What the importer decides: sides of sheets, times, parts, motions, what it refuses, points of surfaces.
namespace stickslip::import_decisions_test {
namespace {

constexpr const char* no_gravity = R"(, "gravity": [0, 0, 0])";

std::string sheet(const std::string& more)
{
    return R"({"mesh": "sheet.obj", "type": "static")" + more + "}";
}
std::string cube(const std::string& position, const std::string& more = "")
{
    return R"({"mesh": "cube.obj", "position": )" + position + more + "}";
}

Bounds extent(const BodySettings& box)
{
    const Vec3 size = std::get<Box>(box.shape).size;
    const Mat3 R = box.rotation ? rotation_matrix(*box.rotation) : Mat3::Identity();
    const Vec3 half = 0.5 * R.cwiseAbs() * size;
    Bounds result;
    result.add(box.position - half);
    result.add(box.position + half);
    return result;
}

TEST(ImportedSheets, FaceTheFreeBodiesWithoutGravity)
{
    // a room of sheets 10 m wide around a cube, each turned so that its normal looks anywhere
    const Imported i(cube("[0, 0, 0]") + "," + sheet(R"(, "position": [0, -5, 0])") + ","
            + sheet(R"(, "position": [0, 5, 0])") + "," + sheet(R"(, "position": [5, 0, 0], "rotation": [0, 0, 90])")
            + "," + sheet(R"(, "position": [-5, 0, 0], "rotation": [0, 0, 90])") + ","
            + sheet(R"(, "position": [0, 0, 5], "rotation": [90, 0, 0])") + ","
            + sheet(R"(, "position": [0, 0, -5], "rotation": [-90, 0, 0])"),
        no_gravity);
    Bounds room{.min = Vec3::Constant(-5), .max = Vec3::Constant(5)};
    for (std::size_t b = 1; b < 7; ++b) {
        const Bounds wall = extent(i.body(b));
        const bool meets =
            (wall.max.array() > room.min.array() + 1e-9).all() && (wall.min.array() < room.max.array() - 1e-9).all();
        EXPECT_FALSE(meets) << "sheet " << b << " lies in the room";
        EXPECT_NEAR((wall.max - wall.min).minCoeff(), 1, 1e-12);
    }
    EXPECT_TRUE(i.says("rigid_bodies[3].mesh: a sheet has no volume: a box 1.0 m thick here, behind its face, which "
                       "looks along [-1, 0, 0], towards the free bodies"));
}

TEST(ImportedSheets, FaceTheFreeBodiesAlongGravityAndBelowCeilings)
{
    const Imported wall(sheet(R"(, "rotation": [0, 0, 90])") + "," + cube("[2, 0, 0]"));
    EXPECT_NEAR(extent(wall.body()).max.x(), 0, 1e-12);
    const Imported other(sheet(R"(, "rotation": [0, 0, 90])") + "," + cube("[-3, 0, 0]"));
    EXPECT_NEAR(extent(other.body()).min.x(), 0, 1e-12);
    const Imported ceiling(sheet("") + "," + cube("[0, -2, 0]"));
    EXPECT_NEAR(extent(ceiling.body()).min.y(), 0, 1e-12);
}

TEST(ImportedSheets, AreTwoSidedBetweenBodies)
{
    const Imported i(sheet("") + "," + cube("[0, 0.02, 0]") + "," + cube("[3, -8, 0]"), no_gravity);
    EXPECT_NEAR(extent(i.body()).max.y(), 0.02, 1e-12); // no farther than to the nearest body
    EXPECT_NEAR(extent(i.body()).min.y(), -0.05, 1e-12);
    EXPECT_TRUE(i.says("m thick here, two-sided: free bodies are on both sides"));
    const Imported beside(sheet("") + "," + cube("[7, -0.5, 0]")); // reaches from below to above, beside the sheet
    EXPECT_NEAR(extent(beside.body()).max.y(), 0.05, 1e-12);
    EXPECT_NEAR(extent(beside.body()).min.y(), -0.05, 1e-12);
    const Imported touching(sheet("") + "," + cube("[0, 0, 0]") + "," + cube("[3, -1, 0]"));
    EXPECT_NEAR(std::get<Box>(touching.body().shape).size.y(), 1e-3, 1e-12);
}

TEST(ImportedSheets, WithoutFreeBodiesFollowGravityThenTheirTriangles)
{
    const Imported by_triangles(sheet("") + "," + sheet(R"(, "rotation": [180, 0, 0])"), no_gravity);
    EXPECT_NEAR(extent(by_triangles.body(0)).max.y(), 0, 1e-12);
    EXPECT_NEAR(extent(by_triangles.body(1)).min.y(), 0, 1e-12);
    EXPECT_TRUE(by_triangles.says("as its triangles do"));
    const Imported by_gravity(sheet(R"(, "rotation": [180, 0, 0])"));
    EXPECT_TRUE(by_gravity.says("looks along [0, 1, 0], against gravity"));
    // a body of its group passes through it and does not count
    const Imported grouped(sheet(R"(, "group_id": 4)") + "," + cube("[0, -3, 0]", R"(, "group_id": 4)"));
    EXPECT_NEAR(extent(grouped.body()).max.y(), 0, 1e-12);
}

TEST(ImportedSheets, AreTooThinForFastBodiesWhichIsSaid)
{
    const Imported i(sheet("") + "," + cube("[0, 3, 0]", R"(, "linear_velocity": [0, -150, 0])"));
    EXPECT_TRUE(i.says("rigid_bodies[1].linear_velocity: moves 1.5 m a step, while the thinnest body is 1.0 m thick"));
}

TEST(ImportedSheets, MayHaveManyTriangles)
{
    std::string fan = "v 0 0 0\n"; // a square around its middle
    for (const char* corner : {"-1 0 -1", "-1 0 1", "1 0 1", "1 0 -1"})
        fan += std::string("v ") + corner + "\n";
    fan += "f 1 2 3\nf 1 3 4\nf 1 4 5\nf 1 5 2\n";
    const Imported i(R"({"mesh": "fan.obj", "type": "static"}, )" + cube("[0, 1, 0]"), "", "", {{"fan.obj", fan}});
    EXPECT_EQ(std::get<Box>(i.body().shape).size, Vec3(2, 0.2, 2));
    const std::string hole = fan.substr(0, fan.rfind("f "));
    const Imported broken(
        R"({"mesh": "hole.obj", "type": "static"}, )" + cube("[0, 1, 0]"), "", "", {{"hole.obj", hole}});
    EXPECT_TRUE(broken.drops("shapes/hole.obj: "));
}

TEST(ImportedTimes, AreThoseOfRigidIpcWhereTheyAreMissing)
{
    const auto end = [](const std::string& more) { return Imported(cube("[0, 0, 0]"), "", more).result; };
    const ImportedScene usual = end(R"(, "max_time": -1)");
    EXPECT_DOUBLE_EQ(usual.scene.time.end, 10); // 1000 steps of 0.01 s
    EXPECT_EQ(usual.notes.at(0), "max_time: not given: 1000 steps, 10.0 s, as rigid-ipc takes then");
    EXPECT_DOUBLE_EQ(end(R"(, "max_time": 0, "max_iterations": 50)").scene.time.end, 0.5);
    EXPECT_DOUBLE_EQ(end(R"(, "max_time": 3, "max_iterations": -1)").scene.time.end, 3);
}

/// Two wedges and a cube in one file, side by side.
std::string three_parts()
{
    std::string text = cube_obj;
    for (const int k : {0, 1}) {
        const std::string from = wedge_obj;
        const int x = 10 + 10 * k, first = 8 + 6 * k;
        for (std::size_t at = 0; at < from.size(); at = from.find('\n', at) + 1) {
            double a = 0, b = 0, c = 0;
            char line[100];
            const bool vertex = from[at] == 'v';
            std::sscanf(from.c_str() + at + 1, "%lf %lf %lf", &a, &b, &c);
            if (vertex)
                std::snprintf(line, sizeof line, "v %g %g %g\n", a + x, b, c);
            else
                std::snprintf(line, sizeof line, "f %d %d %d\n", int(a) + first, int(b) + first, int(c) + first);
            text += line;
        }
    }
    return text;
}

TEST(ImportedParts, AreBodiesOfTheirOwn)
{
    const Imported i(R"({"mesh": "parts.obj", "split_components": true, "scale": 2, "position": [0, 1, 0]})", "", "",
        {{"parts.obj", three_parts()}});
    ASSERT_EQ(i.result.scene.bodies.size(), 3u);
    EXPECT_EQ(i.body(0).name, "parts-part000");
    EXPECT_EQ(std::get<Box>(i.body(0).shape).size, Vec3(2, 2, 2));
    EXPECT_EQ(i.body(0).position, Vec3(1, 2, 1));
    EXPECT_EQ(std::get<MeshShape>(i.body(2).shape).file, "scene_meshes/2-parts-part002.obj");
    const BuildResult built = i.built();
    ASSERT_EQ(format(built.faults), "");
    EXPECT_NEAR(built.built.world.rigids.at(1).mass, 8000, 1e-8);
    EXPECT_CLOSE_ALL(built.built.state.rigid.at(2).x, Vec3(2 * (20 + 2.0 / 3), 1 + 2.0 / 3, 1), 1e-12);
    const Imported whole(R"({"mesh": "parts.obj"})", "", "", {{"parts.obj", three_parts()}});
    EXPECT_EQ(whole.result.scene.bodies.size(), 1u);
}

TEST(ImportedParts, OffMeshesAreRead)
{
    const Imported i(R"({"mesh": "tet.off"})", "", "",
        {{"tet.off", "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"}});
    const BuildResult built = i.built();
    ASSERT_EQ(format(built.faults), "");
    EXPECT_NEAR(built.built.world.rigids.at(0).mass, 1000.0 / 6, 1e-10);
}

TEST(ImportedParts, MirroredMeshesAreWrittenMirrored)
{
    const Imported i(R"({"mesh": "wedge.obj", "scale": [-1, 1, 2]})");
    const BuildResult built = i.built();
    ASSERT_EQ(format(built.faults), "");
    EXPECT_NEAR(built.built.world.rigids.at(0).mass, 2000, 1e-9);
    EXPECT_CLOSE_ALL(built.built.world.rigids.at(0).centre, Vec3(-2.0 / 3, 1.0 / 3, 1), 1e-12);
}

/// Frame of the obstacle at a time [s].
Frame led(const BuildResult& built, double t)
{
    const Obstacle& obstacle = built.built.world.obstacles.at(0);
    return frame_at(obstacle.motion, obstacle.start, t);
}

TEST(ImportedMotions, PosesPlaceTheCentreAndTurnThePrincipalAxes)
{
    // 1 x 3 x 2 m, moments 13, 5, 10: rigid-ipc counts from the axes y, z, x
    const Imported i(R"({"mesh": "cube.obj", "type": "kinematic", "dimensions": [1, 3, 2], "position": [4, 0, 0],
        "kinematic_poses": [{"position": [1, 2, 3]}, {"position": [1, 2, 4], "rotation": [0, 0.5, 0]}],
        "linear_velocity": [0, 0, 2], "kinematic_max_time": 0.05})");
    const BuildResult built = i.built();
    ASSERT_EQ(format(built.faults), "");
    EXPECT_CLOSE_ALL(led(built, 0).x, Vec3(4.5, 1.5, 1), 1e-12);
    EXPECT_CLOSE_ALL(led(built, 0.01).x, Vec3(1, 2, 3), 1e-12);
    EXPECT_CLOSE_ALL(led(built, 0.02).x, Vec3(1, 2, 4), 1e-12);
    EXPECT_CLOSE_ALL(led(built, 0.04).x, Vec3(1, 2, 4.04), 1e-12); // on, at its velocity
    EXPECT_CLOSE_ALL(led(built, 1).x, Vec3(1, 2, 4.06), 1e-12); // until 0.05 s
    const Mat3 principal = led(built, 0.01).R; // of the body's axes
    EXPECT_CLOSE_ALL(Vec3(principal.cwiseAbs() * Vec3(1, 3, 2)), Vec3(3, 2, 1), 1e-12); // extents by moments ascending
    EXPECT_NEAR(principal.determinant(), 1, 1e-12);
    EXPECT_CLOSE_ALL(led(built, 0.02).R, Mat3(rotation_exp(Vec3(0, 0.5, 0)) * principal), 1e-12);
    EXPECT_TRUE(i.says("rigid_bodies[0].kinematic_poses: turned, as there, from the body's principal axes"));
}

TEST(ImportedMotions, PosesKeepTheAxesOfACubeAsTheyAre)
{
    const Imported i(R"({"mesh": "cube.obj", "type": "kinematic", "kinematic_poses": [{"rotation": [0.1, 0, 0]}]})");
    const BuildResult built = i.built();
    EXPECT_CLOSE_ALL(led(built, 0).R, Mat3::Identity(), 1e-15);
    EXPECT_CLOSE_ALL(led(built, 0.01).R, rotation_exp(Vec3(0.1, 0, 0)), 1e-12);
    EXPECT_CLOSE_ALL(led(built, 0.01).x, Vec3::Zero(), 1e-12);
}

TEST(ImportedMotions, AMeshTurnsAboutItsCentreOfMassUntilItsTimeIsUp)
{
    const Imported i(R"({"mesh": "wedge.obj", "type": "kinematic", "angular_velocity": [0, 0, 270],
        "linear_velocity": [1, 0, 0], "kinematic_max_time": 1.5, "position": [0, 0, 7]})");
    const BuildResult built = i.built();
    ASSERT_EQ(format(built.faults), "");
    const Vec3 centre(2.0 / 3, 1.0 / 3, 7.5);
    for (const double t : {0.0, 0.4, 1.0, 1.5, 1.9}) {
        const double moved = std::min(t, 1.5);
        EXPECT_CLOSE_ALL(led(built, t).x, Vec3(centre + Vec3(moved, 0, 0)), 1e-12);
        EXPECT_CLOSE_ALL(led(built, t).R, rotation_exp(Vec3(0, 0, 1.5 * std::numbers::pi * moved)), 1e-12);
    }
    const Imported forever(R"({"mesh": "wedge.obj", "type": "kinematic", "angular_velocity": [0, 0, 90]})");
    EXPECT_EQ(std::get<SteadyMotion>(forever.body().motion.value()).angular_velocity.z(), std::numbers::pi / 2);
    EXPECT_CLOSE_ALL(forever.body().position, Vec3(centre - Vec3(0, 0, 7)), 1e-15);
}

TEST(ImportedMotions, WhatIsHeldStandsStill)
{
    const Imported i(R"({"mesh": "cube.obj", "type": "kinematic", "is_dof_fixed": true, "linear_velocity": [1, 0, 0]},
        {"mesh": "cube.obj", "type": "kinematic", "is_dof_fixed": [true, true, true, true, true, false],
         "linear_velocity": [1, 0, 0], "angular_velocity": [0, 0, 9]})");
    EXPECT_EQ(i.body(0).kind, BodyKind::obstacle);
    EXPECT_FALSE(i.body(0).motion);
    EXPECT_EQ(std::get<SteadyMotion>(i.body(1).motion.value()).velocity, Vec3(0, 0, 0));
}

TEST(ImportedMeshes, AreCheckedAndNamed)
{
    const std::string wedge = wedge_obj, open = wedge.substr(0, wedge.rfind("f ")), turned = open + "f 2 5 6\n",
                      flat = wedge + "v 1 0 0\nf 1 2 7\n";
    std::string inside_out = wedge;
    for (std::size_t at = inside_out.find("f "); at < inside_out.size(); at = inside_out.find('\n', at) + 1)
        std::swap(inside_out[at + 2], inside_out[at + 4]);
    const Imported i(R"({"mesh": "cube.obj"}, {"mesh": "open.obj"}, {"mesh": "turned.obj", "type": "static"},
        {"mesh": "flat.obj"}, {"mesh": "inside.obj"}, {"mesh": "points.obj"}, {"mesh": "edges.obj", "type": "static"},
        {"mesh": "beside.obj"})",
        "", "",
        {{"open.obj", open}, {"turned.obj", turned}, {"flat.obj", flat}, {"inside.obj", inside_out},
            {"points.obj", "v 0 0 0\nv 1 0 0\n"}, {"edges.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n"},
            {"beside.obj", wedge + "v 5 5 5\nl 1 7\n"}});
    EXPECT_TRUE(i.drops("rigid_bodies[1].mesh: ") && i.drops("shapes/open.obj: "));
    EXPECT_TRUE(i.drops("shapes/turned.obj: "));
    EXPECT_TRUE(i.drops("shapes/flat.obj: "));
    EXPECT_TRUE(i.drops("shapes/inside.obj: the surface is inside out"));
    EXPECT_TRUE(i.drops("shapes/points.obj: error: expected triangles, found points alone (2); the body is left out"));
    EXPECT_TRUE(i.drops("shapes/edges.obj: error: expected triangles, found edges alone (1); the body is left out"));
    EXPECT_TRUE(i.drops("shapes/beside.obj: 1 edge beside the triangles left out"));
    ASSERT_EQ(i.result.scene.bodies.size(), 2u);
    EXPECT_EQ(format(i.built().faults), "");
}

TEST(ImportedMeshes, WithoutAnyBodyLeftAllReasonsAreSaid)
{
    const Imported i(R"({"mesh": "points.obj"})", "", "", {{"points.obj", "v 0 0 0\n"}});
    ASSERT_EQ(i.result.faults.size(), 1u);
    EXPECT_EQ(i.result.faults[0].message, "no body could be carried over");
    EXPECT_TRUE(i.drops("rigid_body_problem.rigid_bodies[0].mesh: "));
    EXPECT_TRUE(i.drops("found points alone (1)"));
}

TEST(ImportedPairs, AreQuietWhereNothingCanMeet)
{
    const Imported i(sheet(R"(, "group_id": 0)") + "," + sheet(R"(, "group_id": 0, "position": [0, 9, 0])") + ","
        + R"({"mesh": "cube.obj", "type": "kinematic", "group_id": 0, "position": [30, 0, 0]},)" + cube("[0, 2, 0]")
        + "," + cube("[3, 2, 0]", R"(, "group_id": 0)"));
    const std::vector<PairSettings>& pairs = i.result.scene.contact.pairs;
    ASSERT_EQ(pairs.size(), 3u); // the last cube passes through all that does not move freely
    for (const PairSettings& pair : pairs)
        EXPECT_EQ(pair.bodies[1], "cube 3");
    const BuildResult built = i.built();
    EXPECT_EQ(format(built.faults), "");
    EXPECT_EQ(format(built.warnings), "");
}

TEST(ImportedSamples, FollowTheSmallestFeature)
{
    const Imported plate(
        cube("[0, 0, 0]") + "," + cube("[0, 3, 0]", R"(, "dimensions": [3, 0.5, 3])") + "," + sheet(""));
    EXPECT_DOUBLE_EQ(plate.body(0).sample.value(), 0.25);
    EXPECT_DOUBLE_EQ(plate.body(1).sample.value(), 0.25);
    EXPECT_FALSE(plate.body(2).sample); // how thick its box is says nothing
    // a comb 4 m long with a tooth 0.2 m wide; its bounding box knows nothing of it
    const std::string comb = "v 0 0 0\nv 4 0 0\nv 4 1 0\nv 2.1 1 0\nv 2.1 2 0\nv 1.9 2 0\nv 1.9 1 0\nv 0 1 0\n"
                             "v 0 0 3\nv 4 0 3\nv 4 1 3\nv 2.1 1 3\nv 2.1 2 3\nv 1.9 2 3\nv 1.9 1 3\nv 0 1 3\n"
                             "f 9 10 12 15\nf 10 11 12\nf 12 13 14 15\nf 9 15 16\n"
                             "f 1 7 4 2\nf 2 4 3\nf 4 7 6 5\nf 1 8 7\n"
                             "f 1 2 10 9\nf 2 3 11 10\nf 3 4 12 11\nf 4 5 13 12\nf 5 6 14 13\nf 6 7 15 14\n"
                             "f 7 8 16 15\nf 8 1 9 16\n";
    const Imported i(R"({"mesh": "comb.obj"}, )" + cube("[9, 0, 0]"), "", "", {{"comb.obj", comb}});
    ASSERT_TRUE(i.result.dropped.empty()) << format(i.result.dropped);
    EXPECT_DOUBLE_EQ(i.body(1).sample.value(), 0.1);
    EXPECT_GT(i.body(0).sample.value(), 0.1); // a thousand points, not more
    EXPECT_LT(i.body(0).sample.value(), 0.3);
    EXPECT_TRUE(i.says("rigid_bodies: the smallest feature is 0.2 m thick; the surface points (`sample`) of 1 bodies"));
}

} // namespace
} // namespace stickslip::import_decisions_test
