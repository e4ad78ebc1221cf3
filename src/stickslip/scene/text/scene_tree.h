#pragma once

#include "stickslip/scene/text/fault.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

struct SceneEntry;

/// YAML as a tree of values with positions, anchors already replaced by copies. Also what a scene is written from.
struct SceneNode {
    enum class Type { null, scalar, list, map };

    Type type = Type::null;
    std::string text; // scalar
    bool quoted = false; // scalar in quotes: text or a word, never a decimal number or a boolean
    std::vector<SceneNode> items; // list
    std::vector<SceneEntry> entries; // map, in the order given; duplicates kept
    bool broken = false; // an expression whose fault is told: no number, and nothing more to say
    SourcePosition at;

    static SceneNode scalar(std::string plain);
    static SceneNode quote(std::string text);
    static SceneNode list();
    static SceneNode map();

    bool is_scalar() const { return type == Type::scalar; }
    bool is_list() const { return type == Type::list; }
    bool is_map() const { return type == Type::map; }
    /// The first entry with this key, or null.
    const SceneNode* find(std::string_view key) const;
    void add(std::string key, SceneNode value);
    /// Replaces the first value of this key, or adds one; it then stands at `at`.
    void set(const std::string& key, SceneNode value, const SourcePosition& at);
};

/// [x, y, z] as they stand at `at`.
SceneNode vector_node(const SourcePosition& at, std::initializer_list<double> values);

struct SceneEntry {
    std::string key;
    SourcePosition key_at;
    SceneNode value;
};

/// Limits that keep a small file from filling the memory.
constexpr std::size_t largest_scene_file = 16u << 20; // [bytes]
constexpr std::size_t most_scene_nodes = 500000; // aliases counted as often as they are used
constexpr int deepest_scene_node = 32;

/// Parses one YAML 1.2 (or JSON) document. A syntax fault is recorded and ends it: null is returned then.
/// source.lines must hold the text; overrides are not looked at.
SceneNode parse_scene_tree(const std::string& text, const SceneSource& source, std::vector<Fault>& faults);

/// The value of override `index` (text after the `=`); every node gets the position of that override.
SceneNode parse_override_value(
    const std::string& text, int index, const SceneSource& source, const std::string& path, std::vector<Fault>& faults);

/// The lines of a text, without line ends and without a byte order mark.
std::vector<std::string> split_lines(const std::string& text);

/// The text as YAML: block style outside, one line for what fits into one. Reads back to the same tree.
std::string emit_yaml(const SceneNode& node);

/// The same on one line.
std::string emit_flow(const SceneNode& node);

/// The shortest decimal number that reads back to the same bits; always with a point or `.inf`.
std::string number_text(double value);

/// Whether overrides gave single items of a list that the file does not say: `gravity[1]=-1`. Such a node is a mapping
/// with the keys `[1]`.
bool gives_single_items(const SceneNode& node);

/// A node's content in messages: `-5`, `"70o"`, `a list`, `a mapping`, `nothing`.
std::string found_text(const SceneNode& node);

/// The index below a node that a path step names: an item's `name`, or `[2]`, or `2`; -1 when there is none.
int find_item(const SceneNode& list, std::string_view step);

/// The same for steps[i], or for it and the next where both are one name (`brick[3]`); i becomes the last one used.
int find_item(const SceneNode& list, const std::vector<std::string>& steps, std::size_t& i);

/// The steps by which faults address the items of a list: `.name` for one with a name that no other item has, else
/// `[2]`.
std::vector<std::string> item_steps(const SceneNode& list);
/// The same of items of which the names are known; "": none.
std::vector<std::string> item_steps(const std::vector<std::string>& names);

/// "a.b[2].c" -> a, b, [2], c.
std::vector<std::string> split_path(std::string_view path);

/// The position of the value at a path, or of the nearest place above it that exists.
SourcePosition locate(const SceneNode& root, std::string_view path);

} // namespace stickslip
