#include "stickslip/plot/figure.h"

#include "stickslip/math/error.h"
#include "stickslip/math/types.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stickslip {

namespace {

std::string with_unit(const std::string& name, const std::string& unit)
{
    return unit.empty() ? name : name + " [" + unit + "]";
}

/// "kinetic_energy" as words; names of bodies stay as they are.
std::string in_words(std::string name)
{
    if (name.find('.') == std::string::npos)
        std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

/// Last part of the path that says anything, without the ending of run folders.
std::string run_label(const std::filesystem::path& folder)
{
    std::filesystem::path path = std::filesystem::absolute(folder).lexically_normal();
    if (path.filename().empty()) // "slope.out/"
        path = path.parent_path();
    return path.extension() == ".out" ? path.stem().string() : path.filename().string();
}

void widen(std::pair<double, double>& range, const std::vector<double>& values)
{
    for (const double value : values)
        if (std::isfinite(value))
            range = {std::min(range.first, value), std::max(range.second, value)};
}

/// Value of a track at a time, linear between its own; nan outside.
double at_time(const Track& track, double time)
{
    const auto after = std::lower_bound(track.time.begin(), track.time.end(), time);
    if (after == track.time.end())
        return nan;
    const auto i = static_cast<std::size_t>(after - track.time.begin());
    if (*after == time)
        return track.value[i];
    if (i == 0)
        return nan;
    const double share = (time - track.time[i - 1]) / (track.time[i] - track.time[i - 1]);
    return track.value[i - 1] + share * (track.value[i] - track.value[i - 1]);
}

Curve curve_of(const Track& y, const Track* x)
{
    Curve curve{.label = "", .x = y.time, .y = y.value};
    if (x)
        std::transform(y.time.begin(), y.time.end(), curve.x.begin(), [&](double t) { return at_time(*x, t); });
    return curve;
}

Curve run_curve(
    const RunTables& run, const std::string& name, const std::string& x_name, bool many_names, bool many_runs)
{
    const std::optional<Track> x = x_name == "time" ? std::nullopt : std::optional<Track>(run.track(x_name));
    Curve curve = curve_of(run.track(name), x ? &*x : nullptr);
    const std::string of_run = run_label(run.folder());
    curve.label = !many_names ? of_run : many_runs ? of_run + ": " + in_words(name) : in_words(name);
    return curve;
}

/// Nothing when the table does not have the column.
std::optional<Track> reference_track(const CsvTable& table, const std::string& name)
{
    if (!table.find(name))
        return std::nullopt;
    return Track{.quantity = {}, .time = table.numbers("time"), .value = table.numbers(name)};
}

/// Names that share a panel.
struct Group {
    Quantity first;
    std::vector<std::string> names; // each once
};

std::vector<Group> groups_by_kind(const RunTables& run, const std::vector<std::string>& names)
{
    std::vector<Group> groups;
    for (const std::string& name : names) {
        const Quantity quantity = run.track(name).quantity;
        auto group =
            std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.first.kind == quantity.kind; });
        if (group == groups.end())
            group = groups.insert(group, Group{.first = quantity, .names = {}});
        if (std::find(group->names.begin(), group->names.end(), name) == group->names.end())
            group->names.push_back(name);
    }
    return groups;
}

void add_references(Panel& panel, const std::vector<ReferenceTable>& references, const std::string& name,
    const std::string& x_name, bool name_them)
{
    for (const ReferenceTable& reference : references) {
        const std::optional<Track> y = reference_track(reference.table, name);
        const std::optional<Track> x = x_name == "time" ? std::nullopt : reference_track(reference.table, x_name);
        if (!y || (x_name != "time" && !x))
            continue;
        Curve curve = curve_of(*y, x ? &*x : nullptr);
        curve.label =
            name_them ? reference.path.stem().string() + ": " + in_words(name) : reference.path.stem().string();
        curve.reference = true;
        panel.curves.push_back(std::move(curve));
    }
}

} // namespace

std::pair<double, double> x_range(const Figure& figure)
{
    std::pair<double, double> range{infinity, -infinity};
    for (const Panel& panel : figure.panels)
        for (const Curve& curve : panel.curves)
            widen(range, curve.x);
    return range;
}

std::pair<double, double> y_range(const Panel& panel)
{
    std::pair<double, double> range{infinity, -infinity};
    for (const Curve& curve : panel.curves)
        widen(range, curve.y);
    return range;
}

Figure make_figure(const std::vector<RunTables>& runs, const std::vector<ReferenceTable>& references,
    const std::vector<std::string>& names, const std::string& x_name)
{
    Figure figure{.title = runs.size() == 1 ? runs.front().title() : "",
        .x_label = with_unit(in_words(x_name), x_name == "time" ? "s" : runs.front().track(x_name).quantity.unit),
        .panels = {}};
    for (const Group& group : groups_by_kind(runs.front(), names)) {
        const bool many_names = group.names.size() > 1;
        Panel panel{.label = with_unit(many_names ? group.first.kind : in_words(group.first.name), group.first.unit),
            .curves = {}};
        for (const std::string& name : group.names) {
            for (const RunTables& run : runs)
                panel.curves.push_back(run_curve(run, name, x_name, many_names, runs.size() > 1));
            add_references(panel, references, name, x_name, many_names);
        }
        for (std::size_t i = 0, colour = 0; i < panel.curves.size(); ++i)
            if (!panel.curves[i].reference)
                panel.curves[i].colour = static_cast<int>(colour++);
        figure.panels.push_back(std::move(panel));
    }
    return figure;
}

} // namespace stickslip
