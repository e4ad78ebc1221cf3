#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>

namespace stickslip {

/// The file by which a run is steered while it goes on. It is there as long as the run listens, and holds one word:
///     go      go on
///     pause   take one more step, write a frame of it, then wait
///     step    take one step, write a frame of it, then wait
///     next    go on to the next frame, then wait
///     stop    save a checkpoint and end
inline const char* const steering_file = "steer";

/// The side of the run: looks at the file after a step.
class RunSteering {
public:
    /// folder: of the run, which need not be there yet. stop: set by the word `stop`; ends waiting too.
    RunSteering(std::filesystem::path folder, std::atomic<bool>& stop);
    ~RunSteering(); // the run listens no more
    RunSteering(const RunSteering&) = delete;
    RunSteering& operator=(const RunSteering&) = delete;

    /// After a step. Waits while the run is to wait.
    void heed();

    /// Whether the step just taken is the one of the word `step`, or the last before a pause.
    bool wants_frame() const { return is_single_step_; }

private:
    std::string frames_stamp() const;
    bool waits(const std::string& word);

    std::filesystem::path folder_;
    std::atomic<bool>& stop_;
    bool listening_ = false;
    std::chrono::steady_clock::time_point looked_{};
    bool is_single_step_ = false;
    bool is_standing_ = false; // after a frame of where it waits
    std::string frames_; // the stamp of the frames when `next` came; empty: it has not come
};

/// The side of who steers. The word that the run heeds; empty where no run listens.
std::string steering_word(const std::filesystem::path& folder);
/// Pre: a word of the list above. Errors: FileError.
void steer(const std::filesystem::path& folder, const std::string& word);
bool is_steering_word(const std::string& word);

} // namespace stickslip
