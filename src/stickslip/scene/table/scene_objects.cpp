#include "stickslip/scene/table/scene_objects.h"

#include "stickslip/scene/table/key_slips.h"
#include "stickslip/scene/table/number_kinds.h"
#include "stickslip/scene/table/scene_variant.h"
#include "stickslip/scene/text/synonyms.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>

namespace stickslip {

namespace {

std::vector<std::string> names_of(const std::vector<KeyInfo>& keys)
{
    std::vector<std::string> names;
    for (const KeyInfo& info : keys)
        names.push_back(info.key);
    return names;
}

/// Also notes what the key was probably meant to be, so that its absence is not told as well.
void fault_unknown_key(const SceneEntry& entry, Reading& reading, const std::vector<std::string>& names)
{
    const std::string object = reading.path().substr(0, reading.path().size() - safe_step(entry.key).size());
    if (entry.key == "<<") {
        reading.fault(entry.key_at, "merge keys are not part of the scene format; repeat the values");
        reading.doubt(object.substr(0, object.size() - 1));
        return;
    }
    const Synonym synonym = meant_key(entry, names);
    reading.fault(entry.key_at, "unknown key" + (synonym.hint.empty() ? did_you_mean(entry.key, names) : synonym.hint));
    if (const std::string meant = synonym.hint.empty() ? nearest_word(entry.key, names) : synonym.key; !meant.empty())
        reading.doubt(object + meant);
}

constexpr const char* alternative = "alternative"; // the default column of a key that is one of several

std::string listed(const std::vector<std::string>& words, const char* between = ", ")
{
    std::string list;
    for (const std::string& word : words)
        list += (list.empty() ? "" : between) + word;
    return list;
}

/// Where a word or number stands for a mapping: what to write, by the word if it is a key, else by the few keys.
std::string example_of(const SceneNode& node, const std::vector<std::string>& names)
{
    constexpr std::size_t few = 5;
    if (node.is_list() && std::ranges::count(names, "degrees") > 0)
        return " such as " + rotation_for(node);
    if (node.is_list())
        return names.size() <= few ? " such as " + mapping_for(node, names) : "";
    if (!node.is_scalar() || node.text.empty())
        return "";
    const std::string number = looks_like_number(node.text) ? node.text : in_si(node.text);
    if (!number.empty() && std::ranges::count(names, "degrees") > 0)
        return " such as {axis: [0, 0, 1], degrees: " + number + "}";
    if (number.empty() && std::ranges::count(names, "file") > 0 && node.text.find('.') != std::string::npos)
        return " such as {file: " + node.text + "}";
    const std::string key = std::ranges::count(names, node.text) > 0 ? node.text : synonym_of(node.text, names).key;
    if (!key.empty())
        return " such as {" + key + ": ...}";
    return names.size() <= few ? " with the keys " + listed(names) : "";
}

/// What is wrong unless exactly one key of the group is given; "" too where a misspelt key may be meant for one.
std::string group_complaint(const std::vector<std::string>& group, const SceneNode& node, const Reading& reading)
{
    const std::string here = reading.path().empty() ? "" : reading.path() + ".";
    std::vector<std::string> given;
    for (const std::string& key : group) {
        if (node.find(key))
            given.push_back(key);
        else if (!reading.sound(here + key))
            return "";
    }
    if (given.size() == 1)
        return "";
    return "expected one of " + listed(group) + ", got " + (given.empty() ? "none of them" : listed(given, " and "));
}

} // namespace

bool read_entries(const SceneNode& node, Reading& reading, const std::vector<KeyInfo>& keys,
    const std::vector<std::vector<std::string>>& one_of,
    const std::function<bool(std::size_t, const SceneNode&)>& read_key)
{
    if (!node.is_map()) {
        reading.expected(node, "a mapping" + example_of(node, names_of(keys)));
        return false;
    }
    bool good = true;
    std::vector<const SceneEntry*> seen(keys.size(), nullptr);
    const std::string here = reading.path().empty() ? "" : reading.path() + ".";
    for (std::size_t e = 0; e < node.entries.size(); ++e) {
        const SceneEntry& entry = node.entries[e];
        const Reading::Step step(reading, safe_step(entry.key));
        if (const std::string number = split_by_comma(node, e); !number.empty()) {
            reading.fault(entry.value.at, "numbers have a decimal point: write " + entry.key + ": " + number);
            good = false;
            ++e;
            continue;
        }
        const auto same = [&](const KeyInfo& info) { return info.key == entry.key; };
        const std::size_t index = std::find_if(keys.begin(), keys.end(), same) - keys.begin();
        if (index == keys.size()) {
            fault_unknown_key(entry, reading, names_of(keys));
            good = false;
        } else if (seen[index]) {
            const int line = seen[index]->key_at.line;
            reading.fault(entry.key_at, "duplicate key, first given in line " + std::to_string(line));
            good = false;
        } else {
            seen[index] = &entry;
            good = read_key(index, entry.value) && good;
        }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!keys[i].required || keys[i].where_it_applies || seen[i] || !reading.sound(here + keys[i].key))
            continue;
        reading.fault(node.at, here + keys[i].key, "required key is missing" + example_of_missing(here + keys[i].key));
        good = false;
    }
    std::vector<std::string> complaints; // all of them before the first is a fault of the whole mapping
    for (const std::vector<std::string>& group : one_of)
        complaints.push_back(group_complaint(group, node, reading));
    for (const std::string& complaint : complaints) {
        if (complaint.empty())
            continue;
        reading.fault(node.at, complaint);
        good = false;
    }
    return good;
}

std::optional<SceneNode> with_default_items(
    const SceneNode& items, const std::optional<SceneNode>& fallback, Reading& reading)
{
    SceneNode list = fallback.value_or(SceneNode::list());
    list.at = items.at;
    for (SceneNode& item : list.items)
        item.at = items.at;
    bool good = true;
    for (const SceneEntry& entry : items.entries) {
        const Reading::Step step(reading, entry.key);
        const int index = find_item(list, entry.key);
        good = good && index >= 0;
        if (!list.is_list())
            reading.fault(entry.key_at, "a single value has no items");
        else if (index < 0)
            reading.fault(
                entry.key_at, "no item " + in_quotes(entry.key) + (fallback ? "" : " by default; give the whole list"));
        else
            list.items[static_cast<std::size_t>(index)] = entry.value;
    }
    return good ? std::optional(list) : std::nullopt;
}

ReferenceRow reference_row(const KeyInfo& info, const std::optional<SceneNode>& default_value)
{
    constexpr std::size_t longest = 30;
    const std::string text = default_value ? emit_flow(*default_value) : "";
    ReferenceRow row{.key = info.key, .value = info.words, .unit = info.unit, .meaning = info.doc};
    row.fallback = info.required ? "required" : text.empty() || text.size() > longest ? "-" : "`" + text + "`";
    if (!info.only_for.empty())
        row.meaning = "For " + info.only_for + " only. " + row.meaning;
    return row;
}

Json object_schema(const std::vector<KeyInfo>& keys, const std::vector<Json>& kinds,
    const std::vector<std::vector<std::string>>& one_of)
{
    Json properties = Json::object();
    Json needed = Json::array();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        Json property = kinds[i];
        property["description"] = keys[i].doc + (keys[i].unit.empty() ? "" : " [" + keys[i].unit + "]");
        properties[keys[i].key] = std::move(property);
        if (keys[i].required && !keys[i].where_it_applies)
            needed.push_back(keys[i].key);
    }
    Json schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
    if (!needed.empty())
        schema["required"] = std::move(needed);
    Json groups = Json::array();
    for (const std::vector<std::string>& group : one_of) {
        Json choices = Json::array();
        for (const std::string& key : group)
            choices.push_back({{"required", Json::array({key})}});
        groups.push_back({{"oneOf", std::move(choices)}});
    }
    if (!groups.empty())
        schema["allOf"] = std::move(groups);
    return schema;
}

Json define(Json& definitions, const std::string& name, const std::function<Json()>& make)
{
    if (!definitions.contains(name)) {
        definitions[name] = Json::object(); // keeps its place in front of what it refers to
        Json schema = make();
        definitions[name] = std::move(schema);
    }
    return {{"$ref", "#/$defs/" + name}};
}

bool begin_section(std::vector<ReferenceSection>& sections, const SectionText& text)
{
    const auto same = [&](const ReferenceSection& section) { return section.text.title == text.title; };
    if (std::any_of(sections.begin(), sections.end(), same))
        return false;
    sections.push_back({.text = text, .rows = {}, .rules = {}});
    return true;
}

void name_groups(ReferenceSection& section, const std::vector<std::vector<std::string>>& one_of)
{
    for (const std::vector<std::string>& group : one_of) {
        std::vector<std::string> keys;
        for (const std::string& key : group)
            keys.push_back("`" + key + "`");
        section.rules.push_back("Exactly one of " + listed(keys) + ".");
        for (ReferenceRow& row : section.rows)
            if (std::find(group.begin(), group.end(), row.key) != group.end())
                row.fallback = alternative;
    }
}

namespace {

bool has_key(const std::vector<KeyInfo>& keys, const std::string& key)
{
    return std::any_of(keys.begin(), keys.end(), [&](const KeyInfo& info) { return info.key == key; });
}

std::vector<std::string> all_names(const std::vector<std::vector<KeyInfo>>& alternatives)
{
    std::vector<std::string> names;
    for (const std::vector<KeyInfo>& keys : alternatives)
        for (std::string& name : names_of(keys))
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(std::move(name));
    return names;
}

void fault_no_alternative(const SceneNode& node, Reading& reading, const std::vector<std::string>& names,
    const std::vector<KeyInfo>& elsewhere)
{
    for (const SceneEntry& entry : node.entries) {
        if (has_key(elsewhere, entry.key))
            continue;
        const Reading::Step step(reading, safe_step(entry.key));
        const std::string chosen = chosen_by_value(entry, names);
        const std::string hint = chosen.empty() ? meant_key(entry, names).hint : chosen;
        reading.fault(entry.key_at, "unknown key" + (hint.empty() ? did_you_mean(entry.key, names) : hint));
        return;
    }
    reading.fault(node.at, "expected one of " + listed(names) + ", got none of them");
}

} // namespace

int choose_alternative(const SceneNode& node, Reading& reading, const std::vector<std::vector<KeyInfo>>& alternatives,
    const std::vector<KeyInfo>& elsewhere, SceneNode& kept)
{
    if (!node.is_map()) {
        reading.expected(node, "a mapping" + example_of(node, all_names(alternatives)));
        return -1;
    }
    enum { none = -1, any = -2 };
    const auto alternative_of = [&](const std::string& key) -> int {
        const auto has = [&](const std::vector<KeyInfo>& keys) { return has_key(keys, key); };
        const auto first = std::find_if(alternatives.begin(), alternatives.end(), has);
        if (first == alternatives.end())
            return none;
        return std::all_of(first, alternatives.end(), has) && first == alternatives.begin()
            ? any
            : static_cast<int>(first - alternatives.begin());
    };
    int chosen = none;
    bool has_common = false;
    std::string chosen_key;
    kept = SceneNode::map();
    kept.at = node.at;
    for (const SceneEntry& entry : node.entries) {
        const int index = alternative_of(entry.key);
        has_common = has_common || index == any;
        if (index >= 0 && chosen < 0) {
            chosen = index;
            chosen_key = entry.key;
        }
        if (index >= 0 && index != chosen) {
            const Reading::Step step(reading, safe_step(entry.key));
            reading.fault(entry.key_at, "cannot be combined with \"" + chosen_key + "\"; give one of them");
        } else if (!has_key(elsewhere, entry.key)) {
            kept.entries.push_back(entry);
        }
    }
    if (chosen < 0 && has_common)
        return 0;
    if (chosen < 0)
        fault_no_alternative(node, reading, all_names(alternatives), elsewhere);
    return chosen;
}

Json alternatives_schema(const std::vector<Json>& alternatives, const std::vector<KeyInfo>& elsewhere,
    const std::vector<Json>& elsewhere_kinds)
{
    Json choices = Json::array();
    for (Json choice : alternatives) {
        for (std::size_t i = 0; i < elsewhere.size(); ++i) {
            choice["properties"][elsewhere[i].key] = elsewhere_kinds[i];
            choice["properties"][elsewhere[i].key]["description"] = elsewhere[i].doc;
        }
        choice["minProperties"] = 1;
        choices.push_back(std::move(choice));
    }
    const auto has_required = [](const Json& choice) { return choice.contains("required"); };
    const bool exclusive = std::all_of(choices.begin(), choices.end(), has_required);
    return {{exclusive ? "oneOf" : "anyOf", std::move(choices)}}; // keys that all alternatives share may fit each
}

void drop_repeated_rows(ReferenceSection& section)
{
    std::vector<ReferenceRow> kept;
    for (std::size_t i = 0; i < section.rows.size(); ++i) {
        const auto same = [&](const ReferenceRow& row) { return row.key == section.rows[i].key; };
        if (std::none_of(section.rows.begin() + static_cast<std::ptrdiff_t>(i) + 1, section.rows.end(), same))
            kept.push_back(std::move(section.rows[i]));
    }
    section.rows = std::move(kept);
}

void name_alternatives(ReferenceSection& section, const std::vector<std::vector<KeyInfo>>& alternatives)
{
    for (ReferenceRow& row : section.rows)
        if (row.fallback == "required")
            row.fallback = alternative;
    std::vector<std::string> choices;
    for (const std::vector<KeyInfo>& keys : alternatives) {
        std::string choice;
        for (const KeyInfo& info : keys)
            if (info.required)
                choice += (choice.empty() ? "`" : " with `") + info.key + "`";
        if (choice.empty())
            return;
        choices.push_back(choice);
    }
    section.rules.push_back("Exactly one of " + listed(choices) + ".");
}

} // namespace stickslip
