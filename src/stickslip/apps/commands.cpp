#include "stickslip/apps/commands.h"

#include "stickslip/apps/examples.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/progress.h"
#include "stickslip/apps/run_steering.h"
#include "stickslip/apps/scene_loading.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_files.h"
#include "stickslip/math/error.h"
#include "stickslip/run/run.h"
#include "stickslip/run/run_folder.h"
#include "stickslip/scene/import/import_rigid_ipc.h"
#include "stickslip/scene/table/scene_table.h"
#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/wording.h"
#include "stickslip/world/derivative_check.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace stickslip {

namespace {

// Bounds of check-derivatives. Of the shipped scenes card_house comes nearest, half the first (docs/validation.md).
constexpr double derivative_tolerance = 1e-6, transpose_tolerance = 1e-12;
constexpr int derivative_states = 5, derivative_steps = 100;

std::atomic<bool> interrupted = false;

// The first signal asks the run to save and stop; the second ends the program as usual.
void on_signal(int signal)
{
    interrupted = true;
    std::signal(signal, SIG_DFL);
}

std::string number_list(const std::vector<double>& values)
{
    std::string text;
    char number[32];
    for (const double v : values) {
        std::snprintf(number, sizeof number, "%s%.6g", text.empty() ? "" : ", ", v);
        text += number;
    }
    return text;
}

// A word as a shell takes it.
std::string quoted(const std::string& word)
{
    constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

// The command that goes on with a run: of the same scene, so with the same changes to it.
std::string resume_line(const RunCommand& command, const std::filesystem::path& folder)
{
    std::string line = "stickslip run " + quoted(command.scene) + " -o " + quoted(folder.string());
    for (const std::string& given : command.overrides)
        line += " --set " + quoted(given);
    return line + " --resume";
}

void report_expectations(const std::string& scene, const RunResult& result)
{
    for (const ExpectationResult& r : result.expect)
        if (!r.holds)
            std::cerr << scene << ": expect: " << (r.body.empty() ? "" : r.body + " ") << r.metric
                      << (r.axis.empty() ? "" : " " + r.axis) << ": expected " << r.bound << ", got "
                      << number_list(r.value) << "\n";
}

int exit_status(const RunResult& result)
{
    switch (result.status) {
    case RunStatus::interrupted:
        return exit_interrupted;
    case RunStatus::failed:
        return exit_gave_up;
    case RunStatus::done:
        return result.expectations_hold() ? exit_done : exit_expectation;
    }
    return exit_internal;
}

void report_result(
    const RunCommand& command, const std::filesystem::path& folder, bool granular, const RunResult& result)
{
    if (command.quiet)
        return;
    std::size_t holding = 0;
    for (const ExpectationResult& r : result.expect)
        holding += r.holds;
    const auto steps = static_cast<unsigned long long>(result.totals.steps);
    std::fprintf(stdout, "%s: %llu steps, %.6g s simulated in %.3g s", to_string(result.status), steps,
        result.simulated_time, result.totals.wall_time);
    if (!granular)
        std::fprintf(stdout, ", %.2f Newton iterations per step, %llu failed solves",
            static_cast<double>(result.totals.newton_iterations) / static_cast<double>(std::max(1ull, steps)),
            static_cast<unsigned long long>(result.totals.failed_solves));
    if (!result.expect.empty())
        std::fprintf(stdout, ", %zu of %zu expectations hold", holding, result.expect.size());
    const bool has_frames = std::filesystem::exists(folder / "frames.pvd");
    std::fprintf(stdout, "\n");
    if (has_frames)
        std::fprintf(stdout, "frames: %s\n", (folder / "frames.pvd").c_str());
    std::fprintf(stdout, "summary: %s\n", (folder / "summary.json").c_str());
    if (has_frames && result.status != RunStatus::interrupted)
        std::fprintf(stdout, "see it: stickslip view %s\n", quoted(folder.string()).c_str());
    if (!result.warnings.empty())
        std::fprintf(stdout, "warnings: %zu, in the summary\n", result.warnings.size());
    if (result.status == RunStatus::interrupted)
        std::fprintf(stdout, "continue with: %s\n", resume_line(command, folder).c_str());
}

} // namespace

int run_command(const RunCommand& command)
{
    const int threads = command.threads > 0 ? command.threads : tbb::info::default_concurrency();
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    std::filesystem::path folder = command.output;
    if (const std::filesystem::path scene = command.scene; folder.empty())
        folder = scene.parent_path() / (scene.stem().string() + ".out");
    std::error_code untold; // by what reads the scene
    if (!command.resume && !command.force && !std::filesystem::is_directory(command.scene, untold))
        refuse_used_folder(folder); // before the scene's warnings
    LoadedScene loaded = load_scene(command.scene, command.overrides);
    if (loaded.status != 0)
        return loaded.status;
    const bool granular = loaded.built.granular.has_value();
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);

    ProgressLine line(command.quiet);
    const RunOptions options{.scene_folder = loaded.folder,
        .scene_file = command.scene,
        .folder = folder,
        .until = command.until,
        .resume = command.resume,
        .force = command.force,
        .threads = threads,
        .warnings = loaded.warnings,
        .interrupted = &interrupted};
    RunSteering steering(folder, interrupted);
    const RunListener listener{.progress =
                                   [&](const RunProgress& progress) {
                                       line.show(progress);
                                       if (!progress.within)
                                           steering.heed();
                                   },
        .message = [&](const std::string& text) { line.message(text); },
        .note = [&](const std::string& text) { line.note(text); },
        .wants_frame = [&] { return steering.wants_frame(); }};
    RunResult result;
    try {
        result = run_scene(loaded.scene, std::move(loaded.built), options, listener);
    } catch (...) { // end the line, then let main say what it was
        line.finish();
        throw;
    }
    line.finish();
    report_result(command, folder, granular, result);
    if (result.status == RunStatus::done)
        report_expectations(command.scene, result);
    return exit_status(result);
}

int check_command(const std::string& scene, const std::vector<std::string>& overrides, bool full)
{
    const LoadedScene loaded = load_scene(scene, overrides);
    if (loaded.status != 0)
        return loaded.status;
    if (full) {
        std::cout << write_scene(loaded.scene);
        return exit_done;
    }
    for (const std::string& note : loaded.built.notes)
        std::cout << note << "\n";
    std::cout << scene << ": ok\n";
    return exit_done;
}

namespace {

void make_folders(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw FileError("cannot write " + folder.string() + ": " + error.message());
}

/// To standard output, or with its meshes into files: `output`, or in that folder.
int give_example(const Example& example, const std::string& output)
{
    if (!output.empty()) {
        const std::filesystem::path path = output;
        std::error_code untold; // by what writes
        const bool folder = std::filesystem::is_directory(path, untold);
        write_example(example, folder ? path / (std::string(example.name) + ".yaml") : path);
        return exit_done;
    }
    std::cout << example.text;
    for (const ExampleFile& file : example.files)
        std::cerr << "note: this scene needs " << file.name << "; -o FILE writes it too\n";
    return exit_done;
}

} // namespace

void write_example(const Example& example, const std::filesystem::path& path)
{
    const std::filesystem::path folder = path.parent_path();
    const auto keep_edited = [](const std::filesystem::path& file, std::string_view text) {
        std::error_code untold; // by what writes
        if (std::filesystem::is_regular_file(file, untold) && read_file(file) != text)
            throw InputError(file.string()
                + ": expected no file or this example, found a file with other contents; "
                  "write elsewhere with -o, or remove it");
    };
    keep_edited(path, example.text);
    for (const ExampleFile& file : example.files)
        keep_edited(folder / file.name, file.text);
    if (!folder.empty())
        make_folders(folder);
    for (const ExampleFile& file : example.files) {
        make_folders((folder / file.name).parent_path());
        write_file_atomically(folder / file.name, file.text);
    }
    write_file_atomically(path, example.text);
}

int example_command(const std::string& name, const std::string& output)
{
    if (name.empty()) {
        for (const Example& example : examples())
            std::printf("%-24s %s\n", std::string(example.name).c_str(), std::string(example.title).c_str());
        return exit_done;
    }
    std::vector<std::string> names;
    for (const Example& example : examples()) {
        names.emplace_back(example.name);
        if (example.name == name)
            return give_example(example, output);
    }
    const std::string meant = did_you_mean(name, names);
    throw InputError("example: expected the name of a built-in scene, got " + in_quotes(name)
        + (meant.empty() ? "; `stickslip example` lists them" : meant));
}

namespace {

void write_mesh(const std::filesystem::path& path, const TriMesh& mesh)
{
    make_folders(path.parent_path());
    write_file_atomically(path, obj_text(mesh));
}

} // namespace

int import_command(const ImportCommand& command)
{
    const std::filesystem::path folder = std::filesystem::path(command.output).parent_path();
    const ImportedScene imported =
        import_rigid_ipc(command.file, command.meshes, folder.empty() ? std::filesystem::path(".") : folder);
    std::cerr << for_terminal(format(imported.faults));
    for (const std::string& note : imported.faults.empty() ? imported.notes : std::vector<std::string>())
        std::cerr << command.file << ": note: " << note << "\n";
    for (Fault dropped : imported.dropped) {
        dropped.warning = command.lenient;
        std::cerr << for_terminal(format(dropped) + "\n");
    }
    std::cerr << for_terminal(format(imported.missing));
    if (!imported.faults.empty())
        return exit_input;
    if (!imported.dropped.empty() && !command.lenient) {
        std::cerr << command.file << ": error: nothing was written: colliders or motions above are not supported ("
                  << imported.dropped.size() << "); --lenient accepts it without them\n";
        return exit_input;
    }
    if (command.output.empty() && !imported.meshes.empty())
        throw InputError(command.file + ": error: " + std::to_string(imported.meshes.size())
            + " meshes must be written beside the scene: expected -o FILE, found none");
    for (const ImportedScene::MeshFile& mesh : imported.meshes)
        write_mesh(folder / mesh.file, mesh.mesh);
    const std::string text = write_scene(imported.scene);
    if (command.output.empty())
        std::cout << text;
    else
        write_file_atomically(command.output, text);
    return imported.missing.empty() ? exit_done : exit_file;
}

int schema_command()
{
    std::cout << scene_schema() << "\n";
    return exit_done;
}

int check_derivatives_command(const std::string& path, const std::vector<std::string>& overrides)
{
    LoadedScene loaded = load_scene(path, overrides);
    if (loaded.status != 0)
        return loaded.status;
    const BuiltWorld& built = loaded.built;
    if (built.granular) {
        std::printf("%s: ok, an explicit run takes no derivatives\n", path.c_str());
        return exit_done;
    }
    TimeStepper stepper(built.world, built.options);
    State state = built.state;
    const double dt = built.options.step;
    const int steps = std::min(derivative_steps, static_cast<int>(loaded.scene.time.end / dt));
    bool good = true;
    std::printf(
        "%10s %10s %14s %14s %14s %9s\n", "time", "force", "difference", "beyond error", "transpose", "left out");
    for (int i = 0; i < derivative_states; ++i) {
        for (const DerivativeCheck& check : check_derivatives(built.world, state, dt, static_cast<unsigned>(i) + 1)) {
            const bool holds = check.beyond <= derivative_tolerance && check.transpose <= transpose_tolerance;
            good = good && holds;
            std::printf("%10.4g %10s %14.3g %14.3g %14.3g %9d%s\n", state.time, check.force.c_str(), check.difference,
                check.beyond, check.transpose, check.switched, holds ? "" : "  WRONG");
        }
        for (int k = 0; k < steps / (derivative_states - 1); ++k)
            if (!stepper.step(state).done)
                throw std::runtime_error("check-derivatives: the solver gave up");
    }
    std::printf("%s: %s\n", path.c_str(), good ? "ok" : "derivatives are wrong");
    return good ? exit_done : exit_internal;
}

} // namespace stickslip
