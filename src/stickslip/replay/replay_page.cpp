#include "stickslip/replay/replay_page.h"

#include "stickslip/math/check.h"
#include "stickslip/replay/round_off.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace stickslip {

/// web/dist/view.html, compiled in (CMakeLists.txt). The data go in place of `page_data_mark`.
std::string_view page_template();

namespace {

using Json = nlohmann::ordered_json;

// More rows of history than this are gathered: plots are a few hundred points wide.
constexpr std::size_t most_rows = 3000;
constexpr double base64_growth = 4.0 / 3;
constexpr std::string_view page_data_mark = "<!--replay-data-->";

Json number_json(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json box_json(const Bounds& box)
{
    if (!(box.min.array() <= box.max.array()).all())
        return nullptr;
    return {box.min.x(), box.min.y(), box.min.z(), box.max.x(), box.max.y(), box.max.z()};
}

/// By the units in which the page shows them.
Json round_off_json(const RunReading& run)
{
    const RoundOff least = round_off(run);
    return {{"m", least.length}, {"m/s", least.speed}, {"rad/s", least.spin}, {"J", least.energy}, {"N", least.force},
        {"N m", least.torque}, {"kg m/s", least.momentum}, {"kg m\u00b2/s", least.angular_momentum}};
}

std::string with_data(const std::string& data)
{
    const std::string_view page = page_template();
    const std::size_t mark = page.find(page_data_mark);
    STICKSLIP_ASSERT(mark != std::string_view::npos);
    return std::string(page.substr(0, mark)) + data + std::string(page.substr(mark + page_data_mark.size()));
}

std::string chunk_element(const std::string& id, const std::string& packed)
{
    return "<script type=\"text/plain\" id=\"" + id + "\">" + base64(packed) + "</script>\n";
}

/// Rows of a long table in buckets of `size`: of each bucket two rows, with the least and the largest of each column.
void append_envelope(const std::vector<double>& values, std::size_t size, bool is_time, std::string& out)
{
    for (std::size_t begin = 0; begin < values.size(); begin += size) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, values.size()));
        const auto [least, largest] = std::minmax_element(first, last);
        append_f32(is_time ? *first : *least, out);
        append_f32(is_time ? *(last - 1) : *largest, out);
    }
}

/// As they are, or an envelope of buckets of more than one.
void append_values(const std::vector<double>& values, std::size_t size, bool is_time, std::string& out)
{
    if (size > 1)
        return append_envelope(values, size, is_time, out);
    for (const double value : values)
        append_f32(value, out);
}

void append_columns(const CsvTable& table, Chunk& chunk)
{
    const std::size_t size = (table.rows + most_rows - 1) / most_rows;
    Json names = Json::array();
    for (const CsvColumn& column : table.columns) {
        if (column.numbers.size() != table.rows)
            continue;
        names.push_back(column.name);
        append_values(column.numbers, size, column.name == "time", chunk.arrays);
    }
    const std::size_t rows = size > 1 ? 2 * ((table.rows + size - 1) / size) : table.rows;
    chunk.contents["history"] = {{"columns", names}, {"rows", rows}, {"gathered", size}};
}

void append_track(const BodyTrack& track, Chunk& chunk)
{
    for (const double t : track.time)
        append_f32(t, chunk.arrays);
    for (const std::vector<Vec3>* column : {&track.x, &track.v, &track.w})
        for (int axis = 0; axis < 3; ++axis)
            for (const Vec3& value : *column)
                append_f32(value[axis], chunk.arrays);
}

/// The rows of each word of the table's key, as curves of their own.
void append_named(const RunReading& run, const NamedTable& named, Chunk& chunk)
{
    const CsvTable& table = run.*named.table;
    const CsvColumn* key = table.find(named.key);
    std::vector<std::string> words = key ? key->words : std::vector<std::string>();
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const std::string& word : words) {
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < table.rows; ++row)
            if (key->words[row] == word)
                rows.push_back(row);
        const std::size_t size = (rows.size() + most_rows - 1) / most_rows;
        Json columns = Json::array();
        for (const CsvColumn& column : table.columns) {
            if (column.numbers.size() != table.rows)
                continue;
            columns.push_back(column.name);
            std::vector<double> values;
            for (const std::size_t row : rows)
                values.push_back(column.numbers[row]);
            append_values(values, size, column.name == "time", chunk.arrays);
        }
        const std::size_t kept = size > 1 ? 2 * ((rows.size() + size - 1) / size) : rows.size();
        chunk.contents["loads"].push_back({{"table", named.name}, {"of", word}, {"columns", columns}, {"rows", kept}});
    }
}

/// Packs every `every`-th frame; stops as soon as the page would be larger than `most` bytes.
bool pack_below(const RunReading& run, std::size_t every, double most, ReplayPacker& packer,
    const std::function<void(std::size_t, std::size_t)>& progress)
{
    const std::vector<std::size_t> numbers = thinned(run.frames.size(), every);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        packer.add(run, numbers[i]);
        if (progress)
            progress(i + 1, numbers.size());
        if (base64_growth * static_cast<double>(packer.closed_bytes()) > most)
            return false;
    }
    return true;
}

} // namespace

std::vector<std::size_t> thinned(std::size_t frames, std::size_t every)
{
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < frames; i += every)
        numbers.push_back(i);
    if (frames > 0 && numbers.back() + 1 != frames)
        numbers.push_back(frames - 1);
    return numbers;
}

std::string pack_tables(const RunReading& run)
{
    Chunk chunk;
    append_columns(run.history, chunk);
    chunk.contents["tracks"] = Json::array();
    for (const BodyTrack& track : run.tracks) {
        chunk.contents["tracks"].push_back(track.time.size());
        append_track(track, chunk);
    }
    chunk.contents["loads"] = Json::array();
    for (const NamedTable& named : load_tables)
        append_named(run, named, chunk);
    append_named(run, packing_table, chunk);
    return compress_chunk(chunk);
}

Json replay_head(const RunReading& run, const ReplayPacker& packer, std::size_t every)
{
    Json head;
    head["format"] = 1;
    head["folder"] = folder_name(run);
    head["title"] = title_of(run);
    head["status"] = to_string(run.status);
    head["gravity"] = {run.scene.gravity.x(), run.scene.gravity.y(), run.scene.gravity.z()};
    head["explicit"] = run.scene.is_explicit;
    head["end"] = number_json(run.scene.end);
    head["times"] = packer.times();
    head["group"] = frames_of_group;
    head["frames_of_run"] = run.frames.size();
    head["every"] = every;
    head["ranges"] = {{"speed", packer.ranges().speed}, {"stress", packer.ranges().stress},
        {"depth", packer.ranges().depth}, {"force", packer.ranges().force}};
    head["round_off"] = round_off_json(run);
    head["recorded"] = {{"contacts", run.has_contacts()}, {"stress", packer.has_stress()}};
    head["bodies"] = Json::array();
    for (std::size_t b = 0; b < run.scene.bodies.size(); ++b)
        head["bodies"].push_back({{"name", run.scene.bodies[b].name}, {"kind", to_string(run.scene.bodies[b].kind)},
            {"plane", run.scene.bodies[b].is_plane}, {"coding", to_string(packer.coding(b))},
            {"box", box_json(packer.bounds(b))}, {"usual", box_json(packer.usual_bounds(b))}});
    const auto friction = [](double mu) { return std::isinf(mu) ? Json("inf") : number_json(mu); };
    head["friction"] = friction(run.scene.friction);
    head["pairs"] = Json::array();
    for (const RecordedScene::Pair& pair : run.scene.pairs)
        head["pairs"].push_back({{"bodies", pair.bodies}, {"friction", friction(pair.friction)}});
    head["summary"] = Json::parse(run.summary.empty() ? "null" : run.summary, nullptr, /*allow_exceptions=*/false);
    head["notes"] = run.notes;
    for (const std::string& note : packer.notes())
        head["notes"].push_back(note);
    return head;
}

namespace {

/// A run as the elements of a page. `prefix`: of their ids. page: takes frames and notes.
std::string pack_run(const RunReading& run, const PageOptions& options, const std::string& prefix,
    const std::function<void(std::size_t, std::size_t)>& progress, ReplayPage& page)
{
    const std::size_t frames = run.frames.size();
    const std::string tables = pack_tables(run); // they are not thinned with the frames
    const double fixed =
        static_cast<double>(page_template().size()) + base64_growth * static_cast<double>(tables.size());
    std::size_t every = 1;
    ReplayPacker packer(run);
    for (;;) {
        const std::size_t next_frames = thinned(frames, every + 1).size();
        const double most = next_frames >= options.fewest_frames ? options.most_bytes : options.most_bytes_ever;
        const double room = most - fixed;
        if (pack_below(run, every, std::max(room, 0.0), packer, progress) || next_frames < 3)
            break;
        const double done =
            static_cast<double>(packer.times().size()) / static_cast<double>(thinned(frames, every).size());
        const double needed = base64_growth * static_cast<double>(packer.closed_bytes()) / std::max(done * room, 1.0);
        every = std::max(every + 1, static_cast<std::size_t>(std::floor(static_cast<double>(every) * needed)));
        if (most == options.most_bytes) // as far as is allowed for a small page
            while (every > 2 && thinned(frames, every).size() < options.fewest_frames)
                --every;
        packer = ReplayPacker(run);
    }
    page = {.html = {}, .frames = packer.times().size(), .frames_of_run = frames, .notes = packer.notes()};
    std::string data;
    for (std::size_t k = 0; k < packer.groups(); ++k) {
        const PackedGroup group = packer.group(k);
        page.error = std::max(page.error, group.error);
        data += chunk_element(prefix + "group-" + std::to_string(k), group.bytes);
    }
    Json head = replay_head(run, packer, every);
    head["error"] = page.error;
    return "<script type=\"application/json\" id=\"" + prefix + "replay\">" + script_json(head) + "</script>\n"
        + chunk_element(prefix + "meshes", packer.meshes()) + chunk_element(prefix + "tables", tables) + data;
}

} // namespace

ReplayPage make_replay_page(
    const RunReading& run, const PageOptions& options, const std::function<void(std::size_t, std::size_t)>& progress)
{
    ReplayPage page, other;
    std::string data = pack_run(run, options, "", progress, page);
    if (options.ghost)
        data += pack_run(*options.ghost, options, "ghost-", progress, other);
    page.html = with_data(data);
    page.notes.insert(page.notes.end(), other.notes.begin(), other.notes.end());
    return page;
}

std::string live_replay_page()
{
    return with_data("<script type=\"application/json\" id=\"replay\">{\"live\":true}</script>\n");
}

} // namespace stickslip
