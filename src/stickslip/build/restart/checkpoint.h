#pragma once

#include "stickslip/build/restart/checkpoint_body.h"
#include "stickslip/build/restart/run_totals.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/world/world.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// Length of an appended file of the run folder.
struct FileLength {
    std::string file; // relative to the run folder
    std::uint64_t bytes = 0;
};

/// All that a resumed run needs besides its scene.
struct Checkpoint {
    State state; // of an implicit run
    std::optional<GranularState> granular; // of an explicit one
    RunTotals totals;
    std::vector<FileLength> files;
    std::uint64_t frames_written = 0;
    double next_frame_time = 0; // [s]
    double next_checkpoint_time = 0; // [s]
    bool steered = false; // by what the scene does not tell, so that it alone does not go on
    std::string scene_hash; // of what the scene says of the world: another one must not be resumed from here
    std::vector<CheckpointBody> bodies; // in the order of the scene: another one may start from here
};

/// Every bit of every number, NaNs too; the file appears whole or not at all, after a power cut too. Errors: FileError
/// as AtomicFile.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Errors: FileError when the file cannot be read; InputError "<path>: ..." when it is no checkpoint, is of another
/// format version, was cut off or altered. Any file content is safe.
Checkpoint load_checkpoint(const std::filesystem::path& path);

/// The content of such a file, and back. Errors: InputError as above, without a path.
std::string checkpoint_bytes(const Checkpoint& checkpoint);
Checkpoint checkpoint_from(std::string_view bytes);

/// `<folder>/step-0000000123.ckpt`: steps are the totals' steps, a name sorts by them.
std::filesystem::path checkpoint_path(const std::filesystem::path& folder, std::uint64_t steps);

/// A checkpoint that cannot be used, and why.
struct DamagedCheckpoint {
    std::filesystem::path path;
    std::string reason;
};

/// The last checkpoint of a folder that can be loaded.
struct LatestCheckpoint {
    std::optional<std::filesystem::path> path; // none: there is no good one
    Checkpoint checkpoint; // content of `path`
    std::vector<DamagedCheckpoint> damaged; // later ones that were skipped, last first
};

/// A folder that is not there has none. Errors: FileError when the folder cannot be read.
LatestCheckpoint latest_valid_checkpoint(const std::filesystem::path& folder);

/// Removes all but the last `keep` checkpoints of a folder; other files stay. Errors: FileError.
void prune_checkpoints(const std::filesystem::path& folder, int keep = 2);

} // namespace stickslip
