#include "stickslip/scene/table/scene_table.h"

#include "support/scene_files.h"

#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/scene/text/scene_reading.h"

#include <algorithm>
#include <limits>

namespace stickslip::scene_table_test {
namespace {

const std::filesystem::path docs = std::filesystem::path(STICKSLIP_SOURCE_DIR) / "docs";

TEST(SceneTable, ReferenceIsInTheDocs)
{
    test::expect_same_as_file(scene_reference(), docs / "scene_format.md");
}

TEST(SceneTable, SchemaIsInTheDocs)
{
    test::expect_same_as_file(scene_schema(), docs / "scene.schema.json");
}

TEST(SceneTable, EveryReferenceInTheSchemaHasItsDefinition)
{
    const Json schema = Json::parse(scene_schema());
    const std::string text = schema.dump(), mark = "\"$ref\":\"#/$defs/";
    for (std::size_t i = text.find(mark); i != std::string::npos; i = text.find(mark, i + 1)) {
        const std::size_t begin = i + mark.size();
        EXPECT_TRUE(schema["$defs"].contains(text.substr(begin, text.find('"', begin) - begin)))
            << text.substr(begin, 30);
    }
}

class ManualExample : public testing::TestWithParam<ReferenceSection> { };

/// Reads and builds an example together with the base scene, in a folder of this name.
void expect_sound(const std::string& example, const std::string& name)
{
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("manual_" + name);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "base.yaml") << example_base();
    const std::string text = "include: base.yaml\n" + example;
    const SceneResult read = read_scene_text(text, (folder / "example.yaml").string());
    ASSERT_EQ(format(read.faults), "") << text;
    if (text.find("file: ") != std::string::npos || text.find("from: ") != std::string::npos)
        return; // of a file that is not there
    const BuildResult built = build_world(read.scene, folder);
    EXPECT_EQ(format(built.faults) + format(built.warnings), "") << text;
}

TEST_P(ManualExample, TogetherWithTheBaseSceneIsReadAndBuilt)
{
    expect_sound(GetParam().text.example, GetParam().text.title);
}

TEST(SceneTable, ExamplesBehindTheTablesAreReadAndBuiltToo)
{
    const std::string manual = scene_reference(), fence = "```yaml\n";
    int examples = 0;
    for (std::size_t i = manual.find(fence, manual.find("\n## Material points\n")); i != std::string::npos;
         i = manual.find(fence, i + 1)) {
        const std::size_t begin = i + fence.size();
        expect_sound(manual.substr(begin, manual.find("```", begin) - begin), std::to_string(++examples));
    }
    EXPECT_EQ(examples, 2); // of material points and of place_on
}

TEST_P(ManualExample, ShowsAKeyOfItsSection)
{
    const ReferenceSection& section = GetParam();
    const auto is_shown = [&](const ReferenceRow& row) {
        return section.text.example.find(row.key + ":") != std::string::npos;
    };
    EXPECT_TRUE(std::any_of(section.rows.begin(), section.rows.end(), is_shown)) << section.text.example;
}

INSTANTIATE_TEST_SUITE_P(SceneTable, ManualExample, testing::ValuesIn(reference_sections()),
    [](const auto& section) { return section.param.text.title; });

TEST(SceneTable, ASceneMadeInCodeIsWrittenAndReadBack)
{
    Scene scene;
    scene.time.step = 0.1 + 0.2; // needs 17 digits
    BodySettings ball;
    ball.name = "yes"; // a boolean for some readers unless it is quoted
    ball.shape = Sphere{.radius = std::numeric_limits<double>::min()};
    ball.position = Vec3(1.0 / 3, -1e-30, 1e30);
    scene.bodies.push_back(ball);
    const SceneResult result = read_scene_text(write_scene(scene), "made.yaml");
    ASSERT_EQ(format(result.faults), "");
    EXPECT_EQ(result.scene.time.step, scene.time.step);
    EXPECT_EQ(result.scene.bodies[0].name, "yes");
    EXPECT_EQ(result.scene.bodies[0].position, ball.position);
    EXPECT_EQ(std::get<Sphere>(result.scene.bodies[0].shape).radius, std::numeric_limits<double>::min());
}

TEST(NumberText, IsADecimalThatAnyYamlReaderTakesForANumber)
{
    EXPECT_EQ(number_text(1), "1.0");
    EXPECT_EQ(number_text(1e6), "1.0e+06");
    EXPECT_EQ(number_text(-0.1), "-0.1");
    EXPECT_EQ(number_text(infinity), ".inf");
}

TEST(NearestWord, FindsSlipsOfTheKeyboardOnly)
{
    const std::vector<std::string> keys = {"position", "rotation", "motion", "fix"};
    EXPECT_EQ(nearest_word("postion", keys), "position");
    EXPECT_EQ(nearest_word("psoition", keys), "position");
    EXPECT_EQ(nearest_word("wibble", keys), "");
    EXPECT_EQ(nearest_word("x", keys), "");
}

} // namespace
} // namespace stickslip::scene_table_test
