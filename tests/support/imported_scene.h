#pragma once

#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/scene/import/import_rigid_ipc.h"
#include "stickslip/scene/table/scene_table.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

inline constexpr const char* cube_obj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
    "f 1 3 2\nf 2 3 4\nf 5 6 7\nf 6 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\n"
    "f 2 4 8\nf 2 8 6\n";
inline constexpr const char* sheet_obj = "v -5 0 5\nv 5 0 5\nv -5 0 -5\nv 5 0 -5\nf 2 3 1\nf 2 4 3\n";
inline constexpr const char* wedge_obj = "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nv 2 0 1\nv 0 1 1\n"
                                         "f 1 3 2\nf 4 5 6\nf 1 2 5\nf 1 5 4\nf 1 4 6\nf 1 6 3\nf 2 3 6\nf 2 6 5\n";

/// A scene with these bodies in a folder with the meshes above.
class Imported {
public:
    using Files = std::vector<std::pair<std::string, std::string>>; // names and texts of further meshes

    explicit Imported(const std::string& bodies, const std::string& problem = "", const std::string& more = "",
        const Files& files = {})
    {
        std::filesystem::create_directory(folder_.path() / "shapes");
        write_file_atomically(folder_.path() / "shapes/cube.obj", cube_obj);
        write_file_atomically(folder_.path() / "shapes/sheet.obj", sheet_obj);
        write_file_atomically(folder_.path() / "shapes/wedge.obj", wedge_obj);
        for (const auto& [name, text] : files)
            write_file_atomically(folder_.path() / "shapes" / name, text);
        write_file_atomically(path(),
            "{\"scene_type\": \"distance_barrier_rb_problem\", \"timestep\": 0.01, \"max_time\": 2" + more
                + ", \"rigid_body_problem\": {\"coefficient_friction\": 0.5, \"gravity\": [0, -9.8, 0]" + problem
                + ", \"rigid_bodies\": [" + bodies + "]}}");
        result = import_rigid_ipc(path().string(), folder_.path() / "shapes", folder_.path());
    }
    std::filesystem::path path() const { return folder_.path() / "scene.json"; }
    const BodySettings& body(std::size_t i = 0) const { return result.scene.bodies.at(i); }
    bool says(const std::string& text) const
    {
        return std::any_of(result.notes.begin(), result.notes.end(),
            [&](const std::string& note) { return note.find(text) != std::string::npos; });
    }
    bool drops(const std::string& text) const
    {
        return std::any_of(result.dropped.begin(), result.dropped.end(),
            [&](const Fault& fault) { return (fault.path + ": " + fault.message).find(text) != std::string::npos; });
    }
    /// Written with its meshes, read back and built.
    BuildResult built() const
    {
        for (const auto& mesh : result.meshes) {
            std::filesystem::create_directories((folder_.path() / mesh.file).parent_path());
            write_file_atomically(folder_.path() / mesh.file, obj_text(mesh.mesh));
        }
        const SceneResult read = read_scene_text(write_scene(result.scene), "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        return build_world(read.scene, folder_.path());
    }

    ImportedScene result;

private:
    TemporaryFolder folder_;
};

} // namespace stickslip
