#pragma once

#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/run/run.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace stickslip {

/// Cells of a table without commas in them.
inline std::vector<std::vector<std::string>> csv_rows(const std::string& table)
{
    std::vector<std::vector<std::string>> rows;
    std::istringstream text(table);
    for (std::string line; std::getline(text, line);) {
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');)
            rows.back().push_back(cell);
    }
    return rows;
}

/// Options of a run whose files are in `folder`, into the folder `name` in it.
inline RunOptions within(const std::filesystem::path& folder, const std::string& name, RunOptions options = {})
{
    options.scene_folder = folder;
    options.folder = folder / name;
    return options;
}

/// Scenes that are built and run in one folder.
struct RunsInAFolder {
    TemporaryFolder folder;

    BuildResult build(const std::string& text, Scene& scene) const
    {
        const SceneResult read = read_scene_text(text, (folder.path() / "scene.yaml").string());
        EXPECT_EQ(format(read.faults), "");
        scene = read.scene;
        return build_world(scene, folder.path());
    }
    BuildResult build_without_warnings(const std::string& text, Scene& scene) const
    {
        BuildResult built = build(text, scene);
        EXPECT_EQ(format(built.faults) + format(built.warnings), "");
        return built;
    }
    RunResult run(const std::string& text, const std::string& name, const RunOptions& options = {}) const
    {
        Scene scene;
        const BuildResult built = build_without_warnings(text, scene);
        return run_scene(scene, built.built, within(folder.path(), name, options), {});
    }
};

/// Runs the scene that a run left in its folder, into another folder.
inline RunResult run_again(const std::filesystem::path& folder, const std::filesystem::path& other)
{
    const SceneResult read = read_scene((folder / "scene.yaml").string());
    EXPECT_EQ(format(read.faults), "");
    const BuildResult built = build_world(read.scene, folder);
    EXPECT_EQ(format(built.faults), "");
    return run_scene(read.scene, built.built, {.scene_folder = folder, .folder = other}, {});
}

} // namespace stickslip
