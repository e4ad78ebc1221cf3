#include "stickslip/simulation/scene_text.h"

#include "stickslip/build/scene_reader.h"

#include <filesystem>

namespace stickslip {

namespace {

Scene good_scene(SceneResult result, const Say& message)
{
    if (!result.good())
        throw SceneError(std::move(result.faults));
    if (message)
        for (const Fault& warning : result.warnings)
            message(format(warning));
    return std::move(result.scene);
}

} // namespace

Scene scene_from_text(const std::string& text, const SceneTextOptions& options)
{
    const std::string name = (std::filesystem::path(options.folder) / "scene").string();
    return good_scene(read_scene_text(text, name, options.overrides), options.message);
}

Scene scene_from_file(const std::string& path, const SceneTextOptions& options)
{
    return good_scene(read_scene(path, options.overrides), options.message);
}

} // namespace stickslip
