#include "stickslip/plot/quantities.h"

#include "stickslip/math/error.h"
#include "stickslip/math/types.h"
#include "stickslip/scene/text/scene_reading.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>

namespace stickslip {

namespace {

struct Measure {
    std::string_view column, kind, unit;
};

constexpr Measure history_measures[] = {{"dt", "time step", "s"}, {"newton", "iterations", ""},
    {"krylov", "iterations", ""}, {"residual", "residual", "m/s"}, {"contacts", "contacts", ""},
    {"sticking", "contacts", ""}, {"sliding", "contacts", ""}, {"kinetic_energy", "energy", "J"},
    {"potential_energy", "energy", "J"}, {"elastic_energy", "energy", "J"}, {"contact_energy", "energy", "J"},
    {"friction_loss", "energy", "J"}, {"total_energy", "energy", "J"}, {"px", "momentum", "kg m/s"},
    {"py", "momentum", "kg m/s"}, {"pz", "momentum", "kg m/s"}, {"momentum", "momentum", "kg m/s"},
    {"lx", "angular momentum", "kg m²/s"}, {"ly", "angular momentum", "kg m²/s"}, {"lz", "angular momentum", "kg m²/s"},
    {"angular_momentum", "angular momentum", "kg m²/s"}, {"max_contact_depth", "contact depth", "m"},
    {"wall", "wall time", "s"}};

/// Whether a column of the history tells of the equations of a step.
bool is_of_solve(std::string_view column)
{
    return column == "newton" || column == "krylov" || column == "residual";
}

constexpr Measure body_measures[] = {{"x", "position", "m"}, {"y", "position", "m"}, {"z", "position", "m"},
    {"qw", "rotation", ""}, {"qx", "rotation", ""}, {"qy", "rotation", ""}, {"qz", "rotation", ""},
    {"vx", "velocity", "m/s"}, {"vy", "velocity", "m/s"}, {"vz", "velocity", "m/s"},
    {"wx", "angular velocity", "rad/s"}, {"wy", "angular velocity", "rad/s"}, {"wz", "angular velocity", "rad/s"},
    {"speed", "velocity", "m/s"}, {"spin", "angular velocity", "rad/s"}, {"distance", "distance", "m"}};

constexpr Measure packing_measures[] = {{"spheres", "spheres", ""}, {"solid_fraction", "solid fraction", ""},
    {"coordination", "contacts of a sphere", ""}, {"mechanical_coordination", "contacts of a sphere", ""},
    {"rattlers", "spheres", ""}, {"vx", "velocity", "m/s"}, {"vy", "velocity", "m/s"}, {"vz", "velocity", "m/s"},
    {"stress_xx", "stress", "Pa"}, {"stress_yy", "stress", "Pa"}, {"stress_zz", "stress", "Pa"},
    {"stress_xy", "stress", "Pa"}, {"stress_xz", "stress", "Pa"}, {"stress_yz", "stress", "Pa"},
    {"fabric_xx", "fabric", ""}, {"fabric_yy", "fabric", ""}, {"fabric_zz", "fabric", ""}, {"fabric_xy", "fabric", ""},
    {"fabric_xz", "fabric", ""}, {"fabric_yz", "fabric", ""}};

constexpr Measure load_measures[] = {{"contacts", "contacts", ""}, {"fx", "force", "N"}, {"fy", "force", "N"},
    {"fz", "force", "N"}, {"tx", "torque", "N m"}, {"ty", "torque", "N m"}, {"tz", "torque", "N m"},
    {"force", "force", "N"}, {"torque", "torque", "N m"}, {"normal_sum", "force", "N"}, {"normal_x", "force", "N"},
    {"normal_y", "force", "N"}, {"normal_z", "force", "N"}, {"friction_x", "force", "N"}, {"friction_y", "force", "N"},
    {"friction_z", "force", "N"}, {"torque_x", "torque", "N m"}, {"torque_y", "torque", "N m"},
    {"torque_z", "torque", "N m"}, {"normal", "force", "N"}, {"friction", "force", "N"}};

Measure balance_measure(std::string_view column)
{
    if (column.starts_with("momentum"))
        return {column, "momentum a step", "N s"};
    if (column.starts_with("angular"))
        return {column, "angular momentum a step", "N m s"};
    return {column, "energy a step", "J"};
}

std::vector<double> sum_of(const CsvTable& table, std::initializer_list<const char*> columns)
{
    std::vector<double> sum(table.rows, 0);
    for (const char* column : columns)
        for (std::size_t row = 0; row < table.rows; ++row)
            sum[row] += table.find(column) ? table.numbers(column)[row] : nan;
    return sum;
}

std::vector<double> norm_of(const CsvTable& table, const char* x, const char* y, const char* z)
{
    std::vector<double> norm(table.rows, nan);
    if (table.find(x) && table.find(y) && table.find(z))
        for (std::size_t row = 0; row < table.rows; ++row)
            norm[row] = Vec3(table.numbers(x)[row], table.numbers(y)[row], table.numbers(z)[row]).norm();
    return norm;
}

std::vector<double> table_values(const CsvTable& table, const std::string& column)
{
    if (column == "total_energy")
        return sum_of(table, {"kinetic_energy", "potential_energy", "elastic_energy", "contact_energy"});
    if (column == "momentum")
        return norm_of(table, "px", "py", "pz");
    if (column == "angular_momentum")
        return norm_of(table, "lx", "ly", "lz");
    if (column == "force")
        return norm_of(table, "fx", "fy", "fz");
    if (column == "torque")
        return table.find("tx") ? norm_of(table, "tx", "ty", "tz") : norm_of(table, "torque_x", "torque_y", "torque_z");
    if (column == "normal")
        return norm_of(table, "normal_x", "normal_y", "normal_z");
    if (column == "friction")
        return norm_of(table, "friction_x", "friction_y", "friction_z");
    return sum_of(table, {column.c_str()});
}

double body_value(const BodyTrack& track, std::size_t row, std::string_view column)
{
    const Vec3 &x = track.x[row], &v = track.v[row], &w = track.w[row];
    if (column == "speed")
        return v.norm();
    if (column == "spin")
        return w.norm();
    if (column == "distance")
        return (x - track.x.front()).norm();
    const int axis = column.back() - 'x';
    if (column == "qw")
        return track.q[row].w();
    return column.size() == 1   ? x[axis]
        : column.front() == 'v' ? v[axis]
        : column.front() == 'w' ? w[axis]
                                : track.q[row].vec()[axis];
}

const std::string packing_prefix = "packing.";

/// Whether a table of loads has a measure: as a column, or the components of it.
bool measures(const CsvTable& table, const Measure& m)
{
    const std::string column(m.column);
    if (column == "force")
        return table.find("fx");
    if (column == "torque")
        return table.find("tx") || table.find("torque_x");
    return table.find(column) || table.find(column + "_x");
}

/// Why a run may lack a table of loads or of a packing; what to write for it.
struct EmptyTable {
    std::string_view name;
    CsvTable RunReading::*table;
    const char* why;
};
constexpr EmptyTable empty_tables[] = {
    {"pairs.", &RunReading::pairs,
        "pairs of bodies are recorded with `output.contacts: true`, chosen ones by `output.probes` too"},
    {"probes.", &RunReading::probes, "its scene has no `output.probes`"},
    {"reactions.", &RunReading::reactions, "none of its bodies has `fix` or `fixed_dofs`"},
    {"packing.", &RunReading::packing, "only spheres in explicit steps have a packing"}};

/// Whether a table has a number of a measure in the rows of `word`.
bool has_values(const CsvTable& table, const char* key, const std::string& word, const Measure& m)
{
    const std::vector<double> values = table_values(table, std::string(m.column));
    const std::vector<std::string>& words = table.find(key)->words;
    for (std::size_t row = 0; row < values.size(); ++row)
        if (words[row] == word && std::isfinite(values[row]))
            return true;
    return false;
}

/// At most so many of the names that contain what is asked for, first those that begin with it.
std::vector<std::string> names_with(const std::string& asked, const std::vector<std::string>& names, std::size_t most)
{
    std::vector<std::string> found;
    for (const bool begins : {true, false})
        for (const std::string& name : names)
            if (name.find(asked) != std::string::npos && name.starts_with(asked) == begins && found.size() < most)
                found.push_back(name);
    return found;
}

/// Where bodies.csv has a body at this time, nan when it has not.
Vec3 place_at(const RunReading& run, const std::string& body, double time)
{
    const BodyTrack& track = run.tracks[static_cast<std::size_t>(run.scene.find(body))];
    const int row = track.at(time);
    return row < 0 ? Vec3(Vec3::Constant(nan)) : track.x[static_cast<std::size_t>(row)];
}

/// Names in a column of words, each once.
std::set<std::string> names_in(const CsvTable& table, const char* key)
{
    const CsvColumn* column = table.find(key);
    return column ? std::set<std::string>(column->words.begin(), column->words.end()) : std::set<std::string>();
}

} // namespace

RunTables::RunTables(const std::filesystem::path& folder)
    : run_(read_run(folder))
{
    const auto add = [&](const std::string& of, const Measure& m) {
        quantities_.push_back({of + std::string(m.column), std::string(m.kind), std::string(m.unit)});
    };
    for (const Measure& m : history_measures)
        if (!run_.scene.is_explicit || !is_of_solve(m.column))
            add("", m);
    for (const CsvColumn& column : run_.balance.columns)
        if (column.name != "time")
            add("balance.", balance_measure(column.name));
    for (const std::string& region : names_in(run_.packing, "region"))
        for (const Measure& m : packing_measures)
            if (has_values(run_.packing, "region", region, m))
                add(packing_prefix + region + ".", m);
    for (const NamedTable& named : load_tables)
        for (const std::string& of : names_in(run_.*named.table, named.key))
            for (const Measure& m : load_measures)
                if (measures(run_.*named.table, m))
                    add(std::string(named.name) + "." + of + ".", m);
    for (const RecordedBody& body : run_.scene.bodies)
        for (const Measure& m : body_measures)
            add(body.name + ".", m);
}

std::string RunTables::name_list() const
{
    constexpr int most_of_group = 160; // heaps have loads on thousands of bodies
    std::string text, group, bodies;
    int count = 0;
    for (const Quantity& quantity : quantities_) {
        const std::size_t dot = quantity.name.find('.');
        const std::string of = dot == std::string::npos ? "" : quantity.name.substr(0, dot);
        if (run_.scene.find(of) >= 0)
            continue;
        count = of == group ? count + 1 : 0;
        if (count > most_of_group)
            continue;
        text += text.empty() ? "  " : of == group ? " " : "\n  ";
        text += count == most_of_group ? "..." : quantity.name;
        group = of;
    }
    for (const RecordedBody& body : run_.scene.bodies)
        bodies += (bodies.empty() ? "" : ", ") + body.name;
    if (!bodies.empty()) {
        text += "\n  BODY.x";
        for (const Measure& m : body_measures)
            text += m.column == "x" ? "" : " ." + std::string(m.column);
        text += "  with BODY one of: " + bodies;
    }
    return text + "\n";
}

std::string RunTables::no_such_name(const std::string& name, const std::vector<std::string>& names) const
{
    constexpr std::size_t most = 10;
    const std::string where = folder().string(), all = std::to_string(names.size());
    std::string text = where + ": there is no \"" + name + "\" in this run";
    if (run_.scene.is_explicit && is_of_solve(name))
        return text + ": its explicit steps solve no equations";
    for (const EmptyTable& table : empty_tables)
        if ((run_.*table.table).rows == 0
            && (name.starts_with(table.name) || (table.name == "pairs." && name.find('+') != std::string::npos)))
            return text + ": " + table.why;
    if (name.starts_with(packing_prefix + "all.solid") || name.starts_with(packing_prefix + "all.stress"))
        return text + ": without a periodic box the whole has no volume; regions (`output.regions`) have one";
    const std::vector<std::string> askable = with_short_names(names);
    std::vector<std::string> near = names_with(name, names, most);
    text += near.size() == 1 ? "; did you mean \"" + near[0] + "\"?" : near.empty() ? did_you_mean(name, askable) : "";
    for (const std::string& word : nearest_words(name, askable, most))
        if (near.size() < most && std::ranges::count(near, word) == 0)
            near.push_back(word);
    if (near.empty())
        near.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
    std::string list;
    for (const std::string& one : near)
        list += (list.empty() ? "" : ", ") + one;
    return text + "\nsome of its " + all + " names: " + list + "\nall of them: stickslip plot " + where + " --list";
}

/// "TABLE.ROW.COLUMN": of the rows that have the word ROW in the column `key`.
void RunTables::take_named(const CsvTable& table, const char* key, const std::string& name, Track& track) const
{
    const std::size_t first = name.find('.') + 1, dot = name.rfind('.');
    const std::string word = name.substr(first, dot - first);
    const std::vector<std::string>& words = table.find(key)->words;
    const std::vector<double>& times = table.numbers("time");
    const std::vector<double> values = table_values(table, name.substr(dot + 1));
    for (std::size_t row = 0; row < std::min(times.size(), values.size()); ++row) {
        if (words[row] == word) {
            track.time.push_back(times[row]);
            track.value.push_back(values[row]);
        }
    }
}

Track RunTables::track(const std::string& asked) const
{
    std::vector<std::string> names;
    for (const Quantity& q : quantities_)
        names.push_back(q.name);
    const std::string given(present_name(asked));
    const std::string name = full_name(given, names);
    if (!name.empty())
        return known_track(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
    std::vector<std::string> bodies;
    for (const RecordedBody& body : run_.scene.bodies)
        bodies.push_back(body.name);
    const std::optional<TurnedPair> turned = turned_pair(given, names, bodies);
    if (!turned)
        throw InputError(no_such_name(given, names));
    return turned_track(*turned);
}

/// The vector whose components are known as `stem` and x, y, z.
std::vector<Vec3> RunTables::vectors(const std::string& stem) const
{
    std::vector<Vec3> values;
    for (int axis = 0; axis < 3; ++axis) {
        const Track component = track(stem + "xyz"[axis]);
        values.resize(component.value.size());
        for (std::size_t row = 0; row < values.size(); ++row)
            values[row][axis] = component.value[row];
    }
    return values;
}

/// A column of a pair, as it is for the second of the two: the opposite force, and the torque about its own place.
Track RunTables::turned_track(const TurnedPair& asked) const
{
    const std::size_t dot = asked.name.rfind('.') + 1;
    const std::string pair = asked.name.substr(0, dot), column = asked.name.substr(dot);
    Track turned = track(asked.name);
    turned.quantity.name = "pairs." + asked.second + "+" + asked.first + "." + column;
    if (column == "contacts" || column == "force")
        return turned;
    const std::vector<Vec3> force = vectors(pair + "f"), torque = vectors(pair + "t");
    for (std::size_t row = 0; row < turned.time.size(); ++row) {
        const double time = turned.time[row];
        const Vec3 arm = place_at(run_, asked.first, time) - place_at(run_, asked.second, time);
        const Vec3 own = -(torque[row] + arm.cross(force[row]));
        turned.value[row] = column == "torque" ? own.norm()
            : column[0] == 'f'                 ? -force[row][column[1] - 'x']
                                               : own[column[1] - 'x'];
    }
    return turned;
}

Track RunTables::known_track(std::size_t index) const
{
    const std::string& name = quantities_[index].name;
    Track track{.quantity = quantities_[index], .time = {}, .value = {}};
    const std::size_t dot = name.rfind('.');
    if (name.starts_with(packing_prefix)) {
        take_named(run_.packing, "region", name, track);
        return track;
    }
    for (const NamedTable& named : load_tables) {
        if (name.starts_with(std::string(named.name) + ".") && name.find('.') != dot) { // else of a body of this name
            take_named(run_.*named.table, named.key, name, track);
            return track;
        }
    }
    const std::string column = dot == std::string::npos ? name : name.substr(dot + 1);
    const int body = dot == std::string::npos ? -1 : run_.scene.find(name.substr(0, dot));
    if (body < 0) {
        const CsvTable& table = dot == std::string::npos ? run_.history : run_.balance;
        track.time = table.numbers("time");
        track.value = table_values(table, column);
        track.time.resize(track.value.size(), nan);
        return track;
    }
    const BodyTrack& rows = run_.tracks[static_cast<std::size_t>(body)];
    track.time = rows.time;
    for (std::size_t row = 0; row < rows.time.size(); ++row)
        track.value.push_back(body_value(rows, row, column));
    return track;
}

} // namespace stickslip
