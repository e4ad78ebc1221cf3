#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/files/frame_series.h"
#include "stickslip/scene/scene.h"

#include <filesystem>
#include <vector>

namespace stickslip {

/// Writes one frame: each deformable body as tetrahedra with displacement, velocity, volume ratio, stress and what
/// contact does to its nodes; each mpm body as points with velocity, density ratio, plastic strain and stress; each
/// obstacle as a surface, where it is at that time, one that never moves in a file that all frames name; all rigid
/// bodies as one surface with velocity and the number of the body (a thousand bodies would be a thousand files); the
/// contacts, if there is a `system` to ask, as points with force, depth, slip and the two bodies. Bodies are numbered
/// in the order of the scene. Files go to `folder`/frames and are named by body and frame number.
class FrameWriter {
public:
    /// Keeps references. Surfaces of obstacles are made once; a plane is drawn as a square around the bodies at the
    /// start.
    FrameWriter(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder);

    /// `node_slip`: accumulated [m], by node (RunTotals::node_slip); empty before the first step.
    std::vector<FramePart> write(std::size_t number, const State& state, const BackwardEuler* system,
        const std::vector<double>& node_slip) const;

private:
    FramePart part(const std::string& name, const std::string& file, std::size_t number, const char* ending) const;
    FramePart write_deformable(std::size_t number, int body, const State& state, const std::vector<Vec3>& contact_force,
        const std::vector<double>& node_slip) const;
    FramePart write_mpm(std::size_t number, int body, const State& state) const;
    FramePart write_obstacle(std::size_t number, int obstacle, const State& state) const;
    FramePart resting_obstacle(int obstacle) const;
    FramePart write_rigid(std::size_t number, const State& state) const;
    void add_rigid(int body, const TriMesh& surface);
    FramePart write_contacts(std::size_t number, const State& state, const BackwardEuler* system) const;

    const BuiltWorld& built_;
    std::filesystem::path folder_;
    std::vector<std::string> deformable_files_, mpm_files_, obstacle_files_; // beginnings of file names, all different
    std::vector<TriMesh> obstacle_surfaces_; // own frame
    TriMesh rigid_surface_; // of all rigid bodies, each in its own frame
    std::vector<int> rigid_first_; // first vertex of each
    std::vector<int> body_of_rigid_point_; // counted from 0 in the order of the scene
};

} // namespace stickslip
