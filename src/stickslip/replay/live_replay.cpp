#include "stickslip/replay/live_replay.h"

#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/replay/replay_page.h"

namespace stickslip {

namespace {

/// Sizes and times of what a run writes last: of a frame, and at its end. Empty when there is neither.
std::string stamp(const std::filesystem::path& folder)
{
    std::string text;
    for (const char* name : {"frames.pvd", "summary.json"}) {
        std::error_code error;
        const auto size = std::filesystem::file_size(folder / name, error);
        const auto time = std::filesystem::last_write_time(folder / name, error);
        if (!error)
            text += name + std::to_string(size) + "/" + std::to_string(time.time_since_epoch().count()) + " ";
    }
    return text;
}

} // namespace

// A run that was started anew, or taken back to a checkpoint, has other times than those packed: all is packed again.
void LiveReplay::refresh()
{
    const std::string now = stamp(folder_); // before reading: what comes in between is found the next time
    if (packer_ && !now.empty() && now == seen_)
        return;
    auto run = std::make_unique<RunReading>(read_run(folder_));
    bool goes_on = packer_ && run->scene.bodies.size() == run_->scene.bodies.size()
        && packer_->times().size() <= run->frames.size();
    for (std::size_t i = 0; goes_on && i < packer_->times().size(); ++i)
        goes_on = packer_->times()[i] == run->frames[i].time;
    run_ = std::move(run);
    // What there is to show is found out from the first frame.
    if (!goes_on || packer_->times().empty())
        packer_ = std::make_unique<ReplayPacker>(*run_);
    while (packer_->times().size() < run_->frames.size())
        packer_->add(*run_, packer_->times().size());
    seen_ = now;
}

std::string LiveReplay::head()
{
    refresh();
    return script_json(replay_head(*run_, *packer_, 1));
}

std::string LiveReplay::chunk(const std::string& name) const
{
    if (!packer_)
        return {};
    if (name == "meshes")
        return packer_->meshes();
    if (name == "tables")
        return pack_tables(*run_);
    constexpr std::string_view begin = "group-";
    std::int64_t group = -1;
    if (name.starts_with(begin) && parse_integer(name.substr(begin.size()), group) && group >= 0
        && static_cast<std::size_t>(group) < packer_->groups())
        return packer_->group(static_cast<std::size_t>(group)).bytes;
    return {};
}

} // namespace stickslip
