#pragma once

#include "stickslip/replay/chunk.h"
#include "stickslip/replay/packer.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

struct PageOptions {
    double most_bytes = 8e6; // of the page: frames are left out evenly to stay below
    std::size_t fewest_frames = 100; // ... but so many are kept
    double most_bytes_ever = 256e6; // ... unless the page would be larger than this: browsers fail beyond
    const RunReading* ghost = nullptr; // a second run that is drawn over the first, of up to the same size; null: none
};

/// The table of contents of a page: what is JSON there (docs/view.md). `every`: each so-manieth frame is in it.
nlohmann::ordered_json replay_head(const RunReading& run, const ReplayPacker& packer, std::size_t every);

/// The chunk of history.csv, of the bodies' tracks and of the tables of loads.
std::string pack_tables(const RunReading& run);

/// Numbers of the frames that are packed when each so-manieth is: the last one is always among them.
std::vector<std::size_t> thinned(std::size_t frames, std::size_t every);

struct ReplayPage {
    std::string html;
    std::size_t frames = 0, frames_of_run = 0;
    double error = 0; // [m] largest of a coordinate
    std::vector<std::string> notes;
};

/// The whole page for a run. `progress`: frames done, frames in all.
ReplayPage make_replay_page(const RunReading& run, const PageOptions& options,
    const std::function<void(std::size_t, std::size_t)>& progress = {});

/// The page without data, which asks the server it came from (`view --serve`).
std::string live_replay_page();

} // namespace stickslip
