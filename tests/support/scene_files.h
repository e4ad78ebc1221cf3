#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// Files beside the tests of scenes.
namespace stickslip::test {

inline std::string slurp(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Compares with a file that is kept in the repository; with STICKSLIP_REGENERATE=1 in the environment writes it
/// instead.
inline void expect_same_as_file(const std::string& text, const std::filesystem::path& path)
{
    if (std::getenv("STICKSLIP_REGENERATE")) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    EXPECT_EQ(text, slurp(path)) << path << " is out of date; after a look at the difference write it anew by\n"
                                 << "    STICKSLIP_REGENERATE=1 bin/build_tests --gtest_filter='Scene*:*/BrokenScene*'";
}

/// Scenes (.yaml, .json) in a folder below tests/build, in the order of their names.
inline std::vector<std::string> scenes_in(const std::string& folder)
{
    std::vector<std::string> names;
    const std::filesystem::path path = std::filesystem::path(STICKSLIP_SOURCE_DIR) / "tests/build" / folder;
    for (const auto& entry : std::filesystem::directory_iterator(path))
        if (entry.path().extension() == ".yaml" || entry.path().extension() == ".json")
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// gtest wants letters, digits and underscores.
inline std::string test_name(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

} // namespace stickslip::test
