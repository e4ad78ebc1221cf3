#include "stickslip/replay/run_reading.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace stickslip {

namespace fs = std::filesystem;

namespace {

/// Runs `action`; a fault in the input becomes a note.
template <typename Action>
void note_faults(std::vector<std::string>& notes, const Action& action)
{
    try {
        action();
    } catch (const FileError& error) {
        notes.push_back(error.what());
    } catch (const InputError& error) {
        notes.push_back(error.what());
    }
}

CsvTable read_table(const fs::path& path, std::vector<std::string>& notes)
{
    CsvTable table;
    if (!fs::exists(path))
        return table;
    note_faults(notes, [&] {
        std::size_t broken = 0;
        table = read_csv(path, broken);
        if (broken > 0)
            notes.push_back(path.string() + ": " + std::to_string(broken) + " rows of another length left out");
    });
    return table;
}

// Rows of a region of a body are known as "beam.grip".
void name_regions(CsvTable& reactions)
{
    const CsvColumn* const regions = reactions.find("region");
    const auto bodies = std::ranges::find(reactions.columns, "body", &CsvColumn::name);
    if (!regions || bodies == reactions.columns.end())
        return;
    for (std::size_t row = 0; row < reactions.rows; ++row)
        if (!regions->words[row].empty())
            bodies->words[row] += "." + regions->words[row];
}

void read_summary(RunReading& run)
{
    const fs::path path = run.folder / "summary.json";
    if (!fs::exists(path))
        return;
    note_faults(run.notes, [&] {
        std::string text = read_file(path);
        const auto summary = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
        if (!summary.is_object())
            throw InputError(path.string() + ": expected the summary of a run, found something else");
        const auto status = summary.find("status");
        for (const RecordedStatus known : {RecordedStatus::done, RecordedStatus::failed, RecordedStatus::interrupted})
            if (status != summary.end() && *status == to_string(known))
                run.status = known;
        run.summary = std::move(text);
    });
}

// Without a scene the names of the table must do, which are in the order of the scene; else those of the first frame,
// where bodies drawn together have none: these are left out then. Kinds stay unknown.
void take_bodies_of_run(RunReading& run, const CsvTable& table)
{
    if (!run.scene.bodies.empty())
        return;
    const auto add = [&](const std::string& name) {
        if (run.scene.find(name) < 0)
            run.scene.bodies.push_back({.name = name, .kind = RecordedKind::unknown});
    };
    const CsvColumn* names = table.find("body");
    const std::vector<double>& times = table.numbers("time");
    for (std::size_t r = 0; names && r < times.size() && times[r] == times.front(); ++r)
        add(names->words[r]);
    if (!run.scene.bodies.empty() || run.frames.empty())
        return;
    for (FrameOfSeries& frame : run.frames)
        std::erase_if(frame.parts, holds_rigid_bodies);
    for (const FramePart& part : run.frames.front().parts)
        if (!holds_contacts(part))
            add(part.name);
}

std::vector<BodyTrack> tracks_of(const RecordedScene& scene, const CsvTable& table)
{
    std::vector<BodyTrack> tracks(scene.bodies.size());
    const CsvColumn* names = table.find("body");
    const char* columns[] = {"time", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"};
    const std::vector<double>* c[14];
    for (std::size_t i = 0; i < std::size(columns); ++i) {
        c[i] = &table.numbers(columns[i]);
        if (c[i]->empty() || !names)
            return tracks;
    }
    for (std::size_t r = 0; r < table.rows; ++r) {
        const auto value = [&](int i) { return (*c[i])[r]; };
        const int body = scene.find(names->words[r]);
        if (body < 0 || (!tracks[body].time.empty() && !(value(0) > tracks[body].time.back())))
            continue;
        tracks[body].time.push_back(value(0));
        tracks[body].x.emplace_back(value(1), value(2), value(3));
        tracks[body].q.emplace_back(value(4), value(5), value(6), value(7));
        tracks[body].v.emplace_back(value(8), value(9), value(10));
        tracks[body].w.emplace_back(value(11), value(12), value(13));
    }
    return tracks;
}

Vec3 vector_at(const VtkField* field, std::size_t i)
{
    return field && field->components == 3 ? Vec3(Vec3::Map(field->values.data() + 3 * i)) : Vec3(Vec3::Zero());
}

double number_at(const VtkField* field, std::size_t i, double missing)
{
    return field && field->components == 1 ? field->values[i] : missing;
}

std::vector<RecordedContact> contacts_of(const VtkContent& content, int body_count)
{
    const auto body_at = [&](const char* name, std::size_t i) {
        const double body = number_at(content.point_field(name), i, -1);
        return body >= 0 && body < body_count ? static_cast<int>(body) : -1;
    };
    std::vector<RecordedContact> contacts(content.points.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        RecordedContact& c = contacts[i];
        c.x = content.points[i];
        c.force = vector_at(content.point_field("force"), i);
        c.normal = vector_at(content.point_field("normal"), i);
        c.depth = number_at(content.point_field("depth"), i, nan);
        c.sticks = number_at(content.point_field("sticks"), i, 0) != 0;
        c.point_body = body_at("point_body", i);
        c.surface_body = body_at("surface_body", i);
        c.node = static_cast<int>(std::clamp(number_at(content.point_field("node"), i, -1), -1.0, 2e9));
    }
    return contacts;
}

bool is_numbered(const FramePart& part, std::string_view begin)
{
    const std::string stem = fs::path(part.file).stem().string();
    return stem.starts_with(begin) && stem.find_first_not_of("0123456789", begin.size()) == std::string::npos;
}

// The points of each body stand together, numbered by the field `body`; other bodies' points and fields are left out.
std::vector<RecordedShape> split_by_body(const VtkContent& all, std::size_t body_count, const std::vector<bool>* wanted)
{
    const VtkField* body_field = all.point_field("body");
    if (!body_field || body_field->components != 1)
        throw InputError("the points of rigid bodies do not say which body they belong to");
    std::vector<int> shape_of_body(body_count, -1), shape(all.points.size(), -1), place(all.points.size());
    std::vector<RecordedShape> shapes;
    for (std::size_t i = 0; i < all.points.size(); ++i) {
        const double number = body_field->values[i];
        if (!(number >= 0 && number < static_cast<double>(body_count)))
            throw InputError("a point belongs to a body that is not in the scene");
        const std::size_t body = static_cast<std::size_t>(number);
        if (wanted && !(*wanted)[body])
            continue;
        if (shape_of_body[body] < 0) {
            shape_of_body[body] = static_cast<int>(shapes.size());
            shapes.push_back({.body = static_cast<int>(body), .content = {}});
            for (const VtkField& field : all.point_fields)
                if (&field != body_field)
                    shapes.back().content.point_fields.push_back({field.name, field.components, {}});
        }
        shape[i] = shape_of_body[body];
        VtkContent& own = shapes[shape[i]].content;
        place[i] = static_cast<int>(own.points.size());
        own.points.push_back(all.points[i]);
        auto to = own.point_fields.begin();
        for (const VtkField& field : all.point_fields)
            if (&field != body_field) {
                const auto from = field.values.begin() + static_cast<std::ptrdiff_t>(i) * field.components;
                to->values.insert(to->values.end(), from, from + field.components);
                ++to;
            }
    }
    for (const Triangle& t : all.triangles)
        if (shape[t[0]] >= 0 && shape[t[0]] == shape[t[1]] && shape[t[0]] == shape[t[2]])
            shapes[shape[t[0]]].content.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
    return shapes;
}

/// Whether any of these may be in the file of all rigid bodies.
bool any_rigid(const RecordedScene& scene, const std::vector<bool>& bodies)
{
    constexpr RecordedKind apart[] = {RecordedKind::deformable, RecordedKind::obstacle, RecordedKind::mpm};
    for (std::size_t b = 0; b < bodies.size(); ++b)
        if (bodies[b] && std::ranges::find(apart, scene.bodies[b].kind) == std::end(apart))
            return true;
    return false;
}

// What contacts.csv of an older run knows and its frames do not. Its rows stand in the order of the frame's points.
void complete_contacts(const RunReading& run, double time, std::vector<RecordedContact>& contacts)
{
    const std::vector<double>& times = run.contacts.numbers("time");
    const auto [first, last] = std::equal_range(times.begin(), times.end(), time);
    const CsvColumn* point_body = run.contacts.find("point_body");
    const CsvColumn* surface_body = run.contacts.find("surface_body");
    const std::vector<double>&depth = run.contacts.numbers("depth"), &node = run.contacts.numbers("node");
    if (static_cast<std::size_t>(last - first) != contacts.size() || !point_body || !surface_body || depth.empty()
        || node.empty())
        return;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const std::size_t row = static_cast<std::size_t>(first - times.begin()) + i;
        contacts[i].point_body = run.scene.find(point_body->words[row]);
        contacts[i].surface_body = run.scene.find(surface_body->words[row]);
        contacts[i].depth = depth[row];
        contacts[i].node = static_cast<int>(std::isfinite(node[row]) ? std::clamp(node[row], -1.0, 2e9) : -1);
    }
}

} // namespace

const char* to_string(RecordedStatus status)
{
    switch (status) {
    case RecordedStatus::done:
        return "done";
    case RecordedStatus::failed:
        return "failed";
    case RecordedStatus::interrupted:
        return "interrupted";
    case RecordedStatus::unfinished:
        break;
    }
    return "unfinished";
}

int BodyTrack::at(double t) const
{
    const auto found = std::lower_bound(time.begin(), time.end(), t);
    return found != time.end() && *found == t ? static_cast<int>(found - time.begin()) : -1;
}

double RunReading::last_time() const
{
    const std::vector<double>& times = history.numbers("time");
    return std::max(times.empty() ? 0 : times.back(), frames.empty() ? 0 : frames.back().time);
}

bool RunReading::has_contacts() const
{
    return std::any_of(frames.begin(), frames.end(),
        [](const FrameOfSeries& frame) { return std::any_of(frame.parts.begin(), frame.parts.end(), holds_contacts); });
}

bool holds_contacts(const FramePart& part)
{
    return is_numbered(part, "contacts_");
}

bool holds_rigid_bodies(const FramePart& part)
{
    return is_numbered(part, "rigid_bodies_");
}

namespace {

bool holds_run(const fs::path& folder)
{
    return fs::exists(folder / "scene.yaml") || fs::exists(folder / "frames.pvd") || fs::exists(folder / "history.csv");
}

/// Of a place without a run, and where one may be: beside the scene, in the folders of a sweep.
[[noreturn]] void refuse_without_run(const fs::path& place)
{
    std::string why = "No such file or directory";
    const fs::path beside = fs::path(place).replace_extension(".out");
    std::error_code untold;
    if (fs::exists(place) && !fs::is_directory(place))
        why = "expected a run folder, found a file"
            + (fs::is_directory(beside, untold) && holds_run(beside) ? "; there is a run in " + beside.string() : "");
    else if (fs::exists(place)) {
        why = "there is no run in it (no scene.yaml, frames.pvd or history.csv)";
        std::vector<std::string> runs;
        for (const fs::directory_entry& entry : fs::directory_iterator(place))
            if (entry.is_directory() && holds_run(entry.path()))
                runs.push_back(entry.path().string());
        std::ranges::sort(runs);
        for (std::size_t i = 0; i < std::min<std::size_t>(runs.size(), 5); ++i)
            why += (i == 0 ? "; there are runs in " : ", ") + runs[i];
        why += runs.size() > 5 ? " ..." : "";
    }
    throw FileError("cannot read " + place.string() + ": " + why);
}

} // namespace

std::string folder_name(const RunReading& run)
{
    const fs::path path = fs::absolute(run.folder).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string title_of(const RunReading& run)
{
    return run.scene.title.empty() ? folder_name(run) : run.scene.title;
}

RunReading read_run(const fs::path& folder)
{
    RunReading run{.folder = folder};
    const auto has = [&](const char* name) { return fs::exists(folder / name); };
    if (!fs::is_directory(status_of(folder)) || !holds_run(folder))
        refuse_without_run(folder);
    if (has("scene.yaml"))
        note_faults(run.notes, [&] { run.scene = read_recorded_scene(folder / "scene.yaml"); });
    else
        run.notes.push_back("There is no scene.yaml: kinds of bodies and friction are not known.");
    if (has("frames.pvd"))
        note_faults(run.notes, [&] { run.frames = FrameSeries::read(folder / "frames.pvd").frames(); });
    run.history = read_table(folder / "history.csv", run.notes);
    run.balance = read_table(folder / "balance.csv", run.notes);
    run.contacts = read_table(folder / "contacts.csv", run.notes);
    if (has("packing.csv"))
        run.packing = read_table(folder / "packing.csv", run.notes);
    for (const NamedTable& named : load_tables)
        run.*named.table = read_table(folder / (std::string(named.name) + ".csv"), run.notes);
    name_regions(run.reactions);
    const CsvTable bodies = read_table(folder / "bodies.csv", run.notes);
    take_bodies_of_run(run, bodies);
    run.tracks = tracks_of(run.scene, bodies);
    read_summary(run);
    return run;
}

RecordedFrame read_frame(const RunReading& run, std::size_t number, const std::vector<bool>* wanted, VtkPart of)
{
    const FrameOfSeries& series = run.frames.at(number);
    RecordedFrame frame{.time = series.time, .shapes = {}, .contacts = {}, .notes = {}};
    for (const FramePart& part : series.parts) {
        const bool contacts = holds_contacts(part), rigid = holds_rigid_bodies(part);
        const int body = contacts || rigid ? -1 : run.scene.find(part.name);
        if (contacts    ? of == VtkPart::places
                : rigid ? wanted && !any_rigid(run.scene, *wanted)
                        : body < 0 || (wanted && !(*wanted)[body]))
            continue;
        note_faults(frame.notes, [&] {
            VtkContent content = read_vtk_content(run.folder / part.file, of);
            if (rigid) {
                for (RecordedShape& shape : split_by_body(content, run.scene.bodies.size(), wanted))
                    frame.shapes.push_back(std::move(shape));
                return;
            }
            if (!contacts) {
                frame.shapes.push_back({.body = body, .content = std::move(content)});
                return;
            }
            frame.contacts = contacts_of(content, static_cast<int>(run.scene.bodies.size()));
            if (!content.point_field("point_body"))
                complete_contacts(run, frame.time, frame.contacts);
        });
    }
    return frame;
}

} // namespace stickslip
