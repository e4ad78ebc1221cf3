#pragma once

#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/run/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace stickslip {

/// A scene of spheres with these bodies, built; `folder` holds its files.
struct GranularScene {
    Scene scene;
    BuildResult result;

    explicit GranularScene(const std::string& bodies, const std::filesystem::path& folder = ".",
        const std::string& more = "", const std::string& time = "{step: auto, end: 0.1, frame: 0.02}")
    {
        const SceneResult read = read_scene_text("stickslip: 1\ntime: " + time
                + "\nsolver: {integration: explicit}\nmaterials:\n"
                  "  glass: {density: 2500, kn: 1e4, restitution: 0.6}\n"
                  "  steel: {density: 7800, young: 1e8, poisson: 0.3}\n"
                + more + "bodies:\n" + bodies,
            "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        scene = read.scene;
        if (read.good())
            result = build_world(scene, folder);
        EXPECT_EQ(format(result.faults), "");
    }
    const BuiltWorld& built() const { return result.built; }
    const BuiltGranular& granular() const { return *result.built.granular; }
};

inline const std::string floor_body = "  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}\n";

/// Spheres in a region above the floor.
inline std::string filled_body(const std::string& fill, const std::string& more = "")
{
    return "  - {name: grains, kind: spheres, material: glass, position: [0, 0.3, 0], fill: {" + fill + "}"
        + (more.empty() ? "" : ", ") + more + "}\n";
}

} // namespace stickslip
