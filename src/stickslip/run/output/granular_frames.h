#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/dem/contact_list.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/files/frame_series.h"

#include <filesystem>
#include <vector>

namespace stickslip {

/// Writes frames of an explicit run: each body of spheres as points with radius, velocity, angular velocity and
/// number (and number of their clump), in the order of the scene; each obstacle and rigid body as a surface, an
/// obstacle that never moves in a file that all frames name; the contacts, if wanted, as points with force, and as
/// lines from centre to centre, or to the wall; the coarse-grained fields of regions that ask for them.
class GranularFrames {
public:
    /// Keeps references. A plane is drawn as a square around the spheres at the start.
    GranularFrames(const Scene& scene, const BuiltWorld& built, const std::filesystem::path& folder);

    std::vector<FramePart> write(
        std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const;

private:
    FramePart write_set(std::size_t number, int index, const SphereSystem& system, const std::vector<int>& slots) const;
    FramePart write_surface(std::size_t number, std::size_t body, const Frame& frame) const;
    FramePart write_chains(
        std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const;
    FramePart write_contacts(
        std::size_t number, const SphereSystem& system, const std::vector<GranularContact>& contacts) const;
    FramePart write_fields(std::size_t number, std::size_t region, const SphereSystem& system,
        const std::vector<GranularContact>& contacts) const;

    const BuiltWorld& built_;
    std::filesystem::path folder_;
    const Scene& scene_;
    std::vector<std::string> files_; // beginnings of file names, by body of the scene
    std::vector<std::string> field_files_; // the same by region
    std::vector<TriMesh> surfaces_; // own frame, by body; empty: spheres
};

} // namespace stickslip
