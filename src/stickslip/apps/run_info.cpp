#include "stickslip/apps/run_info.h"

#include "stickslip/apps/commands.h"
#include "stickslip/apps/notes.h"
#include "stickslip/replay/round_off.h"
#include "stickslip/replay/run_reading.h"
#include "stickslip/scene/text/body_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace stickslip {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

double number(const Json& summary, const char* key)
{
    const auto found = summary.find(key);
    return found != summary.end() && found->is_number() ? found->get<double>() : nan;
}

/// A number, or several in brackets; 0 for round-off.
std::string value_text(const Json& value, double round_off)
{
    char text[32];
    if (value.is_number()) {
        std::snprintf(text, sizeof text, "%.6g", without_round_off(value.get<double>(), round_off));
        return text;
    }
    std::string list;
    for (const Json& item : value)
        list += (list.empty() ? "[" : ", ") + value_text(item, round_off);
    return value.is_array() && !value.empty() ? list + "]" : "none";
}

/// "position y of cube"
std::string quantity_text(const Json& expectation)
{
    std::string text = expectation.value("metric", "");
    if (expectation.contains("axis"))
        text += " " + expectation.value("axis", "");
    return text + (expectation.contains("body") ? " of " + expectation.value("body", "") : "");
}

/// That of a metric of expectations.
double round_off_of(const std::string& metric, const RoundOff& round_off)
{
    constexpr const char* lengths[] = {"slip", "position", "max_penetration", "max_contact_depth"};
    return metric == "speed"                      ? round_off.speed
        : metric == "energy_rise"                 ? round_off.energy
        : std::ranges::count(lengths, metric) > 0 ? round_off.length
                                                  : 0;
}

void print_expectations(const Json& expectations, const RoundOff& round_off)
{
    if (!expectations.is_array() || expectations.empty())
        return;
    const auto holding = std::count_if(expectations.begin(), expectations.end(),
        [](const Json& e) { return e.is_object() && e.value("holds", false); });
    std::printf("expect     %zd of %zu hold\n", holding, expectations.size());
    for (const Json& e : expectations)
        if (e.is_object())
            std::printf("           %s %s: %s, expected %s\n", e.value("holds", false) ? "holds" : "FAILS",
                quantity_text(e).c_str(),
                value_text(e.value("value", Json()), round_off_of(e.value("metric", ""), round_off)).c_str(),
                e.value("bound", "").c_str());
}

/// What the run took.
void print_costs(const Json& summary, const RoundOff& round_off)
{
    std::printf("time       %.6g of %.6g s: %.0f steps in %.3g s on %.0f threads\n", number(summary, "simulated_time"),
        number(summary, "end"), number(summary, "steps"), number(summary, "wall_time"), number(summary, "threads"));
    if (summary.contains("time_step")) // explicit
        std::printf("solver     explicit steps of %.3g s, %.0f spheres\n", number(summary, "time_step"),
            number(summary, "spheres"));
    else
        std::printf("solver     %.0f Newton and %.0f GMRES iterations, %.0f failed solves\n",
            number(summary, "newton_iterations"), number(summary, "krylov_iterations"),
            number(summary, "failed_solves"));
    const auto energy = [&](const char* key) { return without_round_off(number(summary, key), round_off.energy); };
    std::printf("contacts   the deepest %.3g m, %.3g J lost by friction\n",
        without_round_off(number(summary, "max_contact_depth"), round_off.length), energy("friction_loss"));
    std::printf("balance    errors of the energy up to %.3g J, of the momentum up to %.3g kg m/s\n",
        energy("largest_energy_error"), number(summary, "largest_momentum_error"));
    std::printf("memory     %.3g MB\n", 1e-6 * number(summary, "peak_memory_bytes"));
    std::printf("state      %s (its hash), version %s\n", summary.value("state_hash", "unknown").c_str(),
        summary.value("version", "unknown").c_str());
}

void print_files(const RunReading& run)
{
    std::vector<std::string> tables;
    std::uintmax_t size = 0;
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(run.folder)) {
        if (!entry.is_regular_file())
            continue;
        size += entry.file_size();
        ++files;
        if (entry.path().extension() == ".csv" && entry.path().parent_path() == run.folder)
            tables.push_back(entry.path().stem().string());
    }
    std::sort(tables.begin(), tables.end());
    std::string names;
    for (const std::string& table : tables)
        names += (names.empty() ? "" : ", ") + table;
    std::printf("tables     %s\n", names.empty() ? "none" : names.c_str());
    std::printf("size       %.3g MB in %zu files\n", 1e-6 * static_cast<double>(size), files);
}

} // namespace

void print_bodies(const std::vector<NamedBody>& bodies)
{
    for (std::size_t i = 0; i < bodies.size();) {
        const std::string family = family_of(bodies[i].name);
        std::size_t end = i + 1;
        while (is_copy(bodies[i].name) && end < bodies.size() && is_copy(bodies[end].name)
            && family_of(bodies[end].name) == family && bodies[end].kind == bodies[i].kind)
            ++end;
        if (end == i + 1)
            std::printf("body       %s (%s)\n", bodies[i].name.c_str(), bodies[i].kind.c_str());
        else
            std::printf("body       %s (%s, %zu copies)\n", family.c_str(), bodies[i].kind.c_str(), end - i);
        i = end;
    }
}

int run_info(const fs::path& folder)
{
    const RunReading run = read_run(folder);
    const Json summary = Json::parse(run.summary, nullptr, false);
    const RoundOff least = round_off(run);
    std::printf("run        %s\n", title_of(run).c_str());
    std::printf("status     %s\n", to_string(run.status));
    if (summary.is_object())
        print_costs(summary, least);
    else
        std::printf("time       %.6g s so far\n", run.last_time());
    std::vector<NamedBody> bodies;
    for (const RecordedBody& body : run.scene.bodies)
        bodies.push_back({body.name, to_string(body.kind)});
    print_bodies(bodies);
    if (run.frames.empty())
        std::printf("frames     none\n");
    else
        std::printf(
            "frames     %zu from %.6g to %.6g s\n", run.frames.size(), run.frames.front().time, run.frames.back().time);
    print_files(run);
    if (summary.is_object())
        print_expectations(summary.value("expect", Json::array()), least);
    print_notes(run.notes);
    return exit_done;
}

} // namespace stickslip
