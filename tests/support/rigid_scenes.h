#pragma once

#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace stickslip {

/// A scene with these bodies, built; `folder` holds its files.
struct BuiltScene {
    Scene scene;
    BuildResult result;

    explicit BuiltScene(const std::string& bodies, const std::filesystem::path& folder = ".")
    {
        const SceneResult read =
            read_scene_text("stickslip: 1\ntime: {step: 0.01, end: 0.1}\nmaterials:\n"
                            "  oak: {density: 700}\n  gum: {density: 900, young: 1e5, poisson: 0.3}\nbodies:\n"
                    + bodies,
                "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        scene = read.scene;
        result = build_world(scene, folder);
    }
    const BuiltWorld& built() const { return result.built; }
    const World& world() const { return result.built.world; }
    const State& state() const { return result.built.state; }
};

/// One line of the list: a rigid body of oak.
inline std::string rigid_body(const std::string& name, const std::string& shape, const std::string& more = "")
{
    return "  - {name: " + name + ", kind: rigid, material: oak, shape: {" + shape + "}" + (more.empty() ? "" : ", ")
        + more + "}\n";
}

/// A wedge: half of the box [0, 2] x [0, 1] x [0, 1], cut along x + 2 y = 2.
inline std::string wedge_obj()
{
    return "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nv 2 0 1\nv 0 1 1\n"
           "f 1 3 2\nf 4 5 6\nf 1 2 5\nf 1 5 4\nf 1 4 6\nf 1 6 3\nf 2 3 6\nf 2 6 5\n";
}

} // namespace stickslip
