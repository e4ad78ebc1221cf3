#include "support/scene_files.h"

#include "stickslip/build/scene_reader.h"

#include <sstream>

namespace stickslip::broken_scene_test {
namespace {

const std::filesystem::path folder = std::filesystem::path(STICKSLIP_SOURCE_DIR) / "tests/build/broken_scenes";

/// Every scene in broken_scenes/ must give, word for word, the text of the `.expected` file beside it. A file
/// `.overrides` beside it holds `--set` arguments, one a line. The working folder is broken_scenes/, so that scenes may
/// name files there.
class BrokenScene : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder);
    }
    void TearDown() override { std::filesystem::current_path(before_); }

private:
    std::filesystem::path before_;
};

/// What a user sees. Stages after the reader (meshes) add their complaints about scenes that read well here.
std::string complaints(const std::string& file, const std::vector<std::string>& overrides)
{
    const SceneResult result = read_scene(file, overrides);
    return format(result.faults) + format(result.warnings);
}

TEST_P(BrokenScene, IsRefusedWordForWord)
{
    const std::string stem = std::filesystem::path(GetParam()).stem().string();
    std::vector<std::string> overrides;
    std::istringstream lines(test::slurp(folder / (stem + ".overrides")));
    for (std::string line; std::getline(lines, line);)
        overrides.push_back(line);
    const std::string text = complaints(GetParam(), overrides);
    EXPECT_FALSE(text.empty()) << "nothing found wrong";
    test::expect_same_as_file(text, folder / (stem + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenScene, testing::ValuesIn(test::scenes_in("broken_scenes")), test::test_name);

} // namespace
} // namespace stickslip::broken_scene_test
