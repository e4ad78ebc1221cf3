#include "stickslip/scene/text/scene_include.h"

#include "stickslip/math/error.h"
#include "stickslip/scene/text/scene_file.h"
#include "stickslip/scene/text/scene_reading.h"

#include <algorithm>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

constexpr int deepest_include = 8;
constexpr std::size_t most_includes = 200;

void place_in_file(SceneNode& node, int include)
{
    node.at.include = include;
    for (SceneNode& item : node.items)
        place_in_file(item, include);
    for (SceneEntry& entry : node.entries) {
        entry.key_at.include = include;
        place_in_file(entry.value, include);
    }
}

/// Makes the mesh, grid and position files of bodies, and the run to start from, relative to the scene instead of
/// `folder`, which is relative to it.
void move_files(SceneNode& root, const fs::path& folder)
{
    const auto move_name = [&](SceneNode& name) {
        if (name.is_scalar())
            name.text = (folder / name.text).lexically_normal().generic_string();
    };
    const auto move = [&](SceneEntry& entry) {
        if (entry.key == "file" || entry.key == "from")
            move_name(entry.value);
        else if (entry.key == "files")
            std::for_each(entry.value.items.begin(), entry.value.items.end(), move_name);
    };
    if (folder.empty())
        return;
    for (SceneEntry& entry : root.entries) {
        if (entry.key == "start")
            std::for_each(entry.value.entries.begin(), entry.value.entries.end(), move);
        if (entry.key != "bodies")
            continue;
        for (SceneNode& body : entry.value.items)
            for (SceneEntry& part : body.entries)
                for (SceneEntry& shape : part.value.entries) {
                    if (part.key == "positions")
                        move(shape);
                    const bool named = shape.key == "mesh" || shape.key == "level_set";
                    if (named && (part.key == "shape" || part.key == "fill"))
                        std::for_each(shape.value.entries.begin(), shape.value.entries.end(), move);
                }
    }
}

/// Whether a list holds things to be gathered, not the numbers of one value.
bool is_collection(const SceneNode& node)
{
    return node.is_list()
        && std::all_of(node.items.begin(), node.items.end(), [](const SceneNode& item) { return item.is_map(); });
}

void merge(SceneNode& into, SceneNode&& from)
{
    for (SceneEntry& entry : from.entries) {
        const auto same = [&](const SceneEntry& own) { return own.key == entry.key; };
        const auto own = std::find_if(into.entries.begin(), into.entries.end(), same);
        if (own == into.entries.end())
            into.entries.push_back(std::move(entry));
        else if (own->value.is_map() && entry.value.is_map())
            merge(own->value, std::move(entry.value));
        else if (is_collection(own->value) && is_collection(entry.value))
            own->value.items.insert(own->value.items.begin(), std::make_move_iterator(entry.value.items.begin()),
                std::make_move_iterator(entry.value.items.end()));
    }
}

class Includer {
public:
    Includer(SceneSource& source, std::vector<Fault>& faults, bool& unreadable)
        : source_(source)
        , faults_(faults)
        , unreadable_(unreadable)
    {
    }

    /// folder: of the file that root was read from, relative to the scene's. open: files that are being included.
    void run(SceneNode& root, const fs::path& folder, std::vector<fs::path> open)
    {
        std::vector<SceneNode> files;
        for (auto entry = root.entries.begin(); entry != root.entries.end();) {
            if (entry->key != "include") {
                ++entry;
                continue;
            }
            if (entry->value.is_list())
                files.insert(files.end(), entry->value.items.begin(), entry->value.items.end());
            else
                files.push_back(entry->value);
            entry = root.entries.erase(entry);
        }
        // the last named goes before those named earlier
        for (auto file = files.rbegin(); file != files.rend(); ++file)
            include(root, *file, folder, open);
    }

private:
    void fault(const SourcePosition& at, const std::string& message)
    {
        faults_.push_back(make_fault(source_, at, "include", message));
    }

    void include(SceneNode& root, const SceneNode& name, const fs::path& folder, std::vector<fs::path> open)
    {
        if (!name.is_scalar() || name.text.empty())
            return fault(name.at, "expected a file name or a list of them, got " + found_text(name));
        const fs::path path = (folder / name.text).lexically_normal();
        if (std::find(open.begin(), open.end(), path) != open.end())
            return fault(name.at, "\"" + name.text + "\" includes itself");
        if (open.size() > deepest_include || source_.included.size() >= most_includes)
            return fault(name.at, "too many files include one another");
        SceneNode tree;
        if (!read(path, name, tree))
            return;
        move_files(tree, path.parent_path());
        open.push_back(path);
        run(tree, path.parent_path(), open);
        merge(root, std::move(tree));
    }

    bool read(const fs::path& path, const SceneNode& name, SceneNode& tree)
    {
        const std::string shown = (fs::path(source_.file).parent_path() / path).generic_string();
        std::string text;
        try {
            text = read_scene_file(shown);
        } catch (const FileError& error) {
            unreadable_ = true;
            fault(name.at, error.what());
            return false;
        }
        const std::size_t before = faults_.size();
        tree = parse_scene_tree(
            text, {.file = shown, .lines = split_lines(text), .overrides = {}, .included = {}}, faults_);
        if (faults_.size() > before)
            return false;
        source_.included.push_back({shown, split_lines(text)});
        if (!tree.is_map()) {
            fault(name.at, "\"" + name.text + "\" is not a mapping");
            return false;
        }
        place_in_file(tree, static_cast<int>(source_.included.size()) - 1);
        if (const SceneNode* version = tree.find("stickslip"); version && version->text != "1") {
            faults_.push_back(
                make_fault(source_, version->at, "stickslip", "expected the number 1, got " + found_text(*version)));
            return false;
        }
        return true;
    }

    SceneSource& source_;
    std::vector<Fault>& faults_;
    bool& unreadable_;
};

} // namespace

void include_files(SceneNode& root, SceneSource& source, std::vector<Fault>& faults, bool& unreadable)
{
    Includer(source, faults, unreadable).run(root, {}, {fs::path(source.file).filename()});
}

} // namespace stickslip
