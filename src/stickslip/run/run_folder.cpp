#include "stickslip/run/run_folder.h"

#include "stickslip/build/restart/earlier_run.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/files/csv.h"
#include "stickslip/math/error.h"
#include "stickslip/run/summary.h"
#include "stickslip/scene/scene_difference.h"
#include "stickslip/scene/table/scene_table.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

namespace stickslip {

namespace fs = std::filesystem;

namespace {

// Tells that a folder is that of a run, by the first columns: the first that a run makes.
constexpr const char* mark = "history.csv";
constexpr std::string_view mark_begin = "time,dt,newton,";

// All else that a run makes. --force removes these and nothing else, but for the scene, which is written anew.
constexpr const char* scene_name = "scene.yaml";
constexpr const char* run_files[] = {"checkpoints", "summary.json", "bodies.csv", "balance.csv", "solves.csv",
    "walls.csv", "reactions.csv", "outlets.csv", "contacts.csv", "pairs.csv", "packing.csv", "probes.csv", "frames.pvd",
    "log.txt", "inputs", "frames", "view.html"};

bool holds_run(const fs::path& folder)
{
    std::ifstream file(folder / mark, std::ios::binary);
    std::string begin(mark_begin.size(), '\0');
    return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == mark_begin;
}

/// Behind the header.
bool has_rows(const fs::path& table)
{
    std::ifstream file(table);
    std::string header, row;
    return std::getline(file, header) && std::getline(file, row);
}

// What a run would write over, in a folder without one; empty: nothing. Why the system does not tell is said by who
// makes the folder.
std::string found_without_run(const fs::path& folder)
{
    std::error_code untold;
    std::vector<std::string> names(std::begin(run_files), std::end(run_files));
    names.insert(names.begin(), {scene_name, mark});
    const auto found = std::find_if(names.begin(), names.end(),
        [&](const std::string& name) { return fs::exists(fs::symlink_status(folder / name, untold)); });
    return found == names.end() ? "" : *found;
}

// What is in the folders of a run and no run makes; empty: nothing.
std::string found_beside_run(const fs::path& folder)
{
    const std::string scene = fs::exists(folder / scene_name) ? read_file(folder / scene_name) : "";
    const auto is_own = [&](const fs::path& file) {
        const std::string sub = file.parent_path().filename(), name = file.filename(), ending = file.extension();
        if (!fs::is_regular_file(file))
            return false;
        if (name.find(".tmp-") != std::string::npos) // of a run that was killed
            return true;
        if (sub == "frames")
            return ending == ".vtu" || ending == ".vtp" || ending == ".vti";
        return sub == "checkpoints" ? ending == ".ckpt" : scene.find("inputs/" + name) != std::string::npos;
    };
    for (const char* sub : {"frames", "checkpoints", "inputs"})
        if (fs::is_directory(folder / sub))
            for (const fs::directory_entry& entry : fs::directory_iterator(folder / sub))
                if (!is_own(entry.path()))
                    return (fs::path(sub) / entry.path().filename()).string();
    return {};
}

// Of a folder without a run.
void refuse_foreign_folder(const fs::path& folder)
{
    if (const std::string found = holds_run(folder) ? "" : found_without_run(folder); !found.empty())
        throw InputError(folder.string() + ": expected a new or empty folder, or one of a run, found " + found
            + ", which no run wrote; choose another folder");
}

// The scene that is run, if it lies where the run records another one. Also through links.
void refuse_own_scene(const fs::path& folder, const fs::path& scene_file, const std::string& recorded)
{
    const fs::path own = folder / scene_name;
    std::error_code missing;
    if (!scene_file.empty() && fs::equivalent(scene_file, own, missing) && read_file(own) != recorded)
        throw InputError(own.string()
            + ": expected a scene outside of the run folder, found the one that is run, over which it would write; "
              "choose another folder");
}

void make_folder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw FileError("cannot write " + folder.string() + ": " + error.message());
    if (!fs::is_directory(folder))
        throw FileError("cannot write " + folder.string() + ": Not a directory");
}

// The files that a body names.
std::vector<std::string*> files_of(BodySettings& body)
{
    std::vector<std::string*> files;
    if (auto* mesh = std::get_if<MeshShape>(&body.shape))
        files = mesh->names();
    if (auto* grid = std::get_if<LevelSetShape>(&body.shape))
        files.push_back(&grid->file);
    if (body.fill && body.fill->mesh)
        files.push_back(&body.fill->mesh->file);
    if (body.positions && !body.positions->file.empty())
        files.push_back(&body.positions->file);
    return files;
}

// The scene with its files where the run folder keeps them.
Scene with_own_files(const Scene& scene, std::map<std::string, std::string>& names)
{
    Scene own = scene;
    int count = 0;
    for (BodySettings& body : own.bodies) {
        for (std::string* const file : files_of(body)) {
            if (!names.contains(*file)) {
                const std::string name = fs::path(*file).filename().string();
                const bool taken = std::any_of(
                    names.begin(), names.end(), [&](const auto& n) { return n.second == "inputs/" + name; });
                names[*file] = "inputs/" + (taken ? std::to_string(++count) + "-" : std::string()) + name;
            }
            *file = names[*file];
        }
    }
    if (own.start) {
        names[own.start->from] = "inputs/start.ckpt";
        own.start->from = names[own.start->from];
    }
    return own;
}

bool has_inlets_or_outlets(const Scene& scene)
{
    return !scene.outlets.empty()
        || std::any_of(
            scene.bodies.begin(), scene.bodies.end(), [](const BodySettings& body) { return body.inlet.has_value(); });
}

// What a run that is resumed must have in common with the one that was stopped: not its end, and not what is written
// beside the state, nor how long it may take. Gates let spheres pass once a row, and an account of the energy begins
// with the run.
Scene as_resumed(Scene scene)
{
    OutputSettings kept;
    kept.energy = scene.output.energy;
    if (has_inlets_or_outlets(scene))
        kept.history = row_interval(scene);
    scene.output = kept;
    scene.time.end = TimeSettings().end;
    scene.time.frame = TimeSettings().frame;
    scene.solver.max_seconds = SolverSettings().max_seconds;
    scene.expect.clear();
    return scene;
}

std::string join(const std::vector<std::string>& phrases)
{
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, phrases.size()); ++i)
        text += (i > 0 ? "; " : "") + phrases[i];
    return phrases.size() > most ? text + "; and " + std::to_string(phrases.size() - most) + " more" : text;
}

// Why a key of `output` may not change, of those that are among the changes.
std::string exceptions(const std::string& changes)
{
    std::string text;
    if (changes.find("`output.history`") != std::string::npos)
        text += "; not output.history with inlets or outlets, which act once per row";
    if (changes.find("`output.energy`") != std::string::npos)
        text += "; not output.energy, since the balance starts with the run";
    return text;
}

std::string hash_text(const std::string& text)
{
    char digits[48];
    const auto bytes = reinterpret_cast<const Bytef*>(text.data());
    std::snprintf(digits, sizeof digits, "%08lx%08lx%016zx", crc32(0, bytes, static_cast<uInt>(text.size())),
        adler32(1, bytes, static_cast<uInt>(text.size())), text.size());
    return digits;
}

} // namespace

std::string recorded_scene(const Scene& scene)
{
    std::map<std::string, std::string> names;
    return write_scene(with_own_files(scene, names));
}

std::string history_header()
{
    return csv_header({"time", "dt", "newton", "krylov", "residual", "contacts", "sticking", "sliding",
        "kinetic_energy", "potential_energy", "elastic_energy", "contact_energy", "friction_loss", "px", "py", "pz",
        "lx", "ly", "lz", "max_contact_depth", "wall"});
}

std::string bodies_header()
{
    return csv_header({"time", "body", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"});
}

RunFolder::RunFolder(
    const Scene& scene, const BuiltWorld& built, const RunOptions& options, std::map<std::string, std::string> tables)
    : scene_(scene)
    , built_(built)
    , folder_(options.folder)
    , series_(options.folder / "frames.pvd")
{
    std::map<std::string, std::string> names;
    const Scene own_scene = with_own_files(scene, names);
    scene_text_ = write_scene(own_scene);
    std::string content = write_scene(as_resumed(own_scene));
    Inputs inputs; // read before anything is removed: the scene may be this folder's own
    for (const auto& [file, own] : names)
        content += inputs[own] = read_file(checkpoint_of(options.scene_folder / file));
    scene_hash_ = hash_text(content);

    refuse_own_scene(folder_, options.scene_file, scene_text_);
    make_folder(folder_);
    lock_.emplace(folder_);
    sync_folder(fs::absolute(folder_).parent_path());
    if (options.resume)
        find_checkpoint(own_scene, inputs);
    if (!resumed_)
        refuse_or_clear(options.force || options.resume);
    if (!resumed_) {
        AtomicFile history(folder_ / mark);
        history.append(tables.at(mark));
        history.commit_to_disk();
    }
    for (const char* sub : {"inputs", "frames", "checkpoints"})
        make_folder(folder_ / sub);
    if (!resumed_) {
        for (const auto& [own, bytes] : inputs)
            write_file_atomically(folder_ / own, bytes);
    }
    write_file_atomically(folder_ / scene_name, scene_text_);
    remove_leftover_temporaries(folder_);
    remove_leftover_temporaries(folder_ / "frames");
    remove_leftover_temporaries(folder_ / "checkpoints");
    open_tables(std::move(tables));
}

void refuse_used_folder(const fs::path& folder)
{
    refuse_foreign_folder(folder);
    if (holds_run(folder))
        throw InputError(folder.string()
            + ": expected a new or empty folder, found a run; use --resume to continue it or --force to replace it");
}

void RunFolder::refuse_or_clear(bool force)
{
    refuse_foreign_folder(folder_);
    if (!force)
        refuse_used_folder(folder_);
    if (const std::string found = found_beside_run(folder_); !found.empty())
        throw InputError(folder_.string() + ": expected nothing but what runs write, found " + found
            + ", which no run wrote; move it away or choose another folder");
    std::error_code error;
    for (const char* name : run_files) {
        fs::remove_all(folder_ / name, error);
        if (error)
            throw FileError("cannot write " + (folder_ / name).string() + ": " + error.message());
    }
}

/// What is another in this run than in the one that is here, a phrase each.
std::vector<std::string> RunFolder::changes(const Scene& scene, const Inputs& inputs) const
{
    const fs::path own_scene = folder_ / scene_name;
    if (!fs::exists(own_scene))
        return {};
    const SceneResult read = read_scene_text(read_file(own_scene), own_scene.string());
    if (!read.good())
        return {"its scene.yaml cannot be read"};
    std::vector<std::string> found = scene_differences(as_resumed(read.scene), as_resumed(scene));
    for (const auto& [own, bytes] : inputs)
        if (found.empty() && (!fs::exists(folder_ / own) || read_file(folder_ / own) != bytes))
            found.push_back("the file " + own + " changed");
    return found;
}

void RunFolder::find_checkpoint(const Scene& own_scene, const Inputs& inputs)
{
    LatestCheckpoint latest = latest_valid_checkpoint(folder_ / "checkpoints");
    for (const DamagedCheckpoint& damaged : latest.damaged)
        complaints_.push_back("warning: checkpoint left out: " + damaged.reason);
    if (!latest.path)
        refuse_foreign_folder(folder_);
    if (!latest.path || latest.checkpoint.scene_hash != scene_hash_) {
        std::vector<std::string> changed = changes(own_scene, inputs);
        if (latest.path && changed.empty())
            changed.push_back("its checkpoints do not match its scene.yaml, or are from another version of stickslip");
        if (const std::string text = join(changed); !text.empty())
            throw InputError(folder_.string() + ": cannot resume: the scene changed (" + text
                + "). Only time.end, time.frame, output and expect may change" + exceptions(text)
                + "; use --force to start over");
    }
    if (!latest.path) { // stopped before the first one: starts anew
        if (!complaints_.empty())
            complaints_.push_back("warning: no usable checkpoint: the run starts from the beginning");
        else if (has_rows(folder_ / "history.csv"))
            complaints_.push_back("warning: no checkpoint in " + (folder_ / "checkpoints").string()
                + ": the run starts from the beginning");
        return;
    }
    if (latest.checkpoint.steered)
        throw InputError(folder_.string()
            + ": cannot resume: the run was steered from Python or C++, which the scene "
              "does not tell; a snapshot of the simulation goes on; use --force to start over");
    resumed_ = std::move(latest.checkpoint);
    take_back_frames();
}

/// To those of the checkpoint.
void RunFolder::take_back_frames()
{
    const fs::path list = folder_ / "frames.pvd";
    if (!fs::exists(list) && resumed_->frames_written == 0)
        return;
    if (fs::exists(list) && fs::file_size(list) == 0) {
        complaints_.push_back("warning: " + list.string() + " is empty (power cut?): a new one is written");
        return;
    }
    series_ = FrameSeries::read(list);
    std::set<std::string> later;
    for (std::size_t i = resumed_->frames_written; i < series_.frames().size(); ++i)
        for (const FramePart& part : series_.frames()[i].parts)
            if (fs::path(part.file).parent_path() == "frames")
                later.insert(part.file);
    series_.cut(resumed_->frames_written);
    series_.write();
    for (const FrameOfSeries& frame : series_.frames())
        for (const FramePart& part : frame.parts)
            later.erase(part.file);
    for (const std::string& file : later) // with other moments for frames they would not be written again
        fs::remove(folder_ / file);
}

void RunFolder::open_tables(std::map<std::string, std::string> headers)
{
    headers["log.txt"] = "";
    if (resumed_) {
        for (const FileLength& length :
            resumed_->files) // also what this run does not write: cut, and kept for a next one
            if (headers.contains(length.file) || fs::exists(folder_ / length.file))
                tables_[length.file] = std::make_unique<AppendFile>(folder_ / length.file, length.bytes);
    }
    for (const auto& [name, header] : headers) {
        if (tables_.contains(name))
            continue;
        if (!resumed_ && name == mark) { // is there
            tables_[name] = std::make_unique<AppendFile>(folder_ / name, header.size());
            continue;
        }
        tables_[name] = std::make_unique<AppendFile>(folder_ / name);
        tables_[name]->append(header);
    }
}

void RunFolder::append(const std::string& name, const std::string& row)
{
    table(name).append(row);
}

void RunFolder::flush()
{
    for (auto& [name, file] : tables_)
        file->flush();
}

void RunFolder::add_frame(double time, std::vector<FramePart> parts)
{
    series_.add(time, std::move(parts));
    series_.write();
}

void RunFolder::write_log(const std::string& line)
{
    table("log.txt").append(line + "\n");
    table("log.txt").flush();
}

void RunFolder::save(Checkpoint checkpoint)
{
    for (auto& [name, file] : tables_) {
        file->sync();
        checkpoint.files.push_back({name, file->size()});
    }
    if (frames_written() > 0)
        sync_file(folder_ / "frames.pvd");
    sync_folder(folder_);
    checkpoint.frames_written = frames_written();
    checkpoint.scene_hash = scene_hash_;
    checkpoint.bodies =
        checkpoint_bodies(scene_, built_, checkpoint.granular ? checkpoint.granular->time : checkpoint.state.time);
    save_checkpoint(checkpoint_path(folder_ / "checkpoints", checkpoint.totals.steps), checkpoint);
    prune_checkpoints(folder_ / "checkpoints");
}

void RunFolder::write_summary(const RunResult& result, int threads, const RunOptions& options)
{
    flush();
    AtomicFile file(folder_ / "summary.json");
    file.append(summary_json(scene_, built_, result, threads, options));
    file.commit_to_disk();
    lock_.reset();
}

} // namespace stickslip
