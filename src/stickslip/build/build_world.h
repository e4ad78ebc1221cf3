#pragma once

#include "stickslip/build/built_world.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// Opens the files that a scene names (relative to `folder`), meshes its primitives, resolves its names. All faults at
/// once. `grid_cache`: where sampled level sets are kept; empty: nowhere. `steered`: bodies may come to be anywhere,
/// not only where the scene by itself brings them.
BuildResult build_world(const Scene& scene, const std::filesystem::path& folder,
    const std::filesystem::path& grid_cache = {}, bool steered = false);

} // namespace stickslip
