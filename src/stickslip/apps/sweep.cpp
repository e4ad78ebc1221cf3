#include "stickslip/apps/commands.h"
#include "stickslip/apps/number_options.h"
#include "stickslip/apps/sweep_runs.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/folder_lock.h"
#include "stickslip/math/error.h"
#include "stickslip/run/sweep_summary.h"

#include <tbb/info.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

struct SweepCommand {
    std::string table, scene;
    std::string output; // empty: <table>.out
    int threads = 0; // 0: all
    int jobs = 0; // 0: as many as there are threads
    std::vector<std::string> results;
    bool force = false, quiet = false;
};

std::atomic<bool> interrupted = false;

void on_signal(int)
{
    interrupted = true;
}

/// Reads every row's scene before the first runs. Prints what is wrong, each fault once; the exit status if so, else 0.
int read_rows(
    const SweepCommand& command, const SweepTable& table, const fs::path& folder, std::vector<SweepOutcome>& outcomes)
{
    std::string faults = format(table.faults), warnings;
    bool unreadable = false;
    std::set<std::string> told;
    const auto tell = [&](const std::string& text, std::string& to) {
        if (told.insert(text).second)
            to += text + "\n";
    };
    if (!table.faults.empty()) {
        std::cerr << faults;
        return exit_input;
    }
    std::set<std::string> own; // of the scene, whatever the row
    const SceneResult unchanged = read_scene(command.scene);
    for (const std::vector<Fault>* list : {&unchanged.faults, &unchanged.warnings})
        for (const Fault& fault : *list)
            own.insert(format(fault));
    const auto of_row = [&](const SweepRow& row, const Fault& fault) {
        std::string text = format(fault);
        return own.contains(text) ? text : format(fault_of_row(table, row, fault));
    };
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const SweepRow& row = table.rows[i];
        const SceneResult read = read_scene(command.scene, row.overrides);
        for (const Fault& fault : read.faults)
            tell(of_row(row, fault), faults);
        for (const Fault& warning : read.warnings)
            tell(of_row(row, warning), warnings);
        unreadable = unreadable || read.unreadable;
        if (!read.good() || command.force)
            continue;
        try {
            if (std::optional<std::string> summary = finished_summary(folder / row.name, read.scene))
                outcomes[i] = {.exit = exit_of(*summary), .summary = std::move(*summary)};
        } catch (const InputError& error) {
            tell(format(make_fault(table.source, {row.line, row.cells[0].column}, "", error.what())), faults);
        }
    }
    std::cerr << warnings << faults;
    return faults.empty() ? exit_done : unreadable ? exit_file : exit_input;
}

/// The line on stderr, and the table that grows with every run that ends.
class Sweep {
public:
    Sweep(const SweepCommand& command, const SweepTable& table, fs::path folder, std::vector<SweepOutcome> outcomes)
        : command_(command)
        , table_(table)
        , folder_(std::move(folder))
        , outcomes_(std::move(outcomes))
        , terminal_(isatty(STDERR_FILENO))
    {
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            if (!outcomes_[i].exit)
                waiting_.push_back(i);
        found_ = table.rows.size() - waiting_.size();
    }

    int run()
    {
        const int threads = command_.threads > 0 ? command_.threads : tbb::info::default_concurrency();
        const int jobs = command_.jobs > 0 ? command_.jobs : threads;
        const std::size_t at_once =
            std::min<std::size_t>(static_cast<std::size_t>(jobs), std::max<std::size_t>(1, waiting_.size()));
        const int each = std::max(1, threads / static_cast<int>(at_once));
        std::vector<ChildRun> runs;
        for (const std::size_t i : waiting_)
            runs.push_back(child(table_.rows[i], each));
        write_table();
        run_children(runs, at_once,
            {.started =
                    [&](std::size_t k) {
                        going_.insert(waiting_[k]);
                        show();
                    },
                .ended = [&](std::size_t k, int exit) { end(waiting_[k], exit, runs[k].said); },
                .waiting = [&] { show(); }},
            interrupted);
        finish_line();
        return report();
    }

private:
    ChildRun child(const SweepRow& row, int threads) const
    {
        const fs::path folder = folder_ / row.name;
        ChildRun run{.arguments = {"run", command_.scene, "-o", folder.string(), "--quiet", "--threads",
                         std::to_string(threads), command_.force ? "--force" : "--resume"},
            .said = folder_ / (row.name + ".stderr")};
        for (const std::string& given : row.overrides)
            run.arguments.insert(run.arguments.end(), {"--set", given});
        return run;
    }

    void end(std::size_t i, int exit, const fs::path& said)
    {
        going_.erase(i);
        outcomes_[i].exit = exit;
        const fs::path summary = folder_ / table_.rows[i].name / "summary.json";
        if ((exit == exit_done || exit == exit_gave_up || exit == exit_expectation || exit == exit_interrupted)
            && fs::exists(summary))
            outcomes_[i].summary = read_file(summary);
        if (const std::string text = read_file(said); !text.empty()) {
            finish_line();
            for (const std::string& line : split(text))
                std::cerr << table_.rows[i].name << ": " << line << "\n";
        }
        fs::remove(said);
        write_table();
        show(true);
    }

    static std::vector<std::string> split(const std::string& text)
    {
        std::vector<std::string> lines;
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t end = std::min(text.find('\n', i), text.size());
            lines.push_back(text.substr(i, end - i));
            i = end + 1;
        }
        return lines;
    }

    void write_table() const
    {
        write_file_atomically(folder_ / "sweep.csv", sweep_summary(table_, outcomes_, command_.results));
    }

    std::size_t count(bool good) const
    {
        return static_cast<std::size_t>(std::count_if(outcomes_.begin(), outcomes_.end(),
            [&](const SweepOutcome& o) { return o.exit && (*o.exit == exit_done) == good; }));
    }

    std::string words() const
    {
        std::string text =
            std::to_string(count(true) + count(false)) + " of " + std::to_string(outcomes_.size()) + " runs ended";
        if (count(false) > 0)
            text += ", " + std::to_string(count(false)) + " failed";
        for (const std::size_t i : going_)
            text += (i == *going_.begin() ? "; running " : ", ") + table_.rows[i].name;
        return text;
    }

    /// On a terminal a line that rewrites itself, elsewhere one for every run that ends.
    void show(bool ended = false)
    {
        const std::string text = words();
        if (command_.quiet || text == shown_ || !(terminal_ || ended))
            return;
        shown_ = text;
        std::cerr << (terminal_ ? "\r\033[K" : "") << text << (terminal_ ? "" : "\n") << std::flush;
        line_open_ = terminal_;
    }

    void finish_line()
    {
        if (line_open_)
            std::cerr << "\n";
        line_open_ = false;
    }

    int report() const
    {
        const std::vector<std::string> unknown = unknown_results(outcomes_, command_.results);
        for (const std::string& result : unknown)
            std::cerr << command_.table << ": error: --result: no summary has \"" << result
                      << "\": its column is empty\n";
        if (!command_.quiet) {
            std::cout << count(true) << " of " << outcomes_.size() << " runs done";
            if (count(false) > 0)
                std::cout << ", " << count(false) << " failed";
            if (found_ > 0)
                std::cout << ", " << found_ << " of them earlier";
            std::cout << "\ntable: " << (folder_ / "sweep.csv").string() << "\n";
        }
        if (interrupted)
            return exit_interrupted;
        for (const SweepOutcome& outcome : outcomes_)
            if (*outcome.exit != exit_done)
                return *outcome.exit < 128 ? *outcome.exit : exit_internal;
        return unknown.empty() ? exit_done : exit_input;
    }

    const SweepCommand& command_;
    const SweepTable& table_;
    fs::path folder_;
    std::vector<SweepOutcome> outcomes_; // by row
    std::vector<std::size_t> waiting_; // rows to be run
    std::set<std::size_t> going_;
    std::size_t found_ = 0; // rows that had been run before
    bool terminal_, line_open_ = false;
    std::string shown_;
};

int sweep_command(SweepCommand command)
{
    if (fs::path(command.scene).extension() == ".csv" && fs::path(command.table).extension() != ".csv")
        throw InputError("TABLE: expected a table (CSV), then the scene, got \"" + command.table + "\" first");
    const SweepTable table = read_sweep_table(command.table);
    command.results = further_columns(table, command.results);
    fs::path folder = command.output;
    if (folder.empty())
        folder = fs::path(command.table).replace_extension(".out");
    if (std::error_code missing; fs::equivalent(command.table, folder / "sweep.csv", missing))
        throw InputError((folder / "sweep.csv").string()
            + ": expected a table outside of the folder, found the one that is run, which the sweep would write over; "
              "choose another folder");
    std::optional<FolderLock> lock; // before the rows of another sweep are read
    if (std::error_code missing; fs::is_directory(folder, missing))
        lock.emplace(folder);
    std::vector<SweepOutcome> outcomes(table.rows.size());
    if (const int status = read_rows(command, table, folder, outcomes); status != exit_done)
        return status;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw FileError("cannot write " + folder.string() + ": " + error.message());
    if (!lock)
        lock.emplace(folder);
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    return Sweep(command, table, folder, std::move(outcomes)).run();
}

} // namespace

void add_sweep(CLI::App& app, std::function<int()>& action)
{
    const auto command = std::make_shared<SweepCommand>();
    CLI::App* verb = app.add_subcommand("sweep", "run a scene once for each row of a table of parameters");
    verb->add_option("TABLE", command->table, "CSV: header with paths as for --set, then one row per run")
        ->required()
        ->type_name("FILE");
    verb->add_option("SCENE", command->scene, "scene file (YAML or JSON)")->required()->type_name("FILE");
    verb->add_option("-o,--output", command->output,
            "folder for the run folders and sweep.csv (default: TABLE without its ending, plus .out)")
        ->type_name("DIR");
    verb->add_option("--threads", command->threads, "total number of threads (default: all)")
        ->check(CLI::Validator(whole_number(1, 1024), ""))
        ->type_name("N");
    verb->add_option("--jobs", command->jobs, "simultaneous runs, which share the threads (default: one per thread)")
        ->check(CLI::Validator(whole_number(1, 1024), ""))
        ->type_name("N");
    verb->add_option("--result", command->results,
            "additional column of sweep.csv, a key of summary.json: friction_loss, expect[0].value; may be repeated")
        ->type_name("KEY")
        ->expected(1)
        ->take_all();
    verb->add_flag("--force", command->force, "run all rows again (default: keep finished rows, continue others)");
    verb->add_flag("--quiet", command->quiet, "print errors and warnings only");
    verb->footer("Example: stickslip sweep friction.csv scenes/incline.yaml --result friction_loss\n"
                 "with friction.csv: contact.friction,time.end\n"
                 "                   0.1,2\n"
                 "                   0.2,2\n"
                 "Exit status: 0 if every run ended with 0, else that of the first row that did not.");
    verb->callback([command, &action] { action = [command] { return sweep_command(*command); }; });
}

} // namespace stickslip
