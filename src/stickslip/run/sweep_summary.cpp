#include "stickslip/run/sweep_summary.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/csv.h"
#include "stickslip/math/error.h"
#include "stickslip/run/run_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

constexpr const char* figures[] = {"status", "state_hash", "steps", "simulated_time", "wall_time", "max_contact_depth"};

nlohmann::json parsed(const std::string& text)
{
    return nlohmann::json::parse(text, nullptr, false); // "discarded" where it is none
}

/// What a path leads to, or null. Keys may hold points themselves ("gates.outlet.below.mass"): the longest goes first.
const nlohmann::json* find(const nlohmann::json& at, std::string_view path)
{
    if (path.empty())
        return &at;
    if (path.front() == '.')
        path.remove_prefix(1);
    if (path.starts_with('[')) {
        const std::size_t close = path.find(']');
        std::size_t index = 0;
        if (close == path.npos || !at.is_array()
            || std::from_chars(path.data() + 1, path.data() + close, index).ptr != path.data() + close
            || index >= at.size())
            return nullptr;
        return find(at[index], path.substr(close + 1));
    }
    if (!at.is_object())
        return nullptr;
    for (std::size_t end = path.size(); end != path.npos && end > 0; end = path.find_last_of(".[", end - 1)) {
        const auto child = at.find(std::string(path.substr(0, end)));
        if (child == at.end())
            continue;
        if (const nlohmann::json* found = find(*child, path.substr(end)))
            return found;
    }
    return nullptr;
}

/// Null where it has none. Older summaries have the depth of contacts by another name alone.
const nlohmann::json* figure_of(const nlohmann::json& summary, const std::string& figure)
{
    const nlohmann::json* const value = find(summary, figure);
    return value || figure != "max_contact_depth" ? value : find(summary, "max_penetration");
}

void add(CsvRow& row, const nlohmann::json* value)
{
    if (!value || value->is_null())
        row.add("");
    else if (value->is_string())
        row.add(value->get<std::string>());
    else if (value->is_number_float())
        row.add(value->get<double>());
    else
        row.add(value->dump());
}

std::string held(const nlohmann::json& summary)
{
    const nlohmann::json* const expect = find(summary, "expect");
    if (!expect)
        return "";
    const auto count =
        std::count_if(expect->begin(), expect->end(), [](const nlohmann::json& e) { return e.value("holds", false); });
    return std::to_string(count) + " of " + std::to_string(expect->size());
}

} // namespace

std::optional<std::string> finished_summary(const fs::path& folder, const Scene& scene)
{
    std::error_code untold; // by the run
    if (!fs::exists(folder / "scene.yaml", untold))
        return std::nullopt;
    if (read_file(folder / "scene.yaml") != recorded_scene(scene))
        throw InputError(
            folder.string() + " holds a run of another scene (its scene.yaml differs); --force replaces it");
    if (!fs::exists(folder / "summary.json"))
        return std::nullopt;
    std::string text = read_file(folder / "summary.json");
    const nlohmann::json summary = parsed(text);
    const nlohmann::json* const status = summary.is_object() ? find(summary, "status") : nullptr;
    const bool ended =
        status && (*status == "failed" || (*status == "done" && summary.value("end", 0.0) == scene.time.end));
    return ended ? std::optional(std::move(text)) : std::nullopt;
}

int exit_of(const std::string& summary)
{
    const nlohmann::json j = parsed(summary);
    if (j.value("status", "") != "done")
        return 3;
    const nlohmann::json* const expect = find(j, "expect");
    const bool holds = !expect
        || std::all_of(expect->begin(), expect->end(), [](const nlohmann::json& e) { return e.value("holds", false); });
    return holds ? 0 : 5;
}

std::vector<std::string> further_columns(const SweepTable& table, const std::vector<std::string>& results)
{
    std::set<std::string> there = {"name", "exit", "expectations_held"};
    there.insert(std::begin(figures), std::end(figures));
    for (const PlacedField& column : table.columns)
        there.insert(column.text);
    std::vector<std::string> further;
    for (const std::string& result : results)
        if (there.insert(result).second)
            further.push_back(result);
    return further;
}

std::string sweep_summary(
    const SweepTable& table, const std::vector<SweepOutcome>& outcomes, const std::vector<std::string>& results)
{
    CsvRow row;
    row.add("name");
    for (const PlacedField& column : table.columns)
        if (column.text != "name")
            row.add(column.text);
    row.add("exit");
    for (const char* figure : figures)
        row.add(figure);
    row.add("expectations_held");
    for (const std::string& result : results)
        row.add(result);
    std::string text = row.take();
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        row.add(table.rows[r].name);
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].text != "name")
                row.add(table.rows[r].cells[i].text);
        const SweepOutcome& outcome = outcomes[r];
        row.add(outcome.exit ? std::to_string(*outcome.exit) : "");
        const nlohmann::json summary = parsed(outcome.summary);
        for (const char* figure : figures)
            add(row, figure_of(summary, figure));
        row.add(held(summary));
        for (const std::string& result : results)
            add(row, find(summary, result));
        text += row.take();
    }
    return text;
}

std::vector<std::string> unknown_results(
    const std::vector<SweepOutcome>& outcomes, const std::vector<std::string>& results)
{
    std::vector<std::string> unknown;
    for (const std::string& result : results)
        if (std::none_of(outcomes.begin(), outcomes.end(),
                [&](const SweepOutcome& outcome) { return find(parsed(outcome.summary), result) != nullptr; }))
            unknown.push_back(result);
    return unknown;
}

} // namespace stickslip
