#include "stickslip/apps/bench_cases.h"
#include "stickslip/apps/commands.h"
#include "stickslip/apps/examples.h"
#include "stickslip/apps/number_options.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "stickslip/run/summary.h"
#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/wording.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace stickslip {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct BenchCommand {
    std::vector<std::string> names; // of cases, or scene files
    std::string output, against; // JSON; empty: none
    int repeats = 1, threads = 1;
    std::optional<double> until; // [s]
    std::vector<std::string> overrides;
};

/// The scenes of the program as files, as long as this lives.
class SceneFolder {
public:
    SceneFolder()
        : folder_(fs::temp_directory_path() / ("stickslip-bench-" + std::to_string(getpid())))
    {
    }
    SceneFolder(const SceneFolder&) = delete;
    SceneFolder& operator=(const SceneFolder&) = delete;
    ~SceneFolder()
    {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    std::string path_of(std::string_view scene) const
    {
        for (const std::span<const Example> scenes : {examples(), bench_scenes()})
            for (const Example& known : scenes)
                if (known.name == scene) {
                    std::error_code error;
                    fs::create_directories(folder_, error);
                    const fs::path path = folder_ / (std::string(scene) + ".yaml");
                    write_example(known, path);
                    return path.string();
                }
        throw std::logic_error("bench: no scene " + std::string(scene));
    }

private:
    fs::path folder_;
};

const BenchCase* find_case(const std::string& name)
{
    for (const BenchCase& known : bench_cases())
        if (known.name == name)
            return &known;
    return nullptr;
}

bool is_file(const std::string& name)
{
    const std::string ending = fs::path(name).extension().string();
    return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

/// `all` is every case. Errors: InputError.
std::vector<std::string> chosen(const std::vector<std::string>& names)
{
    std::vector<std::string> known = {"all"}, list;
    for (const BenchCase& one : bench_cases())
        known.emplace_back(one.name);
    for (const std::string& name : names) {
        if (name == "all") {
            list.insert(list.end(), known.begin() + 1, known.end());
            continue;
        }
        if (!is_file(name) && !find_case(name)) {
            const std::string meant = did_you_mean(name, known);
            throw InputError("bench: expected the name of a case, `all` or a scene file, got " + in_quotes(name)
                + (meant.empty() ? "; `stickslip bench` lists the cases" : meant));
        }
        list.push_back(name);
    }
    return list;
}

BenchRun run_of(const std::string& name, const BenchCommand& command, const SceneFolder& folder)
{
    BenchRun run{.path = name, .overrides = {}, .until = command.until, .threads = command.threads};
    if (const BenchCase* known = find_case(name)) {
        run.path = folder.path_of(known->scene);
        if (!known->change.empty())
            run.overrides.emplace_back(known->change);
        if (!run.until)
            run.until = known->until;
    }
    run.overrides.insert(run.overrides.end(), command.overrides.begin(), command.overrides.end());
    return run;
}

Json json_of(const std::string& name, const BenchFigures& figures)
{
    Json j;
    j["name"] = name;
    j["status"] = figures.status;
    j["simulated_time"] = figures.simulated_time;
    j["steps"] = figures.steps;
    j["newton_iterations"] = figures.newton_iterations;
    j["krylov_iterations"] = figures.krylov_iterations;
    j["evaluations"] = figures.evaluations;
    j["failed_solves"] = figures.failed_solves;
    j["seconds"]["processor"] = figures.processor;
    j["seconds"]["wall"] = figures.wall;
    for (const auto& [stage, seconds] : figures.stages)
        j["seconds"][stage] = seconds;
    if (figures.product_share)
        j["product_share"] = *figures.product_share;
    j["state_hash"] = figures.state_hash;
    return j;
}

/// What of a case is compared.
struct Earlier {
    std::string name, state_hash;
    double simulated_time, processor, wall; // [s]
};

/// The cases of a file that `-o` wrote. Errors: InputError, FileError.
std::vector<Earlier> read_earlier(const std::string& path)
{
    std::vector<Earlier> cases;
    try {
        const Json file = Json::parse(read_file(path));
        for (const Json& one : file.at("cases"))
            cases.push_back({one.at("name").get<std::string>(), one.at("state_hash").get<std::string>(),
                one.at("simulated_time").get<double>(), one.at("seconds").at("processor").get<double>(),
                one.at("seconds").at("wall").get<double>()});
    } catch (const Json::exception&) {
        throw InputError(path + ": expected figures that `stickslip bench -o` wrote, found something else");
    }
    return cases;
}

/// Adds the case's times over those of an earlier run of the same work, if there is one.
void compare(Json& one, const std::vector<Earlier>& earlier)
{
    const auto old = std::find_if(earlier.begin(), earlier.end(),
        [&](const Earlier& e) { return one["name"] == e.name && one["simulated_time"] == e.simulated_time; });
    if (old == earlier.end())
        return;
    one["ratio"]["processor"] = one["seconds"]["processor"].get<double>() / old->processor;
    one["ratio"]["wall"] = one["seconds"]["wall"].get<double>() / old->wall;
    one["same_state"] = one["state_hash"] == old->state_hash;
}

void print_head(bool compared)
{
    std::printf("%-18s %6s %8s %8s %8s %8s %8s %8s %8s %6s %8s", "case", "steps", "newton", "krylov", "failed",
        "eval s", "assem s", "linear s", "cpu s", "H x", "steps/s");
    std::printf(compared ? " %8s %6s\n" : "\n", "cpu", "state");
}

void print_row(const Json& one)
{
    const Json& seconds = one["seconds"];
    const auto stage = [&](const char* name) { return seconds.value(name, 0.0); };
    const double steps = one["steps"].get<double>();
    const std::string share = one.contains("product_share")
        ? std::to_string(static_cast<int>(100 * one["product_share"].get<double>() + 0.5)) + " %"
        : "-";
    std::printf("%-18s %6.0f %8.0f %8.0f %8.0f %8.3f %8.3f %8.3f %8.3f %6s %8.2f",
        fs::path(one["name"].get<std::string>()).stem().c_str(), steps, one["newton_iterations"].get<double>(),
        one["krylov_iterations"].get<double>(), one["failed_solves"].get<double>(), stage("evaluation"),
        stage("assembly"), stage("linear_solve"), stage("processor"), share.c_str(),
        steps / std::max(stage("wall"), 1e-9));
    if (one.contains("ratio"))
        std::printf(
            " %7.3fx %6s", one["ratio"]["processor"].get<double>(), one["same_state"].get<bool>() ? "same" : "other");
    std::printf(one["status"] == "done" ? "\n" : "  %s\n", one["status"].get<std::string>().c_str());
    std::fflush(stdout);
}

int bench_command(const BenchCommand& command)
{
    if (command.names.empty()) {
        for (const BenchCase& one : bench_cases())
            std::printf("%-18s %s\n", std::string(one.name).c_str(), std::string(one.what).c_str());
        return exit_done;
    }
    const std::vector<std::string> names = chosen(command.names);
    std::vector<Earlier> earlier;
    if (!command.against.empty())
        earlier = read_earlier(command.against);
    const SceneFolder folder;
    Json result{{"version", version()}, {"threads", command.threads}, {"repeats", command.repeats}};
    result["cases"] = Json::array();
    print_head(!command.against.empty());
    bool all_done = true;
    for (const std::string& name : names) {
        std::vector<BenchFigures> runs;
        for (int i = 0; i < command.repeats; ++i)
            runs.push_back(measure(run_of(name, command, folder)));
        Json one = json_of(name, median_of(runs));
        compare(one, earlier);
        print_row(one);
        all_done = all_done && one["status"] == to_string(RunStatus::done);
        result["cases"].push_back(std::move(one));
        if (!command.output.empty())
            write_file_atomically(command.output, result.dump(2) + "\n");
    }
    return all_done ? exit_done : exit_gave_up;
}

} // namespace

void add_bench(CLI::App& app, std::function<int()>& action)
{
    const auto command = std::make_shared<BenchCommand>();
    CLI::App* verb = app.add_subcommand("bench", "measure what cases cost: steps, iterations, seconds by stage");
    verb->add_option("NAME", command->names, "names of cases, all, or scene files (default: list the cases)")
        ->type_name("...");
    verb->add_option("-o,--output", command->output, "write the figures as JSON")->type_name("FILE");
    verb->add_option("--against", command->against, "compare with the figures in a file that -o wrote")
        ->type_name("FILE");
    verb->add_option("--repeats", command->repeats, "runs of each case, of which the median counts (default: 1)")
        ->check(CLI::Validator(whole_number(1, 1000), ""))
        ->type_name("N");
    verb->add_option("--threads", command->threads, "number of threads (default: 1)")
        ->check(CLI::Validator(whole_number(1, 1024), ""))
        ->type_name("N");
    verb->add_option("--until", command->until, "stop at this time [s] instead of the case's own")
        ->check(CLI::Validator(time_fault, ""))
        ->type_name("S");
    verb->add_option("--set", command->overrides, "replace a value of the scenes: path.to.key=value; may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    verb->footer(
        "Example: stickslip bench five_cubes card_house -o before.json\n"
        "         stickslip bench five_cubes card_house --against before.json\n"
        "Nothing is written but the table and the figures. Columns: iterations in all; seconds of evaluations, "
        "assembly and linear solves (wall) and of the processor (all threads); H x: bandwidth of a product with "
        "the matrix over that of a copy of as many bytes; cpu: processor time over that of the other file; "
        "state: whether both runs ended in the same bits.");
    verb->callback([command, &action] { action = [command] { return bench_command(*command); }; });
}

} // namespace stickslip
