#include "stickslip/scene/text/scene_file.h"

#include "stickslip/math/error.h"
#include "stickslip/scene/text/scene_tree.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace stickslip {

std::string read_scene_file(const std::string& path)
{
    const auto failure = [&](const std::string& reason) { return FileError("cannot read " + path + ": " + reason); };
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw failure(std::filesystem::exists(std::filesystem::path(path) / "scene.yaml")
                ? "it is a run folder; its scene is " + (std::filesystem::path(path) / "scene.yaml").string()
                : "it is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw failure(std::strerror(errno));
    std::string text;
    constexpr std::size_t piece = 1u << 16;
    while (file && text.size() <= largest_scene_file) { // one byte too many is enough to be refused
        const std::size_t length = text.size();
        text.resize(length + piece);
        file.read(text.data() + length, piece);
        text.resize(length + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad())
        throw failure(std::strerror(errno));
    return text;
}

} // namespace stickslip
