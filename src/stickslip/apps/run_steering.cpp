#include "stickslip/apps/run_steering.h"

#include "stickslip/files/atomic_file.h"

#include <algorithm>
#include <fstream>
#include <thread>
#include <utility>

namespace stickslip {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds look_interval{100}, wait_interval{50}; // between looks at the file: of a run, of one that waits

} // namespace

RunSteering::RunSteering(fs::path folder, std::atomic<bool>& stop)
    : folder_(std::move(folder))
    , stop_(stop)
{
}

RunSteering::~RunSteering()
{
    std::error_code gone;
    if (listening_)
        fs::remove(folder_ / steering_file, gone);
}

void RunSteering::heed()
{
    if (!listening_) {
        listening_ = true; // whatever a run that was killed has left there
        return steer(folder_, "go");
    }
    if (!is_single_step_ && frames_.empty() && Clock::now() - looked_ < look_interval)
        return;
    looked_ = Clock::now();
    while (!stop_ && waits(steering_word(folder_)))
        std::this_thread::sleep_for(wait_interval);
}

/// What tells that a frame was written.
std::string RunSteering::frames_stamp() const
{
    std::error_code error;
    const auto time = fs::last_write_time(folder_ / "frames.pvd", error);
    return error ? "none" : std::to_string(time.time_since_epoch().count());
}

/// Whether to wait on; heeds a word that says otherwise.
bool RunSteering::waits(const std::string& word)
{
    if (word == "stop")
        stop_ = true;
    const bool to_stand = word == "pause" || word == "step";
    if (to_stand && !is_single_step_ && !(is_standing_ && word == "pause")) {
        is_single_step_ = true; // who waits has a frame of where it stands
        is_standing_ = false;
        return false;
    }
    if (std::exchange(is_single_step_, false) && to_stand) {
        if (word == "step")
            steer(folder_, "pause");
        return is_standing_ = true;
    }
    if (word != "next") {
        frames_.clear();
        return is_standing_ = is_standing_ && word == "pause";
    }
    is_standing_ = false;
    if (frames_.empty()) {
        frames_ = frames_stamp();
        return false;
    }
    if (frames_ == frames_stamp())
        return false;
    frames_.clear();
    steer(folder_, "pause");
    return is_standing_ = true;
}

bool is_steering_word(const std::string& word)
{
    return word == "go" || word == "pause" || word == "step" || word == "next" || word == "stop";
}

std::string steering_word(const fs::path& folder)
{
    std::ifstream file(folder / steering_file);
    std::string word;
    file >> word;
    return is_steering_word(word) ? word : "";
}

void steer(const fs::path& folder, const std::string& word)
{
    write_file_atomically(folder / steering_file, word + "\n");
}

} // namespace stickslip
