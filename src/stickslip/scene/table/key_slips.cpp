#include "stickslip/scene/table/key_slips.h"

#include "stickslip/scene/table/number_kinds.h"

#include <algorithm>

namespace stickslip {

namespace {

bool is_empty(const SceneNode& node)
{
    return node.type == SceneNode::Type::null;
}

/// `shape {box` of `shape {box: 1}`, `step 0.1` of `{step 0.1, end: 1}`: the key before the blank.
std::string key_without_colon(const SceneEntry& entry, const std::vector<std::string>& names)
{
    const std::size_t blank = entry.key.find(' ');
    if (blank == std::string::npos || blank + 1 == entry.key.size())
        return "";
    const char next = entry.key[blank + 1];
    const std::string word = entry.key.substr(0, blank);
    const bool slipped = is_empty(entry.value) || next == '{' || next == '[';
    return slipped && std::ranges::count(names, word) > 0 ? word : "";
}

} // namespace

Synonym meant_key(const SceneEntry& entry, const std::vector<std::string>& names)
{
    if (const std::string key = key_without_colon(entry, names); !key.empty())
        return {key, "; a \":\" is missing after \"" + key + "\""};
    Synonym synonym = synonym_of(entry.key, names);
    if (synonym.key == "kind" && entry.value.is_scalar()) // a shape for a kind
        synonym.hint += synonym_of(entry.value.text, {"obstacle"}).hint;
    return synonym;
}

std::string chosen_by_value(const SceneEntry& entry, const std::vector<std::string>& names)
{
    if (!entry.value.is_scalar())
        return "";
    const std::string& word = entry.value.text;
    const std::string key = std::ranges::count(names, word) > 0 ? word : synonym_of(word, names).key;
    return key.empty() ? "" : "; write {" + key + ": ...}";
}

std::string split_by_comma(const SceneNode& map, std::size_t entry)
{
    if (entry + 1 >= map.entries.size())
        return "";
    const SceneNode& whole = map.entries[entry].value;
    const SceneEntry& part = map.entries[entry + 1];
    return whole.is_scalar() && is_empty(part.value) ? with_decimal_point(whole.text + "," + part.key) : "";
}

std::string rotation_for(const SceneNode& list)
{
    int axis = 2;
    std::string degrees = "30";
    const auto is_angle = [](const SceneNode& item) { return item.is_scalar() && looks_like_number(item.text); };
    const auto is_zero = [](const SceneNode& item) { return item.text.find_first_not_of("+-0.") == std::string::npos; };
    if (list.items.size() == 3 && std::ranges::all_of(list.items, is_angle)
        && std::ranges::count_if(list.items, is_zero) == 2) {
        const auto angle = std::ranges::find_if_not(list.items, is_zero);
        axis = static_cast<int>(angle - list.items.begin());
        degrees = angle->text;
    }
    constexpr const char* axes[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
    return "{axis: " + std::string(axes[axis]) + ", degrees: " + degrees + "}";
}

std::string mapping_for(const SceneNode& list, const std::vector<std::string>& keys)
{
    if (keys.size() == 1)
        return "{" + keys[0] + ": " + emit_flow(list) + "}";
    std::string text;
    for (std::size_t i = 0; i < std::min(keys.size(), list.items.size()); ++i)
        text += (i > 0 ? ", " : "") + keys[i] + ": " + emit_flow(list.items[i]);
    return "{" + text + "}";
}

std::string example_of_missing(const std::string& path)
{
    return path == "stickslip" ? " (write stickslip: 1, the version of the format)"
        : path == "time"       ? " (write time: {step: 0.01, end: 1})"
                               : "";
}

} // namespace stickslip
