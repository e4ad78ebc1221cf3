#pragma once

#include "stickslip/io/build_world.h"
#include "stickslip/io/frame_series.h"
#include "stickslip/io/scene.h"

#include <filesystem>
#include <vector>

namespace stickslip {

/// Writes one frame: each deformable body as tetrahedra with displacement, velocity, volume ratio and von Mises stress;
/// each obstacle as a surface, where it is at that time; the contacts, if there is a `system` to ask, as points with
/// force, depth and the two bodies (numbers in the order of the scene). Files go to `folder`/frames and are named by
/// body and frame number.
class FrameWriter {
public:
    /// Keeps references. Surfaces of obstacles are made once; a plane is drawn as a square around the bodies at the
    /// start.
    FrameWriter(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& scene_folder,
        const std::filesystem::path& folder);

    std::vector<FramePart> write(std::size_t number, const State& state, const BackwardEuler* system) const;

private:
    FramePart part(const std::string& name, const std::string& file, std::size_t number, const char* ending) const;
    FramePart write_deformable(std::size_t number, int body, const State& state) const;
    FramePart write_obstacle(std::size_t number, int obstacle, const State& state) const;
    int number_in_scene(BodyKind kind, int index) const;
    FramePart write_contacts(std::size_t number, const BackwardEuler* system) const;

    const BuiltWorld& built_;
    std::filesystem::path folder_;
    std::vector<std::string> deformable_files_, obstacle_files_; // beginnings of file names, all different
    std::vector<TriMesh> obstacle_surfaces_; // own frame
};

} // namespace stickslip
