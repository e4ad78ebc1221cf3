#include "stickslip/build/restart/checkpoint.h"

#include "stickslip/build/restart/granular_checkpoint.h"
#include "stickslip/build/restart/totals_bytes.h"
#include "stickslip/files/atomic_file.h"
#include "stickslip/files/checkpoint_bytes.h"
#include "stickslip/math/check.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include <zlib.h>

namespace stickslip {

namespace {

// File: head, then payload. Head: magic, format version (32 bits), CRC-32 of the payload (32), length of the payload
// (64). Payload: parts in the order of `parts` below, each a tag of four letters, its length (64 bits) and its content.
// All little-endian.
constexpr std::string_view magic("\x89SSCKPT\n", 8); // not text; a transfer in text mode alters it
constexpr std::size_t head_size = 24;
constexpr std::uint32_t format_version = 24; // raise with any change of what is stored

std::uint32_t checksum(std::string_view bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void put_clock(ByteWriter& to, const Checkpoint& c)
{
    to.number(c.state.time);
    to.integer(static_cast<std::uint64_t>(c.state.clock.whole));
    to.integer(static_cast<std::uint64_t>(c.state.clock.sub));
    to.integer(static_cast<std::uint32_t>(c.state.clock.level));
    to.number(c.state.clock.next_dt);
}
void get_clock(ByteReader& from, Checkpoint& c)
{
    c.state.time = from.number();
    c.state.clock.whole = static_cast<std::int64_t>(from.integer<std::uint64_t>());
    c.state.clock.sub = static_cast<std::int64_t>(from.integer<std::uint64_t>());
    c.state.clock.level = static_cast<std::int32_t>(from.integer<std::uint32_t>());
    c.state.clock.next_dt = from.number();
}

void put_nodes(ByteWriter& to, const Checkpoint& c)
{
    to.vectors(c.state.x);
    to.vectors(c.state.v);
    to.vectors(c.state.a);
}
void get_nodes(ByteReader& from, Checkpoint& c)
{
    c.state.x = from.vectors();
    c.state.v = from.vectors();
    c.state.a = from.vectors();
}

void put_rigid(ByteWriter& to, const Checkpoint& c)
{
    to.integer<std::uint64_t>(c.state.rigid.size());
    for (const RigidState& r : c.state.rigid) {
        for (const double* value : {&r.R.w(), &r.R.x(), &r.R.y(), &r.R.z()})
            to.number(*value);
        for (const Vec3* value : {&r.x, &r.v, &r.w, &r.a, &r.alpha})
            to.vector(*value);
    }
}
void get_rigid(ByteReader& from, Checkpoint& c)
{
    constexpr std::size_t numbers = 4 + 5 * 3;
    c.state.rigid.resize(from.count(numbers * sizeof(double)));
    for (RigidState& r : c.state.rigid) {
        for (double* value : {&r.R.w(), &r.R.x(), &r.R.y(), &r.R.z()})
            *value = from.number();
        for (Vec3* value : {&r.x, &r.v, &r.w, &r.a, &r.alpha})
            *value = from.vector();
    }
}

void put_mpm(ByteWriter& to, const Checkpoint& c)
{
    const MpmState& s = c.state.mpm;
    to.vectors(s.x);
    to.vectors(s.v);
    to.vectors(s.a);
    to.vectors(s.thinned);
    for (std::size_t p = 0; p < s.x.size(); ++p) {
        for (const Mat3* value : {&s.C[p], &s.point[p].F})
            for (int column = 0; column < 3; ++column)
                to.vector(value->col(column));
        to.number(s.point[p].plastic);
    }
}
void get_mpm(ByteReader& from, Checkpoint& c)
{
    MpmState& s = c.state.mpm;
    s.x = from.vectors();
    s.v = from.vectors();
    s.a = from.vectors();
    s.thinned = from.vectors();
    s.C.resize(s.x.size());
    s.point.resize(s.x.size());
    for (std::size_t p = 0; p < s.x.size(); ++p) {
        for (Mat3* value : {&s.C[p], &s.point[p].F})
            for (int column = 0; column < 3; ++column)
                value->col(column) = from.vector();
        s.point[p].plastic = from.number();
    }
}

void put_attachments(ByteWriter& to, const Checkpoint& c)
{
    to.integer<std::uint64_t>(c.state.attachments.size());
    for (const Attachment& a : c.state.attachments) {
        const AttachmentNumbers at = numbers(a.to);
        for (const int value :
            {a.point_body, a.surface_body, a.point, a.slot, static_cast<int>(a.to.index()), at.piece})
            to.integer(static_cast<std::uint32_t>(value));
        to.vector(at.place);
        to.number(at.angle);
        to.vector(at.n);
        to.number(a.stiffness_scale);
        to.number(a.energy);
        to.number(a.slip);
    }
}
void get_attachments(ByteReader& from, Checkpoint& c)
{
    c.state.attachments.resize(from.count(6 * sizeof(std::uint32_t) + 10 * sizeof(double)));
    for (Attachment& a : c.state.attachments) {
        int which = 0;
        AttachmentNumbers at;
        for (int* value : {&a.point_body, &a.surface_body, &a.point, &a.slot, &which, &at.piece})
            *value = static_cast<int>(from.integer<std::uint32_t>());
        at.place = from.vector();
        at.angle = from.number();
        at.n = from.vector();
        a.to = attached_to(static_cast<std::size_t>(which), at);
        a.stiffness_scale = from.number();
        a.energy = from.number();
        a.slip = from.number();
    }
}

void put_history(ByteWriter& to, const Checkpoint& c)
{
    put_totals(to, c.totals);
}
void get_history(ByteReader& from, Checkpoint& c)
{
    c.totals = get_totals(from);
}

void put_folder(ByteWriter& to, const Checkpoint& c)
{
    to.text(c.scene_hash);
    to.integer<std::uint32_t>(c.steered);
    to.integer(c.frames_written);
    to.number(c.next_frame_time);
    to.number(c.next_checkpoint_time);
    to.integer<std::uint64_t>(c.files.size());
    for (const FileLength& file : c.files) {
        to.text(file.file);
        to.integer(file.bytes);
    }
}
void get_folder(ByteReader& from, Checkpoint& c)
{
    c.scene_hash = from.text();
    c.steered = from.integer<std::uint32_t>() != 0;
    c.frames_written = from.integer<std::uint64_t>();
    c.next_frame_time = from.number();
    c.next_checkpoint_time = from.number();
    c.files.resize(from.count(2 * sizeof(std::uint64_t)));
    for (FileLength& file : c.files) {
        file.file = from.text();
        file.bytes = from.integer<std::uint64_t>();
    }
}

void put_spheres(ByteWriter& to, const Checkpoint& c)
{
    to.integer<std::uint32_t>(c.granular.has_value());
    if (c.granular)
        put_granular(to, *c.granular);
}
void get_spheres(ByteReader& from, Checkpoint& c)
{
    if (from.integer<std::uint32_t>() != 0)
        c.granular = get_granular(from);
}

void put_bodies(ByteWriter& to, const Checkpoint& c)
{
    to.integer<std::uint64_t>(c.bodies.size());
    for (const CheckpointBody& body : c.bodies) {
        to.text(body.name);
        for (const std::string* text : {&body.shape, &body.surface, &body.touching, &body.on_soft})
            to.text(*text);
        to.integer(static_cast<std::uint32_t>(body.kind));
        for (const int value :
            {body.first, body.points, body.facets, body.contact_body, body.group, body.body, body.wall})
            to.integer(static_cast<std::uint32_t>(value));
        for (const double* value : {&body.R.w(), &body.R.x(), &body.R.y(), &body.R.z()})
            to.number(*value);
        to.vector(body.x);
    }
}
void get_bodies(ByteReader& from, Checkpoint& c)
{
    constexpr std::size_t numbers = 4 + 3, integers = 8;
    c.bodies.resize(
        from.count(5 * sizeof(std::uint64_t) + integers * sizeof(std::uint32_t) + numbers * sizeof(double)));
    for (CheckpointBody& body : c.bodies) {
        body.name = from.text();
        for (std::string* text : {&body.shape, &body.surface, &body.touching, &body.on_soft})
            *text = from.text();
        const auto kind = from.integer<std::uint32_t>();
        if (kind > static_cast<std::uint32_t>(BodyKind::mpm))
            throw InputError("the file is damaged: no such kind of body");
        body.kind = static_cast<BodyKind>(kind);
        for (int* value :
            {&body.first, &body.points, &body.facets, &body.contact_body, &body.group, &body.body, &body.wall})
            *value = static_cast<int>(from.integer<std::uint32_t>());
        for (double* value : {&body.R.w(), &body.R.x(), &body.R.y(), &body.R.z()})
            *value = from.number();
        body.x = from.vector();
    }
}

struct Part {
    std::string_view tag;
    void (*put)(ByteWriter&, const Checkpoint&);
    void (*get)(ByteReader&, Checkpoint&);
};
constexpr Part parts[] = {{"CLCK", put_clock, get_clock}, {"NODE", put_nodes, get_nodes},
    {"RIGD", put_rigid, get_rigid}, {"MPMP", put_mpm, get_mpm}, {"ATCH", put_attachments, get_attachments},
    {"SPHR", put_spheres, get_spheres}, {"TOTL", put_history, get_history}, {"FOLD", put_folder, get_folder},
    {"BODY", put_bodies, get_bodies}};

/// The payload, if the head and it belong together.
std::string_view checked_payload(std::string_view bytes)
{
    if (!bytes.starts_with(magic))
        throw InputError(
            bytes.size() < magic.size() && magic.starts_with(bytes) ? "the file is cut off" : "not a checkpoint");
    if (bytes.size() < head_size)
        throw InputError("the file is cut off");
    ByteReader head(bytes.substr(magic.size(), head_size - magic.size()));
    const auto version = head.integer<std::uint32_t>();
    const auto expected_checksum = head.integer<std::uint32_t>();
    const auto length = head.integer<std::uint64_t>();
    if (version != format_version)
        throw InputError("expected checkpoint format " + std::to_string(format_version) + ", found "
            + std::to_string(version) + (version > format_version ? ": written by a newer version of stickslip" : ""));
    const std::string_view payload = bytes.substr(head_size);
    if (payload.size() < length)
        throw InputError("the file is cut off: expected " + std::to_string(length) + " bytes after its head, found "
            + std::to_string(payload.size()));
    if (payload.size() > length)
        throw InputError("the file is damaged: there is more than it should hold");
    if (checksum(payload) != expected_checksum)
        throw InputError("the file is damaged: its checksum is wrong");
    return payload;
}

constexpr std::string_view name_begin = "step-";
constexpr std::string_view name_end = ".ckpt";

struct CheckpointFile {
    std::uint64_t steps;
    std::filesystem::path path;
};

/// Steps of a checkpoint's file name; none for other names.
std::optional<std::uint64_t> steps_of(std::string_view name)
{
    if (!name.starts_with(name_begin) || !name.ends_with(name_end)
        || name.size() <= name_begin.size() + name_end.size())
        return std::nullopt;
    const std::string_view digits = name.substr(name_begin.size(), name.size() - name_begin.size() - name_end.size());
    std::uint64_t steps = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), steps);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return steps;
}

/// Last step first. Errors: FileError.
std::vector<CheckpointFile> checkpoints_of(const std::filesystem::path& folder)
{
    std::vector<CheckpointFile> found;
    std::error_code error;
    std::filesystem::directory_iterator it(folder, error);
    if (error == std::errc::no_such_file_or_directory)
        return found;
    for (const std::filesystem::directory_iterator end; !error && it != end; it.increment(error))
        if (const auto steps = steps_of(it->path().filename().string()))
            found.push_back({*steps, it->path()});
    if (error)
        throw FileError("cannot read " + folder.string() + ": " + error.message());
    std::sort(found.begin(), found.end(), [](const CheckpointFile& a, const CheckpointFile& b) {
        return a.steps != b.steps ? a.steps > b.steps : a.path > b.path;
    });
    return found;
}

} // namespace

std::string checkpoint_bytes(const Checkpoint& checkpoint)
{
    ByteWriter payload;
    for (const Part& part : parts) {
        ByteWriter content;
        part.put(content, checkpoint);
        payload.bytes(part.tag);
        payload.text(content.result());
    }
    ByteWriter file;
    file.bytes(magic);
    file.integer(format_version);
    file.integer(checksum(payload.result()));
    file.integer<std::uint64_t>(payload.result().size());
    file.bytes(payload.result());
    return file.result();
}

Checkpoint checkpoint_from(std::string_view bytes)
{
    ByteReader from(checked_payload(bytes));
    Checkpoint checkpoint;
    for (const Part& part : parts) {
        if (from.bytes(part.tag.size()) != part.tag)
            throw InputError("the file is damaged: expected its part " + std::string(part.tag));
        ByteReader content(from.bytes(from.count(1)));
        part.get(content, checkpoint);
        content.expect_end();
    }
    from.expect_end();
    return checkpoint;
}

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint)
{
    AtomicFile file(path);
    file.append(checkpoint_bytes(checkpoint));
    file.commit_to_disk();
}

Checkpoint load_checkpoint(const std::filesystem::path& path)
{
    const std::string bytes = read_file(path);
    try {
        return checkpoint_from(bytes);
    } catch (const InputError& fault) {
        throw InputError(path.string() + ": " + fault.what());
    }
}

std::filesystem::path checkpoint_path(const std::filesystem::path& folder, std::uint64_t steps)
{
    std::string digits = std::to_string(steps);
    if (digits.size() < 10)
        digits.insert(0, 10 - digits.size(), '0');
    return folder / (std::string(name_begin) + digits + std::string(name_end));
}

LatestCheckpoint latest_valid_checkpoint(const std::filesystem::path& folder)
{
    LatestCheckpoint latest;
    for (const CheckpointFile& file : checkpoints_of(folder)) {
        try {
            latest.checkpoint = load_checkpoint(file.path);
            latest.path = file.path;
            return latest;
        } catch (const InputError& fault) {
            latest.damaged.push_back({file.path, fault.what()});
        } catch (const FileError& fault) {
            latest.damaged.push_back({file.path, fault.what()});
        }
    }
    return latest;
}

void prune_checkpoints(const std::filesystem::path& folder, int keep)
{
    STICKSLIP_ASSERT(keep >= 1);
    const std::vector<CheckpointFile> files = checkpoints_of(folder);
    for (std::size_t i = static_cast<std::size_t>(keep); i < files.size(); ++i) {
        std::error_code error;
        std::filesystem::remove(files[i].path, error);
        if (error)
            throw FileError("cannot remove " + files[i].path.string() + ": " + error.message());
    }
}

} // namespace stickslip
