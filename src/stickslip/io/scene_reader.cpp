#include "stickslip/io/scene_reader.h"

#include "stickslip/io/scene_checks.h"
#include "stickslip/io/scene_overrides.h"
#include "stickslip/io/scene_table.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace stickslip {

namespace {

constexpr std::size_t most_faults = 20;

/// In the order of the file; what is too many becomes one line.
std::vector<Fault> in_order(std::vector<Fault> faults, const std::string& file)
{
    std::stable_sort(faults.begin(), faults.end(),
        [](const Fault& a, const Fault& b) { return a.line != b.line ? a.line < b.line : a.column < b.column; });
    if (faults.size() > most_faults) {
        const bool counted = faults.size() < most_recorded_faults;
        const std::string rest = counted ? std::to_string(faults.size() - most_faults) : "many";
        Fault more{.file = file, .message = "and " + rest + " more"};
        more.warning = faults.front().warning;
        faults.resize(most_faults);
        faults.push_back(std::move(more));
    }
    return faults;
}

/// `resolution` may stand inside `shape`, beside the shape's name; the table binds it to the body.
void lift_resolution(SceneNode& root, Reading& reading)
{
    const auto find = [](SceneNode& map, const char* key) {
        const auto same = [&](const SceneEntry& entry) { return entry.key == key; };
        return std::find_if(map.entries.begin(), map.entries.end(), same);
    };
    const auto bodies = find(root, "bodies");
    if (bodies == root.entries.end())
        return;
    for (std::size_t i = 0; i < bodies->value.items.size(); ++i) {
        SceneNode& body = bodies->value.items[i];
        const auto shape = find(body, "shape");
        if (shape == body.entries.end())
            continue;
        const auto inner = find(shape->value, "resolution");
        if (inner == shape->value.entries.end())
            continue;
        if (body.find("resolution")) {
            const std::string path = "bodies" + item_steps(bodies->value)[i] + ".shape.resolution";
            reading.fault(inner->key_at, path, "given twice, here and beside the shape");
            continue;
        }
        SceneEntry moved = *inner;
        body.entries.push_back(std::move(moved)); // the copy in the shape is passed over there
    }
}

} // namespace

SceneResult read_scene_text(
    const std::string& text, const std::string& file_name, const std::vector<std::string>& overrides)
{
    const auto source = std::make_shared<const SceneSource>(SceneSource{file_name, split_lines(text), overrides});
    SceneResult result;
    result.scene.source = source;
    SceneNode root = parse_scene_tree(text, *source, result.faults);
    if (!result.faults.empty())
        return result;
    if (root.type == SceneNode::Type::null) {
        result.faults.push_back(
            make_fault(*source, {}, "", "the file is empty; a scene holds stickslip, time and bodies"));
        return result;
    }
    apply_overrides(root, *source, result.faults);
    Reading reading(*source);
    lift_resolution(root, reading);
    scene_kind().read(root, reading, result.scene);
    check_scene(result.scene, root, reading);
    result.faults.insert(result.faults.end(), reading.faults().begin(), reading.faults().end());
    result.faults = in_order(std::move(result.faults), file_name);
    result.warnings = in_order(reading.warnings(), file_name);
    return result;
}

SceneResult read_scene(const std::string& path, const std::vector<std::string>& overrides)
{
    const auto failure = [&](const std::string& reason) { return FileError("cannot read " + path + ": " + reason); };
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw failure("it is a folder");
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
    return read_scene_text(text, path, overrides);
}

} // namespace stickslip
