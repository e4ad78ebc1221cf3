#pragma once

#include "stickslip/dem/contact_list.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/io/build_world.h"
#include "stickslip/io/frame_series.h"

#include <filesystem>
#include <vector>

namespace stickslip {

/// Writes frames of an explicit run: each body of spheres as points with radius, velocity, angular velocity and
/// number, in the order of the scene; each obstacle as a surface; the contacts, if wanted, as points with force,
/// and as lines from centre to centre, or to the wall.
class GranularFrames {
public:
    /// Keeps references. A plane is drawn as a square around the spheres at the start.
    GranularFrames(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder);

    /// contacts: null, none are written.
    std::vector<FramePart> write(
        std::size_t number, const SphereSystem& system, const std::vector<GranularContact>* contacts) const;

private:
    FramePart write_set(std::size_t number, int index, const Spheres& spheres, const std::vector<int>& slots) const;
    FramePart write_wall(std::size_t number, int index, double time) const;
    FramePart write_chains(
        std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const;
    FramePart write_contacts(
        std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const;

    const BuiltWorld& built_;
    std::filesystem::path folder_;
    std::vector<std::string> set_files_, wall_files_; // beginnings of file names
    std::vector<TriMesh> wall_surfaces_; // own frame
};

} // namespace stickslip
