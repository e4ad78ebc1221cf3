#pragma once

#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/run/run.h"

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
