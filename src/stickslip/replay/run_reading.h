#pragma once

#include "stickslip/files/csv_table.h"
#include "stickslip/files/frame_series.h"
#include "stickslip/files/meshes/vtk_content.h"
#include "stickslip/replay/recorded_scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// Outcome of a run, as far as its folder tells.
enum class RecordedStatus {
    done,
    failed, // the solver gave up
    interrupted,
    unfinished // no summary: it is still running, or was killed
};
const char* to_string(RecordedStatus status);

/// The rows of bodies.csv that belong to one body, times rising. All vectors have the same length.
struct BodyTrack {
    std::vector<double> time; // [s]
    std::vector<Vec3> x; // [m] centre of mass; of an obstacle: its origin
    std::vector<Quat> q; // [-] body to world
    std::vector<Vec3> v, w; // [m/s], [rad/s]

    /// Index of the row at this time, -1 when there is none.
    int at(double t) const;
};

/// A run folder but its frames, which are read one by one (read_frame). What could not be read is empty and noted.
struct RunReading {
    std::filesystem::path folder;
    RecordedScene scene;
    RecordedStatus status = RecordedStatus::unfinished;
    std::vector<FrameOfSeries> frames;
    std::vector<BodyTrack> tracks; // one a body of the scene
    CsvTable history, balance, contacts, packing, walls, reactions, pairs, probes;
    std::string summary; // JSON text of summary.json; empty when there is none
    std::vector<std::string> notes; // what is missing or damaged, a sentence each

    double last_time() const; // [s] of the last frame or row; 0 when there is none
    /// Some frame tells of contacts: without one nothing is known of these.
    bool has_contacts() const;
};

/// Of its folder, however that is written: "slope.out" of slope.out/ too.
std::string folder_name(const RunReading& run);
/// Its title, or else the name of its folder.
std::string title_of(const RunReading& run);

/// A table whose rows belong to what a column of words names: to bodies (of reactions also "beam.grip", a region of
/// `fix`), pairs, probes, regions.
struct NamedTable {
    const char* name; // of the file, without its ending
    const char* key; // the column of words
    CsvTable RunReading::*table;
};
/// Those of a run folder with forces and torques.
inline constexpr NamedTable load_tables[] = {{"walls", "body", &RunReading::walls},
    {"reactions", "body", &RunReading::reactions}, {"pairs", "pair", &RunReading::pairs},
    {"probes", "probe", &RunReading::probes}};
inline constexpr NamedTable packing_table = {"packing", "region", &RunReading::packing};

/// Reads a folder in any state: finished, interrupted, still growing, damaged in parts.
/// Errors: FileError when there is no run in it.
RunReading read_run(const std::filesystem::path& folder);

struct RecordedContact {
    Vec3 x = Vec3::Zero(); // [m]
    Vec3 normal = Vec3::Zero(); // [-] of the surface, towards the point side
    Vec3 force = Vec3::Zero(); // [N] on the point side
    double depth = nan; // [m] nan: not recorded
    bool sticks = false;
    int point_body = -1, surface_body = -1; // in the order of the scene; -1: not recorded
    int node = -1; // of the point body; -1: not recorded
};

struct RecordedShape {
    int body = -1; // in the order of the scene
    VtkContent content;
};

struct RecordedFrame {
    double time = 0; // [s]
    std::vector<RecordedShape> shapes; // those that could be read
    std::vector<RecordedContact> contacts;
    std::vector<std::string> notes; // what could not be read
};

/// Reads the files of frame `number`; `wanted` leaves bodies out (by their index in the scene), null: all. Of `places`
/// alone there are no contacts.
/// Pre: number < run.frames.size().  A file that is missing or damaged is left out and noted.
RecordedFrame read_frame(
    const RunReading& run, std::size_t number, const std::vector<bool>* wanted = nullptr, VtkPart part = VtkPart::all);

/// The file of the contacts, or of all rigid bodies together, not of a body.
bool holds_contacts(const FramePart& part);
bool holds_rigid_bodies(const FramePart& part);

} // namespace stickslip
