#include "stickslip/build/build_rigid.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/world/time_step.h"
#include "support/rigid_scenes.h"
#include "support/temporary_folder.h"

#include "support/numeric.h"

#include <numbers>

namespace stickslip::build_rigid_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(BuildRigid, MassAndInertiaFollowFromShapeAndDensity)
{
    const BuiltScene b(rigid_body("block", "box: [0.2, 0.4, 0.6]") + rigid_body("ball", "sphere: 0.1"));
    ASSERT_EQ(b.world().rigids.size(), 2u);
    const RigidBody& block = b.world().rigids[0];
    EXPECT_NEAR(block.mass, 700 * 0.048, 1e-12);
    EXPECT_NEAR(block.inertia(0, 0), block.mass / 12 * (0.16 + 0.36), 1e-12);
    EXPECT_NEAR(b.world().rigids[1].mass, 700 * 4 * pi / 3 * 1e-3, 1e-12);
    ASSERT_GE(b.result.built.notes.size(), 2u);
    EXPECT_EQ(b.result.built.notes[0].find("block: rigid, mass 33.6 kg, principal moments of inertia"), 0u)
        << b.result.built.notes[0];
}

TEST(BuildRigid, PositionIsOfTheShapesOriginAndVelocityOfTheCentreOfMass)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "wedge.obj", wedge_obj());
    const BuiltScene b(rigid_body("wedge", "mesh: {file: wedge.obj, scale: 0.5}",
                           "position: [1, 2, 3], rotation: {axis: [0, 0, 1], degrees: 90}, velocity: [4, 5, 6], "
                           "angular_velocity: [7, 8, 9]"),
        folder.path());
    ASSERT_EQ(format(b.result.faults), "");
    const RigidBody& wedge = b.world().rigids[0];
    EXPECT_NEAR(wedge.mass, 700 * 0.125, 1e-12);
    EXPECT_CLOSE_ALL(wedge.centre, Vec3(1.0 / 3, 1.0 / 6, 0.25), 1e-15);
    const RigidState& start = b.state().rigid[0];
    EXPECT_CLOSE_ALL(start.x, Vec3(1 - 1.0 / 6, 2 + 1.0 / 3, 3.25), 1e-15);
    EXPECT_EQ(start.v, Vec3(4, 5, 6));
    EXPECT_EQ(start.w, Vec3(7, 8, 9));
    const Frame frame = solid_frame(wedge, start.x, start.R.toRotationMatrix());
    EXPECT_CLOSE_ALL(frame.x, Vec3(1, 2, 3), 1e-15);
    for (const SurfaceSample& s : wedge.samples) // on the level set of the mesh, which is sampled itself
        EXPECT_NEAR(signed_distance(wedge.solid, s.z + wedge.centre), 0, 0.01);
}

TEST(BuildRigid, LoadsAndFixedMotionsArrive)
{
    const BuiltScene b(rigid_body("block", "box: [1, 1, 1]",
        "force: [1, 2, 3], torque: [4, 5, 6], acceleration: [0, 0, 7], fixed_dofs: [x, rz], velocity: [0, 1, 0]"));
    const RigidBody& block = b.world().rigids[0];
    EXPECT_EQ(block.force, Vec3(1, 2, 3));
    EXPECT_EQ(block.torque, Vec3(4, 5, 6));
    EXPECT_EQ(block.acceleration, Vec3(0, 0, 7));
    EXPECT_EQ(block.fixed, (FixedDofs{true, false, false, false, false, true}));
    EXPECT_CLOSE_ALL(b.state().rigid[0].a, Vec3(0, -9.81 + 2 / 700.0, 7 + 3 / 700.0), 1e-15);
}

TEST(BuildRigid, WithAMotionIsAnObstacleWithPoints)
{
    const BuiltScene b("  - {name: pusher, kind: rigid, shape: {box: [1, 1, 1]}, motion: {velocity: [1, 0, 0]}}\n"
        + rigid_body("block", "box: [0.5, 0.5, 0.5]"));
    ASSERT_EQ(b.world().rigids.size(), 1u);
    ASSERT_EQ(b.world().obstacles.size(), 1u);
    EXPECT_EQ(b.result.built.bodies[0].kind, BodyKind::obstacle);
    EXPECT_EQ(b.world().obstacles[0].motion.velocity, Vec3(1, 0, 0));
    EXPECT_GT(b.world().obstacles[0].samples.size(), 8u);
}

TEST(BuildRigid, ObstaclesHavePointsOnlyWhereRigidBodiesCouldMeetThem)
{
    const std::string obstacles = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n"
                                  "  - {name: step, kind: obstacle, shape: {box: [1, 1, 1]}}\n";
    const BuiltScene without(
        obstacles + "  - {name: cube, kind: deformable, material: gum, shape: {box: [1, 1, 1]}, resolution: 0.5}\n");
    EXPECT_TRUE(without.world().obstacles[1].samples.empty());
    const BuiltScene with(obstacles + rigid_body("ball", "sphere: 0.1"));
    EXPECT_TRUE(with.world().obstacles[0].samples.empty()); // a plane has none
    EXPECT_FALSE(with.world().obstacles[1].samples.empty());
}

/// Distances between neighbours on the body's longest edge.
double spacing_on_edge(const RigidBody& body, const Vec3& size)
{
    std::vector<double> z;
    for (const SurfaceSample& s : body.samples)
        if (s.z.x() == size.x() / 2 && s.z.y() == size.y() / 2)
            z.push_back(s.z.z());
    std::sort(z.begin(), z.end());
    return z[1] - z[0];
}

TEST(BuildRigid, AutomaticSpacingFollowsTheBodyAndTheSmallestOther)
{
    const Vec3 size(1, 2, 4);
    const std::string block = rigid_body("block", "box: [1, 2, 4]");
    EXPECT_NEAR(spacing_on_edge(BuiltScene(block).world().rigids[0], size), 0.5, 1e-12); // 4/8
    // on edges half the small one's, but at least 4/64; on faces 4/8 as before
    const BuiltScene beside_small(block + rigid_body("small", "box: [0.1, 0.1, 9]"));
    EXPECT_NEAR(spacing_on_edge(beside_small.world().rigids[0], size), 0.0625, 1e-12);
    const auto on_faces = [](const RigidBody& body) {
        return std::count_if(body.samples.begin(), body.samples.end(), [](const SurfaceSample& s) { return s.flat; });
    };
    EXPECT_EQ(on_faces(beside_small.world().rigids[0]), on_faces(BuiltScene(block).world().rigids[0]));
    // the smallest of the others, not its own 2
    const BuiltScene large(block + rigid_body("large", "box: [9, 3, 1]") + rigid_body("larger", "box: [9, 8, 9]"));
    EXPECT_NEAR(spacing_on_edge(large.world().rigids[0], size), 4.0 / 3, 1e-12); // at most 1.5
    EXPECT_NEAR(spacing_on_edge(large.world().rigids[1], Vec3(9, 3, 1)), 1, 1e-12); // one piece: its own 9/8
}

TEST(BuildRigid, WhatABodyCannotMeetChangesNothingOfIt)
{
    const std::string pair = "  - {name: low, kind: obstacle, shape: {box: [0.6, 0.2, 0.2]}}\n"
        + rigid_body("up", "box: [0.2, 0.2, 0.6]", "position: [0, 0.2, 0], fixed_dofs: [x, z, rx, ry, rz]");
    const auto pebble = [](const std::string& size, const std::string& more) {
        return rigid_body("pebble", "box: [" + size + ", " + size + ", " + size + "]", more);
    };
    const BuiltScene alone(pair);
    const auto same = [&](const BuiltScene& b) {
        const std::vector<SurfaceSample>&up = b.world().rigids[0].samples, &low = b.world().obstacles[0].samples;
        const std::vector<SurfaceSample>& low_alone = alone.world().obstacles[0].samples;
        return up.size() == alone.world().rigids[0].samples.size() && low.size() == low_alone.size()
            && std::equal(low.begin(), low.end(), low_alone.begin(),
                [](const auto& p, const auto& q) { return p.weight == q.weight; })
            && b.world().contact.automatic[0] == alone.world().contact.automatic[0];
    };
    EXPECT_TRUE(same(BuiltScene(pair + pebble("0.02", "position: [5, 50, 5]")))) << "it falls past them";
    EXPECT_TRUE(same(BuiltScene(pair + pebble("0.02", "position: [0.2, 50, 0], collides_with: [pebble]"))))
        << "it may not touch them";
    EXPECT_TRUE(same(BuiltScene(pair + pebble("6", "position: [50, 50, 5]")))) << "a heavy one";
    EXPECT_FALSE(same(BuiltScene(pair + pebble("0.02", "position: [0.2, 50, 0]")))) << "it falls on them";
    EXPECT_FALSE(same(BuiltScene(pair + pebble("0.02", "position: [5, 50, 0], velocity: [-0.01, 0, 0]"))))
        << "some day it flies through their place";
}

TEST(BuildRigid, APebbleFarAwayLeavesTheTrajectoriesOfOthersAsTheyAre)
{
    // edge across edge
    const std::string pair =
        "  - {name: low, kind: obstacle, shape: {box: [0.6, 0.2, 0.2]}, rotation: {axis: [1, 0, 0], degrees: 45}}\n"
        + rigid_body("up", "box: [0.2, 0.2, 0.6]",
            "rotation: {axis: [0, 0, 1], degrees: 45}, position: [0.013, 0.284, 0.017], "
            "fixed_dofs: [x, z, rx, ry, rz]");
    const BuiltScene alone(pair),
        beside(pair + rigid_body("pebble", "box: [0.02, 0.02, 0.02]", "position: [5, 50, 5]"));
    TimeStepper one(alone.world(), alone.built().options), two(beside.world(), beside.built().options);
    State a = alone.state(), b = beside.state();
    for (int step = 0; step < 50; ++step) {
        ASSERT_TRUE(one.step(a).done && two.step(b).done);
        // the solve of both bodies adds up their residuals in other sums
        EXPECT_NEAR(a.rigid[0].x.y(), b.rigid[0].x.y(), 1e-14) << "step " << step;
    }
    EXPECT_LT(a.rigid[0].x.y(), 0.283);
    EXPECT_LT(a.rigid[0].v.norm(), 1e-3) << "it has come to rest";
}

TEST(BuildRigid, GivenSpacingIsTaken)
{
    const BuiltScene b(rigid_body("block", "box: [1, 2, 4]", "sample: 0.25"));
    EXPECT_NEAR(spacing_on_edge(b.world().rigids[0], Vec3(1, 2, 4)), 0.25, 1e-12);
}

TEST(BuildRigid, RoundBodiesTouchByBalls)
{
    const BuiltScene b(rigid_body("ball", "sphere: 0.3") + rigid_body("pill", "capsule: {radius: 0.2, height: 0.55}"));
    const RigidBody &ball = b.world().rigids[0], &pill = b.world().rigids[1];
    ASSERT_EQ(ball.rounds.size(), 1u);
    EXPECT_EQ(ball.rounds[0].radius, 0.3);
    EXPECT_TRUE(ball.samples.empty());
    ASSERT_EQ(pill.rounds.size(), 7u); // 0.55 in pieces of at most 0.1
    EXPECT_CLOSE_ALL(pill.rounds.front().centre, Vec3(0, -0.275, 0), 1e-15);
    EXPECT_CLOSE_ALL(pill.rounds.back().centre, Vec3(0, 0.275, 0), 1e-15);
    EXPECT_TRUE(pill.samples.empty());
}

TEST(BuildRigid, ARoundedBoxTouchesByBallsOnItsEdgesAndPointsOnItsFaces)
{
    const BuiltScene b(rigid_body("die", "rounded_box: {size: [0.4, 0.6, 0.8], radius: 0.1}", "sample: 0.2"));
    const RigidBody& die = b.world().rigids[0];
    // edges of the core: 0.2, 0.4, 0.6 in pieces of 0.2: 8 corners, 4 (0 + 1 + 2) between
    ASSERT_EQ(die.rounds.size(), 20u);
    for (const RoundPoint& ball : die.rounds) {
        EXPECT_EQ(ball.radius, 0.1);
        EXPECT_NEAR(signed_distance(die.solid, ball.centre), -0.1, 1e-15);
        const Vec3 q = ball.centre.cwiseAbs() - Vec3(0.1, 0.2, 0.3);
        EXPECT_GE((q.array().abs() < 1e-15).count(), 2) << "on an edge of the core";
    }
    EXPECT_EQ(std::count_if(die.rounds.begin(), die.rounds.end(), [](const RoundPoint& r) { return r.weight == 1; }), 8)
        << "corners, as firm as those of a box";
    ASSERT_FALSE(die.samples.empty());
    for (const SurfaceSample& s : die.samples) {
        EXPECT_NEAR(signed_distance(die.solid, s.z), 0, 1e-15);
        EXPECT_LT((sample(die.solid, s.z).n - s.n).norm(), 1e-15);
    }
}

TEST(BuildRigid, CylinderConeAndTorusTouchByCirclesAndFlatEndsByPoints)
{
    const BuiltScene b(rigid_body("can", "cylinder: {radius: 0.4, height: 1}")
        + rigid_body("top", "cone: {radius: 0.4, height: 1}") + rigid_body("ring", "torus: {major: 0.5, minor: 0.2}"));
    const RigidBody &can = b.world().rigids[0], &top = b.world().rigids[1], &ring = b.world().rigids[2];
    EXPECT_EQ(can.rims.size(), 6u); // 1 in pieces of at most 0.2
    EXPECT_EQ(top.rims.size(), 5u) << "the apex is a point";
    EXPECT_CLOSE_ALL(top.centre, Vec3(0, -0.25, 0), 1e-15);
    EXPECT_CLOSE_ALL(top.rims[0].centre, Vec3(0, -0.25, 0), 1e-15);
    EXPECT_CLOSE_ALL(top.samples.back().z, Vec3(0, 0.75, 0), 1e-15);
    ASSERT_EQ(ring.rims.size(), 1u);
    EXPECT_EQ(ring.rims[0].tube, 0.2);
    EXPECT_TRUE(ring.samples.empty());
    for (const RigidBody* body : {&can, &top}) {
        EXPECT_GT(body->samples.size(), 5u);
        for (const SurfaceSample& s : body->samples) {
            const Vec3 X = s.z + body->centre;
            EXPECT_NEAR(signed_distance(body->solid, X), 0, 1e-12);
            EXPECT_NEAR(std::abs(X.y()), 0.5, 1e-12) << "none on the side";
            EXPECT_LT(std::hypot(X.x(), X.z()), 0.39) << "none on the rim";
        }
    }
}

TEST(BuildRigid, AConvexMeshHasItsExactDistanceUnlessAGridIsAskedFor)
{
    TemporaryFolder folder;
    write_file_atomically(folder.path() / "wedge.obj", wedge_obj());
    const BuiltScene b(
        rigid_body("exact", "mesh: {file: wedge.obj}") + rigid_body("sampled", "mesh: {file: wedge.obj, spacing: 0.1}"),
        folder.path());
    EXPECT_EQ(patch_count(b.world().rigids[0].solid), 5);
    EXPECT_EQ(patch_count(b.world().rigids[1].solid), 1);
    EXPECT_NEAR(signed_distance(b.world().rigids[0].solid, Vec3(1, 1, 0.5)), 1 / std::sqrt(5), 1e-15);
}

TEST(BuildRigid, TooManyPointsAreAFaultOfTheirKey)
{
    const BuiltScene b(rigid_body("block", "box: [1, 1, 1]", "sample: 1e-5"));
    const std::string text = format(b.result.faults);
    EXPECT_NE(text.find("bodies.block.sample: expected at most 1e+06 sample points on a surface, found about 6e+10"),
        std::string::npos)
        << text;
}

TEST(BuildRigid, AMeshThatIsASampledDistanceHasItsEdgesUnlessItAsksForTheDistanceAlone)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "wedge.obj", wedge_obj());
    const std::string sampled = "mesh: {file: wedge.obj, spacing: 0.1}";
    const BuiltScene b(rigid_body("unset", sampled)
            + rigid_body("alone", sampled, "position: [3, 0, 0], contact_geometry: level_set")
            + rigid_body("triangles", sampled, "position: [6, 0, 0], contact_geometry: mesh")
            + rigid_body("exact", "mesh: {file: wedge.obj}", "position: [9, 0, 0]")
            + "  - {name: fixed, kind: obstacle, shape: {" + sampled + "}, position: [12, 0, 0]}\n",
        folder.path());
    ASSERT_EQ(format(b.result.faults), "");
    ASSERT_EQ(b.world().rigids.size(), 4u);
    ASSERT_TRUE(b.world().rigids[0].sharp);
    EXPECT_FALSE(b.world().rigids[0].sharp->topology.facets.empty());
    for (int body = 1; body < 4; ++body)
        EXPECT_FALSE(b.world().rigids[body].sharp) << b.world().rigids[body].name;
    EXPECT_TRUE(b.world().obstacles[0].sharp);
}

/// A pyramid of 2 n triangles whose base is a star: not convex.
std::string star_obj(int n)
{
    std::string obj = "v 0 0 1\nv 0 0 0\n", facets;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * i / n, radius = i % 2 ? 1 : 0.6;
        obj +=
            "v " + std::to_string(radius * std::cos(angle)) + " " + std::to_string(radius * std::sin(angle)) + " 0\n";
        const std::string a = std::to_string(3 + i), b = std::to_string(3 + (i + 1) % n);
        facets += "f 1 " + a + " " + b + "\nf 2 " + b + " " + a + "\n";
    }
    return obj + facets;
}

TEST(BuildRigid, AMeshIsMetByItsTrianglesUnlessItIsFineOrAsksForAGrid)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "coarse.obj", star_obj(10000));
    write_file_atomically(folder.path() / "fine.obj", star_obj(10001));
    const std::string coarse = "mesh: {file: coarse.obj}", fine = "mesh: {file: fine.obj}";
    const BuiltScene b(rigid_body("coarse", coarse) + rigid_body("fine", fine, "position: [3, 0, 0]")
            + rigid_body("asked", fine, "position: [6, 0, 0], contact_geometry: mesh")
            + rigid_body("distance", coarse, "position: [9, 0, 0], contact_geometry: level_set")
            + rigid_body("grid", "mesh: {file: coarse.obj, spacing: 0.1}", "position: [12, 0, 0]")
            + "  - {name: fixed, kind: obstacle, shape: {" + coarse + "}, position: [15, 0, 0]}\n",
        folder.path());
    ASSERT_EQ(format(b.result.faults), "");
    const std::vector<bool> expected = {true, false, true, false, false};
    for (std::size_t body = 0; body < expected.size(); ++body)
        EXPECT_EQ(b.world().rigids[body].by_triangles, expected[body]) << b.world().rigids[body].name;
    EXPECT_TRUE(b.world().obstacles[0].by_triangles);
    EXPECT_FALSE(b.world().rigids[0].sharp) << "edges of the triangles themselves meet";
    EXPECT_TRUE(b.world().rigids[1].sharp);
    const std::vector<std::string>& notes = b.result.built.notes;
    const auto is_said = [&](const char* note) { return std::count(notes.begin(), notes.end(), note); };
    EXPECT_EQ(is_said("coarse: nodes and vertices meet it by 20000 triangles"), 1);
    EXPECT_EQ(is_said("fine: nodes and vertices meet its sampled distance, not its 20002 triangles"), 1);
}

/// What a mesh with these lines of an OBJ file is refused for.
std::string mesh_fault(const std::string& obj)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "m.obj", obj);
    const BuiltScene b(rigid_body("stone", "mesh: {file: m.obj}"), folder.path());
    std::string text = format(b.result.faults);
    return text.substr(0, text.find('\n'));
}

TEST(BuildRigid, MeshesThatEncloseNoSolidAreRefusedByElement)
{
    const std::string begin = "scene.yaml:7:68: error: bodies.stone.shape.mesh.file: ";
    const std::string whole = wedge_obj();
    EXPECT_EQ(mesh_fault(whole), "");
    EXPECT_EQ(mesh_fault(whole.substr(0, whole.rfind("f "))),
        begin + "open edges (3): edge 1-4 of triangle 2, edge 1-5 of triangle 6, edge 4-5 of triangle 1");
    const std::string inside_out = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    EXPECT_EQ(mesh_fault(inside_out),
        begin
            + "the surface is inside out: expected triangles counter-clockwise seen from outside, found all 4 "
              "clockwise (from triangle 0)");
    const std::string needle = "v 0.1 0.2 -1\nv 0.2 0.2 -1\nv 0.1 0.3 -1\nv 0.15 0.25 2\n"
                               "f 7 9 8\nf 7 8 10\nf 7 10 9\nf 8 9 10\n";
    EXPECT_EQ(mesh_fault(whole + needle),
        begin
            + "intersecting triangles (6): triangle 0 and 9, triangle 0 and 10, triangle 0 and 11, triangle 1 and 9, "
              "triangle 1 and 10 and 1 more");
    const std::string corners = whole.substr(0, whole.find("f "));
    const std::string again = "f 7 9 8\nf 10 11 12\nf 7 8 11\nf 7 11 10\nf 8 9 12\nf 8 12 11\nf 9 7 10\nf 9 10 12\n";
    EXPECT_EQ(mesh_fault(whole + corners + again),
        begin
            + "triangles inside or on another part of the surface with the same orientation, so that volume is "
              "enclosed twice (16): triangle 0, triangle 1, triangle 2, triangle 3, triangle 4 and 11 more");
}

TEST(BuildRigid, FilesAreReadOnceForAllBodies)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "wedge.obj", wedge_obj());
    const BuiltScene b(
        rigid_body("a", "mesh: {file: wedge.obj}") + rigid_body("b", "mesh: {file: wedge.obj}"), folder.path());
    EXPECT_EQ(b.result.built.surfaces[0], b.result.built.surfaces[1]);
    using Convex = std::shared_ptr<const ConvexPolyhedron>;
    EXPECT_EQ(std::get<Convex>(b.world().rigids[0].solid), std::get<Convex>(b.world().rigids[1].solid));
}

} // namespace
} // namespace stickslip::build_rigid_test
