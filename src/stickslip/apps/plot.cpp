#include "stickslip/apps/command_line.h"
#include "stickslip/apps/commands.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "stickslip/plot/figure.h"
#include "stickslip/plot/svg_figure.h"
#include "stickslip/plot/terminal_figure.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

struct PlotCommand {
    std::vector<std::string> words; // run folders and tables, then names
    std::string output; // empty: the terminal
    std::string x = "time";
    bool lists = false;
};

TerminalStyle terminal_style()
{
    TerminalStyle style;
    if (!isatty(STDOUT_FILENO))
        return style;
    style.colours = true;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.columns = size.ws_col;
    return style;
}

/// What the names of a command are of.
struct Sources {
    std::vector<RunTables> runs;
    std::vector<ReferenceTable> references;
    std::vector<std::string> names;
    std::string faults; // of the references
};

Sources read_sources(const std::vector<std::string>& words, const std::string& x_name)
{
    Sources sources;
    std::vector<fs::path> references;
    std::error_code untold; // of what can only be a name
    std::size_t i = 0;
    for (; i < words.size(); ++i) {
        const fs::path path = words[i];
        if (path.extension() == ".csv")
            references.push_back(path);
        else if (i == 0 || fs::exists(path, untold) || words[i].find('/') != std::string::npos)
            sources.runs.emplace_back(path);
        else
            break;
    }
    if (sources.runs.empty())
        throw InputError("expected a run folder, found only tables to compare with");
    sources.names.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
    for (const fs::path& path : references) {
        sources.references.push_back(read_reference_table(path, sources.names, x_name));
        sources.faults += format(sources.references.back().faults);
    }
    return sources;
}

int plot_command(const PlotCommand& command)
{
    const Sources sources = read_sources(command.words, command.x);
    if (!sources.faults.empty()) {
        std::cerr << for_terminal(sources.faults);
        return exit_input;
    }
    if (command.lists) {
        for (const Quantity& quantity : sources.runs.front().quantities())
            std::cout << quantity.name << "\n";
        return exit_done;
    }
    if (sources.names.empty()) {
        std::cout << "names to plot:\n" << sources.runs.front().name_list();
        return exit_done;
    }
    for (const RunTables& run : sources.runs)
        print_notes(run.notes());
    const Figure figure = make_figure(sources.runs, sources.references, sources.names, command.x);
    if (command.output.empty()) {
        std::cout << terminal_figure(figure, terminal_style());
        return exit_done;
    }
    expect_ending(command.output, {".svg"});
    write_file_atomically(command.output, svg_figure(figure));
    std::cout << "plot: " << command.output << "\n";
    return exit_done;
}

} // namespace

void add_plot(CLI::App& app, std::function<int()>& action)
{
    const auto command = std::make_shared<PlotCommand>();
    CLI::App* verb = app.add_subcommand("plot", "plot time series of one or more runs in the terminal or as SVG");
    verb->add_option("DIR", command->words,
            "run folders (and reference tables x.csv with columns time, NAME), then the names of the quantities; "
            "without NAME, list the names")
        ->required()
        ->type_name("... NAME ...");
    verb->add_option("-o,--output", command->output, "SVG file to write (default: the terminal)")->type_name("FILE");
    verb->add_option("--x", command->x, "quantity on the x axis (default: time)")->type_name("NAME");
    verb->add_flag("--list", command->lists, "print the names of all quantities of the first run, one per line");
    verb->footer("Example: stickslip plot incline.out cube.x cube.speed -o incline.svg\n"
                 "         stickslip plot coarse.out fine.out total_energy");
    verb->callback([command, &action] { action = [command] { return plot_command(*command); }; });
}

} // namespace stickslip
