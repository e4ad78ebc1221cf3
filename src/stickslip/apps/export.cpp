#include "stickslip/apps/command_line.h"
#include "stickslip/apps/commands.h"
#include "stickslip/apps/frame_choice.h"
#include "stickslip/apps/notes.h"
#include "stickslip/apps/number_options.h"
#include "stickslip/apps/verbs.h"
#include "stickslip/export/gltf_file.h"
#include "stickslip/export/particle_table.h"
#include "stickslip/export/sphere_table.h"
#include "stickslip/export/text_files.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/scene_reading.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

namespace stickslip {

namespace {

namespace fs = std::filesystem;

struct ExportCommand {
    std::string folder, format, output, body;
    std::optional<double> time; // [s]
};

void write_obj_sequence(const fs::path& folder, const ExportedRun& run)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw FileError("cannot write " + folder.string() + ": " + error.message());
    for (std::size_t f = 0; f < run.times.size(); ++f) {
        char name[32];
        std::snprintf(name, sizeof name, "frame_%06zu.obj", f);
        write_file_atomically(folder / name, obj_file(run, f));
    }
}

/// The last frame, or the one nearest to a time.
std::size_t frame_at(const RunReading& run, std::optional<double> time)
{
    if (run.frames.empty())
        throw InputError(run.folder.string() + ": this run has no frames");
    return time ? frame_near(run, *time) : run.frames.size() - 1;
}

int export_command(const ExportCommand& command)
{
    const std::vector<std::pair<std::string, std::string>> formats = {{"gltf", "export.glb"}, {"usda", "export.usda"},
        {"obj", "obj"}, {"csv", "tracks.csv"}, {"spheres", "spheres.csv"}, {"particles", "particles.csv"}};
    std::string file;
    std::vector<std::string> names;
    for (const auto& [format, name] : formats) {
        names.push_back(format);
        if (format == command.format)
            file = name;
    }
    if (file.empty())
        throw InputError("--to: expected gltf, usda, obj, csv, spheres or particles, got \"" + command.format + "\""
            + did_you_mean(command.format, names));
    if (command.format == "gltf" && !command.output.empty())
        expect_ending(command.output, {".glb", ".gltf"});
    if (command.format == "usda" && !command.output.empty())
        expect_ending(command.output, {".usda", ".usd"});
    if (fs::path(file).extension() == ".csv" && !command.output.empty())
        expect_ending(command.output, {".csv"});
    const RunReading run = read_run(command.folder);
    const fs::path output = command.output.empty() ? fs::path(command.folder) / file : fs::path(command.output);
    print_notes(run.notes);
    const bool is_table = command.format == "spheres" || command.format == "particles";
    if (!is_table && (command.time || !command.body.empty()))
        throw InputError("--time and --body need --to spheres or particles");
    if (command.format == "spheres") {
        write_file_atomically(output, sphere_table(run, frame_at(run, command.time), command.body));
    } else if (command.format == "particles") {
        write_file_atomically(output, particle_table(run, frame_at(run, command.time), command.body));
    } else if (command.format == "csv") {
        write_file_atomically(output, track_table(run));
    } else {
        std::vector<std::string> notes;
        const ExportedRun exported = exported_run(run, notes);
        print_notes(notes);
        if (exported.bodies.empty())
            throw InputError(command.folder + ": no body of this run can be read");
        if (command.format == "gltf")
            write_file_atomically(output, output.extension() == ".gltf" ? gltf_text(exported) : gltf_file(exported));
        else if (command.format == "usda")
            write_file_atomically(output, usda_file(exported));
        else
            write_obj_sequence(output, exported);
    }
    std::cout << "export: " << output.string() << "\n";
    return exit_done;
}

} // namespace

void add_export(CLI::App& app, std::function<int()>& action)
{
    const auto command = std::make_shared<ExportCommand>();
    CLI::App* verb = app.add_subcommand("export", "convert a run for other programs: Blender, USD tools, spreadsheets");
    verb->add_option("DIR", command->folder, "run folder")->required()->type_name("DIR");
    verb->add_option("--to", command->format,
            "gltf: animated .glb or .gltf; usda: USD text; obj: folder with one file per frame; csv: trajectories of "
            "bodies; spheres: table of the spheres of one frame, for positions in a scene; particles: table of the "
            "material "
            "points of a body in one frame")
        ->required()
        ->type_name("FORMAT");
    verb->add_option("-o,--output", command->output,
            "file to write (obj: folder; default: export.glb, export.usda, obj/, tracks.csv, spheres.csv or "
            "particles.csv in DIR)")
        ->type_name("FILE");
    verb->add_option("--body", command->body, "spheres, particles: name of the body or family (default: the only one)")
        ->type_name("NAME");
    verb->add_option(
            "--time", command->time, "spheres, particles: time [s]; the nearest frame is used (default: the last)")
        ->check(CLI::Validator(moment_fault, ""))
        ->type_name("S");
    verb->footer("Example: stickslip export incline.out --to gltf -o incline.glb");
    verb->callback([command, &action] { action = [command] { return export_command(*command); }; });
}

} // namespace stickslip
