// Words in quotes, as JSON has to write them, wherever the table allows a word.
#include "support/scene_files.h"

#include "stickslip/build/scene_reader.h"
#include "stickslip/scene/table/scene_table.h"

#include <map>

namespace stickslip::scene_words_test {
namespace {

/// `section.key` -> the words that the table allows there.
using WordKeys = std::map<std::string, std::vector<std::string>>;

/// Adds the words that a value of this schema may be; what it refers to has a section of its own.
void add_words(const Json& schema, std::vector<std::string>& words)
{
    if (schema.contains("const") && schema["const"].is_string())
        words.push_back(schema["const"]);
    for (const Json& word : schema.value("enum", Json::array()))
        if (word.is_string()) // not a number
            words.push_back(word);
    for (const char* alternatives : {"anyOf", "oneOf"})
        for (const Json& alternative : schema.value(alternatives, Json::array()))
            add_words(alternative, words);
    if (schema.contains("items"))
        add_words(schema["items"], words);
}

void add_word_keys(const std::string& section, const Json& schema, WordKeys& keys)
{
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, value] : properties.items()) {
        std::vector<std::string> words;
        add_words(value, words);
        if (!words.empty())
            keys[section + "." + key] = words;
    }
    for (const Json& alternative : schema.value("oneOf", Json::array()))
        add_word_keys(section, alternative, keys);
}

WordKeys word_keys_of_the_table()
{
    WordKeys keys;
    const Json schema = Json::parse(scene_schema());
    for (const auto& [section, definition] : schema["$defs"].items())
        add_word_keys(section, definition, keys);
    return keys;
}

/// Where a scene has a key that may be a word: `section.key` -> the path of its first value.
class Places {
public:
    explicit Places(const std::string& text)
    {
        std::vector<Fault> faults;
        const SceneNode root = parse_scene_tree(text, {.file = "", .lines = split_lines(text)}, faults);
        EXPECT_TRUE(faults.empty());
        walk(schema_["$defs"]["scene"], root, "scene", "", "");
    }

    std::map<std::string, std::string> of_key;

private:
    void walk(const Json& schema, const SceneNode& node, const std::string& section, const std::string& key,
        const std::string& path)
    {
        if (schema.contains("$ref")) {
            const std::string name = std::string(schema["$ref"]).substr(std::string("#/$defs/").size());
            walk(schema_["$defs"][name], node, name, key, path);
            return;
        }
        for (const char* alternatives : {"anyOf", "oneOf"})
            for (const Json& alternative : schema.value(alternatives, Json::array()))
                walk(alternative, node, section, key, path);
        if (node.is_scalar() && !key.empty())
            of_key.try_emplace(key, path);
        for (std::size_t i = 0; i < node.items.size() && schema.contains("items"); ++i)
            walk(schema["items"], node.items[i], section, key, path + "[" + std::to_string(i) + "]");
        const Json properties = schema.value("properties", Json::object());
        for (const SceneEntry& entry : node.entries) {
            const std::string below = (path.empty() ? "" : path + ".") + entry.key;
            if (properties.contains(entry.key))
                walk(properties[entry.key], entry.value, section, section + "." + entry.key, below);
            else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
                walk(schema["additionalProperties"], entry.value, section, "", below);
        }
    }

    const Json schema_ = Json::parse(scene_schema());
};

/// A scene that says the word there, as it is written out, with all complaints.
std::string read_with(const std::string& scene, const std::string& path, const std::string& word)
{
    const SceneResult result = read_scene_text(scene, "scene.yaml", {path + "=" + word});
    std::string text;
    for (const Fault& fault : result.faults)
        text += fault.path + ": " + fault.message + "\n";
    return text + write_scene(result.scene);
}

/// Infinity as YAML has it for the words of programs; every other word as it is.
std::string yaml_word(const std::string& word)
{
    const std::string sign = word.starts_with('-') ? "-" : "", body = word.substr(sign.size());
    return body == "inf" || body == "Infinity" ? sign + ".inf" : word;
}

/// What the good scenes lack.
const char* const more = R"(stickslip: 1
time: {step: auto, end: 2}
solver: {integration: explicit}
materials: {sand: {density: 2500, kn: 1e4, friction: 0.2}}
bodies:
  - {name: hill, kind: obstacle, shape: {mesh: {file: a.stl}}, contact_geometry: mesh, sample: 0.1}
  - {name: sand, kind: spheres, material: sand, clump: {positions: [[0, 0, 0]], radius: 0.1, orientation: random}, fill: {mesh: {file: b.stl, weld: 0}, count: 3}}
)";

TEST(SceneWords, MayStandInQuotesAtEveryKeyThatHasSome)
{
    const std::filesystem::path good = std::filesystem::path(STICKSLIP_SOURCE_DIR) / "tests/build/good_scenes";
    WordKeys left = word_keys_of_the_table();
    EXPECT_GE(left.size(), 35u);
    for (const std::string& scene :
        {test::slurp(good / "every_key.yaml"), test::slurp(good / "spheres.yaml"), std::string(more)}) {
        for (const auto& [key, path] : Places(scene).of_key) {
            const auto found = left.find(key);
            if (found == left.end())
                continue;
            for (const std::string& word : found->second) {
                const std::string plain = read_with(scene, path, yaml_word(word));
                for (const char* got : {", got ", ", got \""}) // is none of the table's
                    EXPECT_EQ(plain.find(got + yaml_word(word)), std::string::npos) << path << "\n" << plain;
                EXPECT_EQ(read_with(scene, path, "\"" + word + "\""), plain) << path << ": " << word;
            }
            left.erase(found);
        }
    }
    for (const auto& [key, words] : left)
        ADD_FAILURE() << key << " is in none of these scenes";
}

TEST(SceneWords, AreReadFromJson)
{
    const SceneResult result = read_scene_text(
        R"({"stickslip": 1, "time": {"step": "auto", "end": 1}, "solver": {"integration": "explicit"},
"materials": {"sand": {"density": 2500, "kn": 10000}}, "output": {"checkpoint": Infinity},
"periodic": {"min": ["-.inf", "-inf", 0], "max": [".inf", "inf", 1]},
"bodies": [{"name": "sand", "kind": "spheres", "material": "sand", "radius": 0.1, "positions": [[0, 0, 0]]}]})",
        "scene.json");
    ASSERT_EQ(format(result.faults), "");
    EXPECT_EQ(result.scene.time.step, 0);
    EXPECT_EQ(result.scene.output.checkpoint, infinity);
    ASSERT_TRUE(result.scene.periodic);
    EXPECT_EQ(result.scene.periodic->min, Vec3(-infinity, -infinity, 0));
    EXPECT_EQ(result.scene.periodic->max, Vec3(infinity, infinity, 1));
}

TEST(SceneWords, NumbersInQuotesStayTexts)
{
    const std::string begin = "stickslip: 1\ntime: {step: 0.01, end: 1}\nbodies:\n  - {name: a, kind: obstacle, shape: "
                              "{sphere: 1}}\ncontact: {friction: ";
    for (const char* word : {"\"0.3\"", "\"auto\"", "\"1e400\"", "\"\"", "\"infinite\"", "\".nan\"", "\"- inf\""})
        EXPECT_FALSE(read_scene_text(begin + word + "}\n", "a.yaml").good()) << word;
    for (const char* word : {"\".inf\"", "'.INF'", "\"+inf\"", "Infinity", ".inf"})
        EXPECT_TRUE(read_scene_text(begin + word + "}\n", "a.yaml").good()) << word;
}

} // namespace
} // namespace stickslip::scene_words_test
