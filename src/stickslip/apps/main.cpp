#include "stickslip/apps/command_line.h"
#include "stickslip/apps/commands.h"
#include "stickslip/apps/help.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/number_options.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/apps/view_command.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "stickslip/run/summary.h"
#include "stickslip/scene/text/wording.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>

namespace {

using namespace stickslip;

void add_overrides(CLI::App* verb, std::vector<std::string>& overrides)
{
    verb->add_option(
            "--set", overrides, "replace a value of the scene: path.to.key=value (bodies by name); may be repeated")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
}

std::string megabytes_fault(const std::string& text)
{
    return range_fault(text, 1, 400, "a size from 1 to 400 MB");
}

std::string import_fault(const std::string& text)
{
    return text == "rigid-ipc" ? "" : "expected rigid-ipc, got " + in_quotes(text);
}

std::string shell_fault(const std::string& text)
{
    return text == "bash" ? "" : "expected bash, got " + in_quotes(text);
}

// Results that did not reach their file must not look like success.
int with_results_written(int status)
{
    std::cout.flush();
    if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.good())
        return status;
    throw FileError("cannot write to standard output");
}

void add_scene(CLI::App* verb, std::string& scene)
{
    verb->add_option("SCENE", scene, "scene file (YAML or JSON)")->required()->type_name("FILE");
}

void add_run(CLI::App& app, RunCommand& command, std::function<int()>& action)
{
    CLI::App* verb = app.add_subcommand("run", "simulate a scene into a run folder");
    add_scene(verb, command.scene);
    verb->add_option("-o,--output", command.output, "run folder (default: SCENE without its ending, plus .out)")
        ->type_name("DIR");
    verb->add_option("--until", command.until, "stop at this time [s] instead of time.end")
        ->check(CLI::Validator(time_fault, ""))
        ->type_name("S");
    verb->add_option("--threads", command.threads, "number of threads (default: all); results do not depend on it")
        ->check(CLI::Validator(whole_number(1, 1024), ""))
        ->type_name("N");
    add_overrides(verb, command.overrides);
    CLI::Option* resume =
        verb->add_flag("--resume", command.resume, "continue from the last checkpoint in the run folder");
    verb->add_flag("--force", command.force, "replace the run in the folder")->excludes(resume);
    verb->add_flag("--quiet", command.quiet, "print errors and warnings only");
    verb->footer("Example: stickslip run scenes/incline.yaml -o incline.out --set contact.friction=0.2");
    verb->callback([&] { action = [&] { return run_command(command); }; });
}

void add_view(CLI::App& app, ViewCommand& command, std::function<int()>& action)
{
    CLI::App* verb = app.add_subcommand("view", "write a web page that replays a run, or serve it during the run");
    verb->add_option("DIR", command.folder, "run folder")->required()->type_name("DIR");
    CLI::Option* output =
        verb->add_option("-o,--output", command.output, "page to write (default: DIR/view.html)")->type_name("FILE");
    CLI::Option* other =
        verb->add_option("--compare", command.other, "a second run, drawn pale over the first")->type_name("DIR");
    verb->add_option("--megabytes", command.megabytes,
            "thin frames evenly to stay below this size; at least 100 are kept (default: 8)")
        ->check(CLI::Validator(megabytes_fault, ""))
        ->type_name("MB");
    verb->add_option("--serve", command.port, "serve the page on this machine during the run (default port: 8437)")
        ->check(CLI::Validator(whole_number(0, 65535), ""))
        ->type_name("PORT")
        ->expected(0, 1)
        ->excludes(output)
        ->excludes(other);
    verb->add_flag("--open", command.open, "open the page in a browser");
    verb->footer("Example: stickslip view incline.out --open");
    verb->callback([verb, &command, &action] {
        const std::vector<std::string> serve = verb->get_option("--serve")->results();
        command.serve = !serve.empty();
        if (command.serve && serve.front().find_first_of("0123456789") == std::string::npos)
            command.port = ViewCommand().port; // CLI makes 0 of the missing number
        action = [&] { return view_command(command); };
    });
}

} // namespace

int main(int argc, char** argv)
{
    ignore_file_size_signal();
    CLI::App app(
        "Simulates frictional contact of rigid bodies, elastic solids, material points, granular spheres and scripted "
        "obstacles.");
    app.formatter_fn(help_text);
    app.set_help_flag("-h,--help", "print this help and exit");
    app.set_version_flag("--version", std::string("stickslip ") + version(), "print the version and exit");
    app.require_subcommand(1);
    app.footer("Every command has --help with an example.\n"
               "Exit status: 0 done, 1 internal error, 2 invalid command line, scene or mesh, 3 the solver gave up, "
               "4 a file cannot be read or written, 5 an expectation of the scene fails, 130 interrupted (state "
               "saved).");
    std::function<int()> action;
    RunCommand run;
    ViewCommand view;
    std::vector<std::string> overrides;
    std::string path, output;
    bool full = false;
    add_run(app, run, action);
    add_view(app, view, action);

    CLI::App* check = app.add_subcommand("check", "check a scene and its meshes without running it; report all errors");
    add_scene(check, path);
    check->add_flag("--full", full, "print the scene with all defaults");
    add_overrides(check, overrides);
    check->footer("Example: stickslip check scenes/incline.yaml --full");
    check->callback([&] { action = [&] { return check_command(path, overrides, full); }; });

    add_plot(app, action);
    add_render(app, action);
    add_export(app, action);
    add_sweep(app, action);

    CLI::App* example = app.add_subcommand("example", "list the built-in scenes, or write one to a file");
    example->add_option("NAME", path, "name of a scene (default: list all)");
    example->add_option("-o,--output", output, "file to write, or a folder that there is (default: standard output)")
        ->type_name("FILE");
    example->footer("Example: stickslip example incline -o incline.yaml");
    example->callback([&] { action = [&] { return example_command(path, output); }; });

    CLI::App* info = app.add_subcommand("info", "summarize a mesh, a scene or a run folder");
    info->add_option("PATH", path, "mesh, sampled distance (.vti), scene or run folder")->required();
    info->footer("Example: stickslip info bunny.msh");
    info->callback([&] { action = [&] { return info_command(path); }; });

    ImportCommand import;
    CLI::App* imports = app.add_subcommand("import", "convert a scene from another program");
    imports->add_option("FORMAT", import.format, "the other program: rigid-ipc")
        ->required()
        ->check(CLI::Validator(import_fault, ""));
    imports->add_option("FILE", import.file, "scene file of that program")->required();
    imports->add_option("--meshes", import.meshes, "folder of its meshes (default: that of FILE)")->type_name("DIR");
    imports->add_option("-o,--output", import.output, "file to write (default: standard output)")->type_name("FILE");
    imports->add_flag("--lenient", import.lenient, "write the scene even if colliders or motions are not supported");
    imports->footer(
        "Example: stickslip import rigid-ipc arch.json --meshes meshes -o arch.yaml\n"
        "Unsupported features are listed on standard error. If a collider or a motion is unsupported, nothing "
        "is written and the exit status is 2, unless --lenient is given; 4 if a mesh is not found.\n"
        "Parts of meshes are written into FILE_meshes/ beside the scene.");
    imports->callback([&] { action = [&] { return import_command(import); }; });

    add_bench(app, action);

    CLI::App* schema = app.add_subcommand("schema", "print the JSON Schema of the scene format");
    schema->footer("Example: stickslip schema > stickslip.schema.json");
    schema->callback([&] { action = [] { return schema_command(); }; });

    CLI::App* derivatives = app.add_subcommand(
        "check-derivatives", "compare the derivatives of all forces with finite differences during a run");
    add_scene(derivatives, path);
    add_overrides(derivatives, overrides);
    derivatives->footer("Example: stickslip check-derivatives scenes/incline.yaml");
    derivatives->callback([&] { action = [&] { return check_derivatives_command(path, overrides); }; });

    CLI::App* completion = app.add_subcommand("completion", "print the completion of commands and options for a shell");
    completion->add_option("SHELL", path, "the shell: bash")->required()->check(CLI::Validator(shell_fault, ""));
    completion->footer("Example: stickslip completion bash > ~/.local/share/bash-completion/completions/stickslip");
    completion->callback([&] {
        action = [&] {
            std::cout << bash_completion(app);
            return exit_done;
        };
    });

    CLI::App* manual = app.add_subcommand("manual", "print the manual page, stickslip(1)");
    manual->footer("Example: stickslip manual > stickslip.1; man ./stickslip.1");
    manual->callback([&] {
        action = [&] {
            std::cout << manual_page(app, version());
            return exit_done;
        };
    });
    refuse_values_of_switches(app);
    refuse_empty_values(app);

    try {
        app.parse(argc, argv);
        return with_results_written(action());
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) // --help, --version
            return app.exit(error) == 0 && std::cout.flush() ? exit_done : exit_file;
        std::cerr << for_terminal(
            "stickslip: error: " + parse_fault(app, error, argc, argv) + "\nRun with --help for more information.\n");
        return exit_input;
    } catch (const FileError& error) {
        std::cerr << for_terminal("stickslip: error: " + std::string(error.what()) + "\n");
        return exit_file;
    } catch (const InputError& error) {
        std::cerr << for_terminal("stickslip: error: " + std::string(error.what()) + "\n");
        return exit_input;
    } catch (const std::filesystem::filesystem_error& error) { // a folder without permission, say
        std::cerr << for_terminal(
            "stickslip: error: cannot use " + error.path1().string() + ": " + error.code().message() + "\n");
        return exit_file;
    } catch (const std::exception& error) {
        std::cerr << "stickslip: internal error: " << error.what() << "\n";
        return exit_internal;
    }
}
