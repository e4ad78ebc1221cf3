#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/build/restart/checkpoint.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/folder_lock.h"
#include "stickslip/files/frame_series.h"
#include "stickslip/run/run_report.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// Errors: InputError when there is a run in the folder, or something else that a run would write over.
void refuse_used_folder(const std::filesystem::path& folder);

/// The files of one run (docs/run_folder.md). Opening makes the folder, or finds the checkpoint to go on from and cuts
/// everything back to it, so that a resumed run writes what an undisturbed one would have written.
class RunFolder {
public:
    /// tables: first row of each, by file name.
    RunFolder(const Scene& scene, const BuiltWorld& built, const RunOptions& options,
        std::map<std::string, std::string> tables);

    /// Checkpoint to resume from; none for a run that starts.
    const std::optional<Checkpoint>& resumed_from() const { return resumed_; }

    /// Faults of the checkpoints that were found.
    const std::vector<std::string>& complaints() const { return complaints_; }

    void append(const std::string& table, const std::string& row);
    void flush();
    void add_frame(double time, std::vector<FramePart> parts);
    void write_log(const std::string& line);
    /// Completes files and frames_written. All that going on from it reads is on disk then.
    void save(Checkpoint checkpoint);
    /// The last that is written: others may write into the folder then.
    void write_summary(const RunResult& result, int threads, const RunOptions& options);

    std::uint64_t frames_written() const { return series_.frames().size(); }

private:
    void refuse_or_clear(bool force);
    using Inputs = std::map<std::string, std::string>; // contents by name in this folder

    void find_checkpoint(const Scene& own_scene, const Inputs& inputs);
    std::vector<std::string> changes(const Scene& own_scene, const Inputs& inputs) const;
    void take_back_frames();
    void open_tables(std::map<std::string, std::string> headers);
    AppendFile& table(const std::string& name) { return *tables_.at(name); }

    const Scene& scene_;
    const BuiltWorld& built_;
    std::filesystem::path folder_;
    std::optional<FolderLock> lock_;
    std::string scene_text_; // the resolved scene, as scene.yaml holds it
    std::string scene_hash_; // of what a resumed run must have in common
    std::optional<Checkpoint> resumed_;
    std::vector<std::string> complaints_;
    FrameSeries series_;
    std::map<std::string, std::unique_ptr<AppendFile>> tables_;
};

/// The text of a run's scene.yaml: the scene with all defaults, its files named as in the run folder.
std::string recorded_scene(const Scene& scene);

/// The columns of history.csv and bodies.csv, whatever is run.
std::string history_header();
std::string bodies_header();

} // namespace stickslip
