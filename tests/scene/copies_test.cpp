#include "stickslip/scene/expand/copies.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/expand/copy_boxes.h"
#include "stickslip/scene/table/scene_table.h"
#include "support/rigid_scenes.h"
#include "support/temporary_folder.h"

#include "support/numeric.h"

#include <numbers>

namespace stickslip::copies_test {
namespace {

const CopyExtent unit_box{.box = {Vec3(-0.5, -0.5, -0.5), Vec3(0.5, 0.5, 0.5)}};

TEST(PlaceCopies, GridCountsAlongXThenYThenZ)
{
    const auto places = place_copies(GridCopies{.count = {2, 1, 3}, .spacing = {1, 5, 2}}, {}, Mat3::Identity());
    ASSERT_EQ(places.size(), 6u);
    EXPECT_EQ(places[0].offset, Vec3(0, 0, 0));
    EXPECT_EQ(places[1].offset, Vec3(1, 0, 0));
    EXPECT_EQ(places[2].offset, Vec3(0, 0, 2));
    EXPECT_EQ(places[5].offset, Vec3(1, 0, 4));
}

TEST(PlaceCopies, StackRisesByTheTurnedBodysHeight)
{
    const CopyExtent plank{.box = {Vec3(-1, -0.1, -0.3), Vec3(1, 0.1, 0.3)}};
    const auto flat = place_copies(StackCopies{.count = 3, .gap = 0.01}, plank, Mat3::Identity());
    EXPECT_CLOSE_ALL(flat[2].offset, Vec3(0, 0.42, 0), 1e-15);
    const Mat3 upright = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
    EXPECT_CLOSE_ALL(place_copies(StackCopies{.count = 2}, plank, upright)[1].offset, Vec3(0, 2, 0), 1e-15);
    const CopyExtent ball{.box = unit_box.box, .ball = true};
    const Mat3 askew = Eigen::AngleAxisd(0.5, Vec3(1, 1, 0).normalized()).toRotationMatrix();
    const auto balls = place_copies(StackCopies{.count = 2, .axis = {0, 0, -7}}, ball, askew);
    EXPECT_CLOSE_ALL(balls[1].offset, Vec3(0, 0, -1), 1e-15);
}

TEST(PlaceCopies, RingTurnsEachWithItsPlace)
{
    const auto places = place_copies(RingCopies{.count = 4, .radius = 2}, {}, Mat3::Identity());
    ASSERT_EQ(places.size(), 4u);
    EXPECT_EQ(places[0].offset, Vec3(2, 0, 0));
    EXPECT_CLOSE_ALL(places[1].offset, Vec3(0, 0, -2), 1e-15); // right hand rule about y
    EXPECT_CLOSE_ALL(Vec3(places[1].turn * Vec3::UnitX()), Vec3(0, 0, -1), 1e-15);
    const auto about_x = place_copies(RingCopies{.count = 2, .radius = 1, .axis = Vec3::UnitX()}, {}, Mat3::Identity());
    EXPECT_CLOSE_ALL(about_x[0].offset, Vec3(0, 0, 1), 1e-15);
    EXPECT_CLOSE_ALL(about_x[1].offset, Vec3(0, 0, -1), 1e-15);
}

TEST(PlaceCopies, ScatteredBodiesKeepToTheBoxAndApart)
{
    const ScatteredCopies scattered{.count = 35, .box = {Vec3(0, 0, 0), Vec3(6, 6, 6)}, .seed = 5};
    const auto places = place_copies(scattered, unit_box, Mat3::Identity());
    ASSERT_EQ(places.size(), 35u);
    std::vector<Frame> frames;
    for (const CopyPlace& place : places) {
        frames.push_back({place.offset, place.turn});
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 x =
                frames.back().to_world(Vec3(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5));
            EXPECT_TRUE((x.array() >= -1e-12).all() && (x.array() <= 6 + 1e-12).all());
        }
    }
    for (std::size_t i = 0; i < frames.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(boxes_overlap(Vec3::Constant(0.5), frames[i], frames[j]));
}

TEST(PlaceCopies, ScatteredDependsOnTheSeedAlone)
{
    ScatteredCopies scattered{.count = 10, .box = {Vec3(0, 0, 0), Vec3(9, 9, 9)}};
    const auto once = place_copies(scattered, unit_box, Mat3::Identity());
    EXPECT_EQ(once[9].offset, place_copies(scattered, unit_box, Mat3::Identity())[9].offset);
    scattered.seed = 2;
    EXPECT_NE(once[9].offset, place_copies(scattered, unit_box, Mat3::Identity())[9].offset);
    scattered.turned = false;
    EXPECT_TRUE(place_copies(scattered, unit_box, Mat3::Identity())[9].turn.isIdentity(0));
}

TEST(PlaceCopies, BallsPackDenserThanTheirBoxes)
{
    const ScatteredCopies scattered{.count = 30, .box = {Vec3(0, 0, 0), Vec3(4.2, 4.2, 4.2)}};
    const CopyExtent ball{.box = unit_box.box, .ball = true};
    EXPECT_THROW(place_copies(scattered, unit_box, Mat3::Identity()), InputError);
    const auto places = place_copies(scattered, ball, Mat3::Identity());
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GE((places[i].offset - places[j].offset).norm(), 1);
}

TEST(BoxesOverlap, AgreesWithSampledPoints)
{
    Random random(9);
    const Vec3 half(0.5, 0.3, 0.2);
    int overlapping = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Frame a{Vec3::Zero(), random.rotation()}, b{random.vector(0.7), random.rotation()};
        bool common = false;
        for (int i = 0; i < 400 && !common; ++i) { // a point of both proves it; none found proves nothing
            const Vec3 x = a.to_world(random.vector().cwiseProduct(half));
            common = (b.to_local(x).cwiseAbs().array() < half.array()).all();
        }
        if (common) {
            EXPECT_TRUE(boxes_overlap(half, a, b));
        }
        overlapping += boxes_overlap(half, a, b);
        EXPECT_EQ(boxes_overlap(half, a, b), boxes_overlap(half, b, a));
    }
    EXPECT_GT(overlapping, 50);
    EXPECT_LT(overlapping, 250);
    EXPECT_FALSE(boxes_overlap(half, Frame{}, Frame{Vec3(0, 0.6, 0), Mat3::Identity()})); // touching
    // an edge near an edge: only the product of both separates them
    const Mat3 edge_on = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitZ()).toRotationMatrix();
    const Mat3 across = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()).toRotationMatrix() * edge_on;
    EXPECT_FALSE(boxes_overlap(Vec3::Ones(), Frame{Vec3::Zero(), edge_on}, Frame{Vec3(0, 2.83, 0), across}));
    EXPECT_TRUE(boxes_overlap(Vec3::Ones(), Frame{Vec3::Zero(), edge_on}, Frame{Vec3(0, 2.82, 0), across}));
}

SceneResult read(const std::string& bodies, const std::vector<std::string>& overrides = {})
{
    return read_scene_text(
        "stickslip: 1\ntime: {step: 0.01, end: 1}\nmaterials: {oak: {density: 700}, elm: {density: 600}}\nbodies:\n"
            + bodies,
        "scene.yaml", overrides);
}

const std::string bricks = rigid_body(
    "brick", "box: [1, 1, 1]", "position: [1, 2, 3], copies: {grid: {count: [3, 1, 1], spacing: [2, 0, 0]}}");

TEST(Copies, BecomeBodiesWithIndices)
{
    const SceneResult result = read(bricks + rigid_body("ball", "sphere: 1"));
    ASSERT_EQ(format(result.faults), "");
    ASSERT_EQ(result.scene.bodies.size(), 4u);
    EXPECT_EQ(result.scene.bodies[2].name, "brick[2]");
    EXPECT_EQ(result.scene.bodies[2].position, Vec3(5, 2, 3));
    EXPECT_FALSE(result.scene.bodies[2].copies.has_value());
    EXPECT_EQ(result.scene.bodies[3].name, "ball");
    const SceneResult again = read_scene_text(write_scene(result.scene), "resolved.yaml");
    EXPECT_EQ(format(again.faults), "");
    EXPECT_EQ(write_scene(again.scene), write_scene(result.scene));
}

TEST(Copies, OfATurnedBodyOnARingAreTurnedOnTopOfIt)
{
    const SceneResult result = read(rigid_body(
        "stone", "box: [1, 2, 3]", "rotation: {axis: [1, 0, 0], degrees: 90}, copies: {ring: {count: 4, radius: 5}}"));
    ASSERT_EQ(format(result.faults), "");
    const Mat3 R = rotation_matrix(*result.scene.bodies[1].rotation);
    EXPECT_CLOSE_ALL(Vec3(R * Vec3::UnitY()), Vec3(1, 0, 0), 1e-15); // y -> z about x, then z -> x about y
}

TEST(Copies, OverridesReachOneOrAll)
{
    const std::vector<std::string> overrides = {
        "bodies.brick.material=elm", "bodies.brick[1].velocity=[0, {expr: \"2^3\"}, 0]"};
    const auto expect_both = [](const SceneResult& result) {
        ASSERT_EQ(format(result.faults), "");
        EXPECT_EQ(result.scene.bodies[0].material, "elm");
        EXPECT_EQ(result.scene.bodies[2].material, "elm");
        EXPECT_EQ(result.scene.bodies[0].velocity, Vec3(0, 0, 0));
        EXPECT_EQ(result.scene.bodies[1].velocity, Vec3(0, 8, 0));
    };
    expect_both(read(bricks, overrides));
    expect_both(read_scene_text(write_scene(read(bricks).scene), "resolved.yaml", overrides));
    EXPECT_EQ(format(read(bricks, {"bodies.brick[3].velocity=[1, 0, 0]"}).faults),
        "--set bodies.brick[3].velocity: error: no body \"brick[3]\"; did you mean \"brick[0]\"?\n");
}

TEST(Copies, OverridesOfOneKeepItsOwnPlace)
{
    const SceneResult result = read(rigid_body("stone", "box: [1, 2, 3]", "copies: {ring: {count: 4, radius: 5}}"),
        {"bodies.stone[1].material=elm", "bodies.stone[2].position[1]=7", "bodies.stone[1].velocity=[0, 1, 0]"});
    ASSERT_EQ(format(result.faults), "");
    const SceneResult plain = read(rigid_body("stone", "box: [1, 2, 3]", "copies: {ring: {count: 4, radius: 5}}"));
    for (std::size_t i = 0; i < 4; ++i) {
        Vec3 x = plain.scene.bodies[i].position;
        if (i == 2)
            x.y() = 7;
        EXPECT_EQ(result.scene.bodies[i].position, x) << i;
        EXPECT_EQ(result.scene.bodies[i].name, plain.scene.bodies[i].name);
        EXPECT_EQ(result.scene.bodies[i].material, i == 1 ? "elm" : "oak");
        EXPECT_EQ(result.scene.bodies[i].velocity, i == 1 ? Vec3(0, 1, 0) : Vec3(0, 0, 0));
        ASSERT_EQ(result.scene.bodies[i].rotation.has_value(), i > 0);
        if (i > 0) {
            EXPECT_EQ(
                rotation_matrix(*result.scene.bodies[i].rotation), rotation_matrix(*plain.scene.bodies[i].rotation));
        }
    }
}

TEST(Copies, FaultsStandWhereTheirBodyStandsOrTheOverride)
{
    const auto first_of = [](const SceneResult& result) {
        return result.faults.empty() ? "" : format(std::vector{result.faults.front()});
    };
    const std::string stones = rigid_body("stone", "box: [1, 1, 1]");
    EXPECT_EQ(first_of(read(stones + bricks, {"bodies.brick[1].velocity=fast"})),
        "--set bodies.brick[1].velocity: error: expected three numbers [x, y, z], got \"fast\"\n"
        "bodies.brick[1].velocity=fast\n"
        "                         ^\n");
    EXPECT_EQ(first_of(read(bricks, {"bodies.brick[1].copies={stack: {count: 2}}"})),
        "--set bodies.brick[1].copies: error: a copy cannot have copies\n"
        "bodies.brick[1].copies={stack: {count: 2}}\n"
        "                       ^\n");
    const std::string unknown = first_of(read(stones + bricks, {"bodies.brick[2].material=ash"}));
    EXPECT_EQ(unknown,
        "--set bodies.brick[2].material: error: no material \"ash\"; the scene has: oak, elm\n"
        "bodies.brick[2].material=ash\n"
        "                         ^\n");
    const SceneResult of_all = read(stones + bricks + "contact: {pairs: [{bodies: [brick, brack], friction: 1}]}\n");
    EXPECT_EQ(of_all.faults.size(), 1u);
    const SceneResult same_name = read(bricks + rigid_body("\"brick[1]\"", "box: [1, 1, 1]"));
    ASSERT_EQ(same_name.faults.size(), 1u);
    EXPECT_EQ(same_name.faults[0].path, "bodies[3].name");
    EXPECT_EQ(same_name.faults[0].line, 6);
}

TEST(Copies, StackOfAMeshKnowsItsHeight)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "wedge.obj", wedge_obj());
    write_file_atomically(folder.path() / "scene.yaml",
        "stickslip: 1\ntime: {step: 0.01, end: 1}\nmaterials: {oak: {density: 700}}\nbodies:\n"
            + rigid_body("wedge", "mesh: {file: wedge.obj, scale: 2}", "copies: {stack: {count: 2}}"));
    const SceneResult result = read_scene((folder.path() / "scene.yaml").string());
    ASSERT_EQ(format(result.faults), "");
    EXPECT_EQ(result.scene.bodies[1].position, Vec3(0, 2, 0));
}

TEST(Copies, ExpectationsOfAFamilyAreOfEachBody)
{
    const SceneResult result = read(bricks
        + "expect:\n  - {body: brick, metric: speed, max: 1}\n"
          "  - {body: \"brick[1]\", metric: speed, max: 2}\n");
    ASSERT_EQ(format(result.faults), "");
    ASSERT_EQ(result.scene.expect.size(), 4u);
    EXPECT_EQ(result.scene.expect[2].body, "brick[2]");
    EXPECT_EQ(result.scene.expect[3].body, "brick[1]");
}

TEST(Copies, TenThousandAreReadInASecond)
{
    const SceneResult result =
        read(rigid_body("brick", "box: [1, 1, 1]", "copies: {grid: {count: [100, 10, 10], spacing: [2, 2, 2]}}"));
    ASSERT_EQ(format(result.faults), "");
    EXPECT_EQ(result.scene.bodies.size(), 10000u);
}

} // namespace
} // namespace stickslip::copies_test
