#include "stickslip/apps/scene_loading.h"

#include "stickslip/apps/commands.h"
#include "stickslip/apps/notes.h"
#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace stickslip {

namespace {

// Where other programs keep what they can make again: $XDG_CACHE_HOME, else ~/.cache; nowhere without a home.
std::filesystem::path grid_cache()
{
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
        return std::filesystem::path(cache) / "stickslip";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::filesystem::path(home) / ".cache" / "stickslip";
    return {};
}

std::size_t count_of(const std::vector<Fault>& faults)
{
    std::size_t count = 0;
    for (const Fault& fault : faults)
        count += fault.tells_of;
    return count;
}

/// How much there is to mend, where it is more than one thing: "3 errors, 1 warning".
std::string tally(std::size_t errors, std::size_t warnings)
{
    if (errors + warnings < 2)
        return "";
    const std::string both = errors > 0 && warnings > 0 ? ", " : "";
    return (errors > 0 ? counted(errors, "error") : "") + both + (warnings > 0 ? counted(warnings, "warning") : "")
        + "\n";
}

/// Which overrides the scene was read with, where one may have made wrong what its own text says.
std::string overrides_behind(const std::vector<Fault>& faults, const std::vector<std::string>& overrides)
{
    const bool of_text =
        std::any_of(faults.begin(), faults.end(), [](const Fault& fault) { return !fault.file.starts_with("--set"); });
    std::string note;
    for (const std::string& given : overrides)
        note += (note.empty() ? "note: read with --set " : " --set ") + given;
    return of_text && !note.empty() ? note + "\n" : "";
}

} // namespace

LoadedScene load_scene(const std::string& path, const std::vector<std::string>& overrides)
{
    LoadedScene loaded;
    loaded.folder = std::filesystem::path(path).parent_path();
    SceneResult read = read_scene(path, overrides);
    std::vector<Fault> faults = read.faults, warnings = read.warnings;
    bool unreadable = read.unreadable;
    if (read.good()) {
        loaded.scene = std::move(read.scene);
        BuildResult built = build_world(loaded.scene, loaded.folder, grid_cache());
        faults.insert(faults.end(), built.faults.begin(), built.faults.end());
        warnings.insert(warnings.end(), built.warnings.begin(), built.warnings.end());
        unreadable = built.unreadable;
        loaded.built = std::move(built.built);
    }
    for (const Fault& warning : warnings)
        loaded.warnings.push_back(format(warning));
    std::cerr << for_terminal(format(warnings) + format(faults));
    std::vector<Fault> told = warnings;
    told.insert(told.end(), faults.begin(), faults.end());
    std::cerr << overrides_behind(told, overrides) << tally(count_of(faults), count_of(warnings));
    if (!faults.empty())
        loaded.status = unreadable ? exit_file : exit_input;
    return loaded;
}

} // namespace stickslip
