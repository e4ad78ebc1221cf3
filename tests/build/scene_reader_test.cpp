#include "stickslip/build/scene_reader.h"

#include "support/scene_files.h"

#include "stickslip/math/error.h"
#include "stickslip/scene/table/scene_table.h"

#include <cmath>
#include <random>

namespace stickslip::scene_reader_test {
namespace {

const std::filesystem::path good_folder = std::filesystem::path(STICKSLIP_SOURCE_DIR) / "tests/build/good_scenes";

class GoodScene : public testing::TestWithParam<std::string> { };

TEST_P(GoodScene, IsReadWithoutAComplaint)
{
    const SceneResult result = read_scene((good_folder / GetParam()).string());
    EXPECT_EQ(format(result.faults) + format(result.warnings), "");
}

TEST_P(GoodScene, WrittenOutReadsBackToTheSame)
{
    const std::string once = write_scene(read_scene((good_folder / GetParam()).string()).scene);
    const SceneResult again = read_scene_text(once, "resolved.yaml");
    EXPECT_EQ(format(again.faults), "");
    EXPECT_EQ(write_scene(again.scene), once);
}

INSTANTIATE_TEST_SUITE_P(Files, GoodScene, testing::ValuesIn(test::scenes_in("good_scenes")), test::test_name);

Scene every_key(const std::vector<std::string>& overrides = {})
{
    const SceneResult result = read_scene((good_folder / "every_key.yaml").string(), overrides);
    EXPECT_EQ(format(result.faults), "");
    return result.scene;
}

TEST(SceneReader, PutsEveryKeyIntoItsMember)
{
    const Scene scene = every_key();
    EXPECT_EQ(scene.title, "All of it: {[\"quotes\"]}, 100 % \u00fcber");
    EXPECT_EQ(scene.gravity, Vec3(0.1, -9.81, 0));
    EXPECT_EQ(scene.time.frame, 0.03);
    EXPECT_TRUE(scene.time.adaptive);
    EXPECT_EQ(scene.time.smallest_step(), 1e-5);
    EXPECT_EQ(scene.time.largest_step(), 0.02);
    EXPECT_EQ(scene.solver.tolerance, 1e-7);
    EXPECT_EQ(scene.solver.preconditioner, PreconditionerChoice::block_ssor);
    EXPECT_EQ(scene.solver.gmres.restart, 50);
    EXPECT_EQ(scene.solver.audit, AuditedFrames::every);
    EXPECT_EQ(scene.contact.friction, infinity);
    EXPECT_EQ(scene.contact.relaxation, Relaxation::exact_cone);
    EXPECT_EQ(scene.contact.self, false);
    ASSERT_EQ(scene.contact.pairs.size(), 2u);
    EXPECT_EQ(scene.contact.pairs[0].stiffness, 300);
    EXPECT_FALSE(scene.contact.pairs[1].friction.has_value());
    EXPECT_FALSE(scene.contact.pairs[1].enabled);
    EXPECT_FALSE(scene.output.frames);
    EXPECT_EQ(scene.output.checkpoint, infinity);
    EXPECT_EQ(scene.output.checkpoint_seconds, 60);
}

TEST(SceneReader, ReadsMaterialsAndBodies)
{
    const Scene scene = every_key();
    ASSERT_EQ(scene.materials.size(), 4u);
    EXPECT_EQ(scene.materials[1].name, "gum");
    EXPECT_EQ(scene.materials[1].model, MaterialModel::fixed_corotated);
    EXPECT_EQ(scene.materials[1].poisson, -0.3);
    EXPECT_FALSE(scene.materials[3].young.has_value());
    ASSERT_EQ(scene.bodies.size(), 13u);
    EXPECT_EQ(std::get<Plane>(scene.bodies[0].shape).normal, Vec3(0, 2, 0));
    EXPECT_EQ(surface_velocity(*scene.bodies[1].motion), Vec3(1, 0, 0));
    EXPECT_EQ(std::get<SteadyMotion>(*scene.bodies[2].motion).angular_velocity, Vec3(0, 3.7, 0));
    EXPECT_EQ(std::get<KeyframeMotion>(*scene.bodies[3].motion).keyframes.size(), 3u);
    EXPECT_EQ(std::get<MeshShape>(scene.bodies[4].shape).spacing, 0.02);
    EXPECT_EQ(std::get<LevelSetShape>(scene.bodies[5].shape).file, "bowl.vti");
    const BodySettings& ring = scene.bodies[6];
    EXPECT_EQ(std::get<Torus>(ring.shape).minor, 0.1);
    EXPECT_EQ(ring.resolution, 0.05); // given inside the shape
    EXPECT_EQ(ring.velocity, Vec3(1, 2, 3));
    EXPECT_EQ(ring.pressure, -1000);
    ASSERT_EQ(ring.fix.size(), 2u);
    EXPECT_EQ(ring.fix[0].box.min.x(), -infinity);
    EXPECT_TRUE(ring.fix[1].motion.has_value());
    EXPECT_EQ(scene.bodies[8].resolution, 0.1); // given beside the shape
}

TEST(SceneReader, ReadsRigidBodies)
{
    const Scene scene = every_key();
    const BodySettings& stone = scene.bodies[9];
    EXPECT_EQ(stone.kind, BodyKind::rigid);
    EXPECT_TRUE(stone.is_free_rigid());
    EXPECT_EQ(stone.velocity, Vec3(0, 0.5, 0));
    EXPECT_EQ(stone.angular_velocity, Vec3(0, 0, 2));
    EXPECT_EQ(stone.acceleration, Vec3(1, 0, 0));
    EXPECT_EQ(stone.force, Vec3(1, 2, 3));
    EXPECT_EQ(stone.torque, Vec3(0, 0, 0.1));
    EXPECT_EQ(stone.fixed_dofs, (FixedDofs{true, false, false, true, true, false}));
    EXPECT_EQ(stone.sample, 0.05);
    EXPECT_FALSE(scene.bodies[10].is_free_rigid());
    EXPECT_FALSE(scene.bodies[10].sample.has_value());
    EXPECT_EQ(scene.bodies[12].name, "brick[1]");
    EXPECT_EQ(scene.bodies[12].position, Vec3(0, 0.1 + 0.2 / 10, 0));
    EXPECT_EQ(scene.bodies[12].group, "bricks");
    EXPECT_EQ(scene.bodies[12].collides_with, (std::vector<std::string>{"bricks", "ground"}));
}

TEST(SceneReader, JoinsIncludedFiles)
{
    const SceneResult result = read_scene((good_folder / "including.yaml").string());
    ASSERT_EQ(format(result.faults), "");
    const Scene& scene = result.scene;
    ASSERT_EQ(scene.bodies.size(), 1u + 6 + 3 + 5 + 5 + 1);
    EXPECT_EQ(std::get<MeshShape>(scene.bodies[0].shape).file, "parts/ground.obj"); // relative to the scene
    EXPECT_EQ(scene.bodies[1].name, "brick[0]");
    EXPECT_EQ(scene.bodies[4].position, Vec3(0, 0.1 / 2 + 0.1, 0));
    EXPECT_EQ(scene.bodies.back().name, "stone");
    ASSERT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.materials[0].density, 700); // of the file named later
    EXPECT_EQ(scene.contact.friction, std::tan(20 * 3.14159265358979323846 / 180)); // of the scene itself
    EXPECT_EQ(scene.contact.stiffness, 1e5);
    ASSERT_EQ(scene.contact.pairs.size(), 2u);
    EXPECT_EQ(scene.contact.pairs[0].friction, 0.1);
    EXPECT_EQ(scene.time.step, 0.01);
    EXPECT_EQ(scene.expect.size(), 7u);
    EXPECT_EQ(scene.expect[0].max, 0.2);
    EXPECT_EQ(scene.bodies.back().collides_with, std::vector<std::string>{});
    EXPECT_EQ(scene.source->included.size(), 3u);
}

TEST(SceneReader, ReadsExpectations)
{
    const Scene scene = every_key();
    ASSERT_EQ(scene.expect.size(), 10u);
    EXPECT_EQ(scene.expect[0].from, 0.5);
    EXPECT_EQ(std::get<Vec3>(*scene.expect[1].near).y(), 0.123456789012345678);
    EXPECT_EQ(scene.expect[2].axis, Axis::y);
    EXPECT_EQ(std::get<double>(*scene.expect[3].near), 0.5);
    EXPECT_EQ(scene.expect[8].metric, Metric::status);
    EXPECT_EQ(scene.expect[9].min, -1);
}

TEST(SceneReader, RemembersWhereThingsStand)
{
    const Scene scene = every_key();
    const BodySettings& bunny = scene.bodies[4];
    const SourcePosition at = std::get<MeshShape>(bunny.shape).file_at;
    const std::string& line = scene.source->lines[at.line - 1];
    EXPECT_EQ(line.substr(at.column - 1, 16), "meshes/bunny.obj");
    EXPECT_EQ(scene.source->lines[scene.bodies[6].name_at.line - 1], "  - name: ring");
    const std::string fault = format(make_fault(*scene.source, at, "bodies.bunny.shape.mesh.file", "no such file"));
    EXPECT_NE(fault.find(":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": error: bodies.bunny"),
        std::string::npos)
        << fault;
}

TEST(SceneReader, OverridesReachItemsByNameAndNumber)
{
    const Scene scene = every_key({"bodies.ring.velocity=[9, 8, 7]", "contact.pairs[1].enabled=true", "time.end=5",
        "output={}", "bodies.ball.shape.sphere=0.25", "expect.0.max=1", "bodies.block 1.position=[1, 1, 1]"});
    EXPECT_EQ(scene.bodies[6].velocity, Vec3(9, 8, 7));
    EXPECT_TRUE(scene.contact.pairs[1].enabled);
    EXPECT_EQ(scene.time.end, 5);
    EXPECT_TRUE(scene.output.frames);
    EXPECT_EQ(std::get<Sphere>(scene.bodies[8].shape).radius, 0.25);
    EXPECT_EQ(scene.expect[0].max, 1);
    EXPECT_EQ(scene.bodies[7].position, Vec3(1, 1, 1));
}

TEST(SceneReader, OverridesMakeMissingMappings)
{
    const SceneResult result =
        read_scene((good_folder / "smallest.yaml").string(), {"contact.friction=0.7", "solver.gmres.restart=9"});
    EXPECT_EQ(format(result.faults), "");
    EXPECT_EQ(result.scene.contact.friction, 0.7);
    EXPECT_EQ(result.scene.solver.gmres.restart, 9);
}

TEST(SceneReader, FaultsOfOverridesStandBelowTheirPlace)
{
    const auto told = [](const std::string& override) {
        return format(read_scene((good_folder / "smallest.yaml").string(), {override}).faults);
    };
    EXPECT_EQ(told("time={step: \u00e4, end: 1}"),
        "--set time: error: time.step: expected auto or a number > 0, got \"\u00e4\"\n"
        "time={step: \u00e4, end: 1}\n"
        "            ^\n");
    EXPECT_EQ(told("time.stop=1"),
        "--set time.stop: error: unknown key; here it is \"end\"\n"
        "time.stop=1\n"
        "     ^\n");
    EXPECT_EQ(told("gravity=[1, 2"),
        "--set gravity: error: this \"[\" is not closed; expected \"]\"\n"
        "gravity=[1, 2\n"
        "        ^\n");
    EXPECT_EQ(told("time.step={expr: 2 + }"),
        "--set time.step: error: expected a number, a name or \"(\", got the end\n"
        "time.step={expr: 2 + }\n"
        "                    ^\n");
}

TEST(SceneReader, OverridesReachItemsOfDefaults)
{
    const auto read = [](const std::vector<std::string>& overrides) {
        return read_scene_text("stickslip: 1\n"
                               "time: {step: 0.01, end: 1}\n"
                               "materials: {oak: {density: 700}}\n"
                               "bodies: [{name: ball, kind: rigid, material: oak, shape: {sphere: 1}}]\n",
            "scene.yaml", overrides);
    };
    const SceneResult result = read({"gravity[1]=-1.62", "bodies.ball.position[2]={expr: \"2*3\"}",
        "bodies.ball.velocity[0]=1", "bodies.ball.velocity[2]=3"});
    ASSERT_EQ(format(result.faults), "");
    EXPECT_EQ(result.scene.gravity, Vec3(0, -1.62, 0));
    EXPECT_EQ(result.scene.bodies[0].position, Vec3(0, 0, 6));
    EXPECT_EQ(result.scene.bodies[0].velocity, Vec3(1, 0, 3));
    const auto told = [&](const std::string& override) {
        const std::string text = format(read({override}).faults);
        return text.substr(0, text.find('\n'));
    };
    EXPECT_EQ(told("gravity[3]=1"), "--set gravity[3]: error: no item \"[3]\"");
    EXPECT_EQ(told("gravity[1]=down"), "--set gravity[1]: error: expected a number, got \"down\"");
    EXPECT_EQ(told("gravity[1]={expr: n}"), "--set gravity[1]: error: no variable \"n\"");
    EXPECT_EQ(told("contact.friction[0]=1"), "--set contact.friction[0]: error: a single value has no items");
    EXPECT_EQ(told("bodies.ball.fixed_dofs[0]=x"), "--set bodies.ball.fixed_dofs[0]: error: no item \"[0]\"");
    for (const std::string list : {"output.probes", "bodies.ball.copies.grid.spacing"})
        EXPECT_EQ(
            told(list + "[0]=1"), "--set " + list + "[0]: error: no item \"[0]\" by default; give the whole list");
}

TEST(SceneReader, OverridesOfVariablesNeedVariables)
{
    const auto told = [](const std::vector<std::string>& overrides) {
        return format(read_scene((good_folder / "smallest.yaml").string(), overrides).faults);
    };
    EXPECT_EQ(told({"variables.mu=3"}), "--set variables.mu: error: no variable \"mu\"; the scene has none\n");
    EXPECT_EQ(told({"variables={mu: 3}", "variables.mu=0.3", "contact.friction={expr: mu}"}), "");
}

TEST(SceneReader, AFileThatCannotBeReadIsAFileError)
{
    EXPECT_THROW(read_scene((good_folder / "there_is_no_such.yaml").string()), FileError);
    EXPECT_THROW(read_scene(good_folder.string()), FileError);
}

TEST(SceneReader, RefusesAHugeFile)
{
    const SceneResult result = read_scene_text(std::string((16u << 20) + 1, '#'), "huge.yaml");
    EXPECT_EQ(format(result.faults), "huge.yaml: error: the file is larger than 16 MiB\n");
}

TEST(SceneReader, FindsTheColumnInALongLineAndDoesNotQuoteIt)
{
    std::string text = "{\"stickslip\": 1, \"time\": {\"step\": 1, \"end\": 5}, \"expect\": [], \"title\": \"";
    for (int i = 0; i < 1000; ++i)
        text += "\u00e4";
    const std::size_t bytes = text.size();
    text += "\", \"bodies\": 3}";
    const SceneResult result = read_scene_text(text, "long.json");
    ASSERT_EQ(result.faults.size(), 1u);
    EXPECT_EQ(result.faults[0].column, static_cast<int>(bytes - 1000 + 14)); // a-umlaut: two bytes, one character
    EXPECT_EQ(format(result.faults[0]).find('\n'), std::string::npos);
}

TEST(SceneReader, CountsOnlySoManyFaults)
{
    std::string text = "stickslip: 1\n";
    for (int i = 0; i < 5000; ++i)
        text += "wrong" + std::to_string(i) + ": 1\n";
    const SceneResult result = read_scene_text(text, "wrong.yaml");
    ASSERT_EQ(result.faults.size(), 21u);
    EXPECT_EQ(format(result.faults.back()), "wrong.yaml: error: and at least 980 more");
}

TEST(SceneReader, EveryPrefixOfAGoodSceneIsReadOrRefused)
{
    const std::string text = test::slurp(good_folder / "every_key.yaml");
    for (std::size_t length = 0; length < text.size(); length += 7) {
        const SceneResult result = read_scene_text(text.substr(0, length), "cut.yaml");
        for (const Fault& fault : result.faults)
            EXPECT_FALSE(format(fault).empty());
    }
}

TEST(SceneReader, SurvivesMutatedScenes)
{
    const std::string text = test::slurp(good_folder / "every_key.yaml");
    const std::string alphabet = "{}[]:,-#&*!|>'\"%@`? \n\t\r0a.~\x01\xC3\xFF";
    std::mt19937 random(20240607);
    const auto below = [&](std::size_t n) { return random() % n; };
    for (int trial = 0; trial < 1500; ++trial) {
        std::string mutated = text;
        for (std::size_t change = 0; change <= below(6); ++change) {
            const std::size_t at = below(mutated.size());
            switch (below(4)) {
            case 0:
                mutated[at] = alphabet[below(alphabet.size())];
                break;
            case 1:
                mutated.insert(at, 1, alphabet[below(alphabet.size())]);
                break;
            case 2:
                mutated.erase(at, 1 + below(20));
                break;
            default:
                mutated.insert(at, text.substr(below(text.size()), below(40)));
            }
        }
        const SceneResult result = read_scene_text(mutated, "mutated.yaml");
        EXPECT_LE(result.faults.size(), 21u);
        if (result.good()) {
            EXPECT_TRUE(read_scene_text(write_scene(result.scene), "again.yaml").good()) << mutated;
        }
    }
}

TEST(RotationMatrix, FormsOfTheSameTurnAgree)
{
    const double half = std::sqrt(0.5);
    const Mat3 axis = rotation_matrix(AxisRotation{.axis = Vec3(0, 0, 7), .degrees = 90});
    const Mat3 quaternion = rotation_matrix(QuaternionRotation{.wxyz = {3 * half, 0, 0, 3 * half}});
    const Mat3 euler = rotation_matrix(EulerRotation{.degrees = Vec3(0, 0, 90)});
    EXPECT_LT((axis - quaternion).norm(), 1e-15); // a few roundings
    EXPECT_LT((axis - euler).norm(), 1e-15);
    EXPECT_LT((axis * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

TEST(RotationMatrix, EulerAnglesTurnAboutFixedAxesInOrder)
{
    const Mat3 matrix = rotation_matrix(EulerRotation{.degrees = Vec3(90, 90, 0)});
    EXPECT_LT((matrix * Vec3::UnitY() - Vec3::UnitX()).norm(), 1e-15); // y -> z about x, then z -> x about y
}

} // namespace
} // namespace stickslip::scene_reader_test
