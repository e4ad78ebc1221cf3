#include "stickslip/build/restart/checkpoint.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <tuple>

namespace stickslip::checkpoint_test {
namespace {

constexpr std::uint64_t quiet_with_payload = 0x7ff8000000abcdef, signalling = 0xfff0000000000001;

Vec3 random_vector(std::mt19937_64& random)
{
    return {std::bit_cast<double>(random()), std::bit_cast<double>(random()), std::bit_cast<double>(random())};
}

/// Another value in every field.
void fill_records(RunTotals& t)
{
    using enum ExpectationRecord::Moment;
    t.evaluations = 31;
    t.descent_steps = 32;
    t.largest_energy_error = 0.33;
    t.largest_energy_rise = -0.0;
    t.largest_momentum_error = 0.35;
    t.frame_time = 0.36;
    t.gains = {.steps = 4, .largest = 0.41, .time = 0.42, .share = 0.43};
    t.undetected.long_steps[{1, 5}] = {{{5, 1, 0.51, 1, 0.52}, 0.53}, 0.54, 0.55, 0.56};
    t.undetected.far_steps[6] = {{{6, 0.61, 0.62}, 63, 0.64}, 0.65, 0.66, 0.67};
    t.undetected.penetrations[{7, 2}] = {{7, 2, 0.71, 0.72}, 0.73, 0.74, 0.75};
    t.undetected.overlaps[{3, 8}] = {{3, 8, 0.81, 0.82, {0.86, 0.87, 0.88}, {81, 82}, 83}, 0.83, 0.84, 0.85};
    t.audit = {.looks = 84, .deepest = 0.89};
    t.undetected.entered = {{9, 4, {0.91, 0.92, 0.93}}};
    ExpectationRecord& speed = t.expectations["speed of a"];
    speed.vector = Vec3(nan, 1, 2);
    speed.moment = missed;
    ExpectationRecord& rise = t.expectations["energy_rise"];
    rise.sum = 1.1;
    rise.steps = 12;
    rise.max = 1.3;
    rise.last_energy = 1.4;
    rise.counted_from = 1.5;
    rise.moment = reached;
    t.next_row_time = 1.6;
    t.last_own_energy = 1.7;
    t.largest_energy_input = 1.8;
    t.worst_violation = 1.95;
    t.reported_violation = 1.9;
    t.in_wall = {2.0, 1.5};
    t.in_solid = {2.01, 1.51};
    t.in_sphere = {2.02, 1.52};
    t.inlets["a"] = {.owed = 2.1, .mass = 2.2, .count = 23, .draws = 24, .is_full = true, .asked = 2.5};
    t.outlets["b"] = {.mass = 2.6, .count = 27};
}

/// Any bits in every number, so that nothing is kept by luck.
Checkpoint random_checkpoint(int nodes)
{
    std::mt19937_64 random(11);
    Checkpoint c;
    c.state.time = 0.1;
    c.state.clock = {.whole = 123456789012, .sub = 3, .level = 2, .next_dt = 0.01 / 3};
    for (int i = 0; i < nodes; ++i) {
        c.state.x.push_back(random_vector(random));
        c.state.v.push_back(random_vector(random));
        c.state.a.push_back(random_vector(random));
        c.state.attachments.push_back({.point_body = i,
            .surface_body = i + 7,
            .point = 2 * i,
            .slot = i % 2,
            .to = attached_to(i % std::variant_size_v<AttachedTo>,
                {.piece = i == 0 ? -1 : i,
                    .place = random_vector(random),
                    .angle = 0.1 * i,
                    .n = random_vector(random)}),
            .stiffness_scale = 1 + 0.1 * i,
            .slip = 0.01 * i});
    }
    for (int i = 0; i < nodes; ++i) {
        const Vec3 q = random_vector(random);
        c.state.rigid.push_back({.x = random_vector(random),
            .R = Quat(std::bit_cast<double>(random()), q[0], q[1], q[2]),
            .v = random_vector(random),
            .w = random_vector(random),
            .a = random_vector(random),
            .alpha = random_vector(random)});
    }
    if (nodes > 0) {
        c.state.x[0] = {-0.0, infinity, std::numeric_limits<double>::denorm_min()};
        c.state.v[0][0] = std::bit_cast<double>(quiet_with_payload);
        c.state.v[0][1] = std::bit_cast<double>(signalling);
    }
    c.totals = {.steps = 7,
        .newton_iterations = 8,
        .krylov_iterations = 1ull << 63,
        .failed_solves = 1,
        .friction_loss = 1e-300,
        .max_contact_depth = 1e-5,
        .wall_time = 12.5};
    c.totals.stage_seconds = {{"newton", 1.25}};
    c.totals.node_slip = {0, 1e-9, nan};
    fill_records(c.totals);
    c.files = {{"history.csv", 1234}, {"log.txt", 0}};
    c.frames_written = 26;
    c.next_frame_time = 1.04;
    c.next_checkpoint_time = 2;
    c.scene_hash = std::string("a\0b", 3);
    c.steered = true;
    c.bodies = {{.name = "grains", .kind = BodyKind::spheres, .group = 2},
        {.name = "cube",
            .shape = "box: [1, 1, 1]\n",
            .kind = BodyKind::rigid,
            .first = 1,
            .points = 8,
            .facets = 12,
            .surface = "0a",
            .touching = "1b",
            .on_soft = "2c",
            .contact_body = 3,
            .body = 5,
            .wall = 4,
            .x = random_vector(random),
            .R = Quat(0.5, 0.5, -0.5, 0.5)}};
    return c;
}

std::vector<std::uint64_t> bits(const std::vector<Vec3>& values)
{
    std::vector<std::uint64_t> result;
    for (const Vec3& value : values)
        for (int i = 0; i < 3; ++i)
            result.push_back(std::bit_cast<std::uint64_t>(value.data()[i]));
    return result;
}
std::uint64_t bits(double value)
{
    return std::bit_cast<std::uint64_t>(value);
}

/// `fields`: of an event, as a tuple.
template <typename Map, typename Fields>
void expect_same_worst(const Map& a, const Map& b, const Fields& fields)
{
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [key, worst] : a) {
        const auto found = b.find(key);
        ASSERT_NE(found, b.end());
        const auto& other = found->second;
        EXPECT_EQ(
            std::tie(worst.time, worst.badness, worst.reported), std::tie(other.time, other.badness, other.reported));
        EXPECT_EQ(fields(worst.event), fields(other.event));
    }
}

void expect_equal(const UndetectedContact& a, const UndetectedContact& b)
{
    expect_same_worst(a.long_steps, b.long_steps, [](const LongStepEvent& e) {
        return std::tuple(e.step.mover, e.step.other, e.step.way, e.step.thin, e.step.size, e.dt);
    });
    expect_same_worst(a.far_steps, b.far_steps,
        [](const FarStepEvent& e) { return std::tuple(e.step.body, e.step.way, e.step.size, e.others, e.dt); });
    expect_same_worst(a.penetrations, b.penetrations,
        [](const MissedPenetration& s) { return std::tuple(s.body, s.soft, s.depth, s.felt); });
    expect_same_worst(a.overlaps, b.overlaps, [](const BodyOverlap& o) {
        return std::tuple(o.body, o.other, o.depth, o.felt, o.place, o.triangles, o.crossings);
    });
    ASSERT_EQ(a.entered.size(), b.entered.size());
    for (std::size_t i = 0; i < a.entered.size(); ++i) {
        EXPECT_EQ(a.entered[i].body, b.entered[i].body);
        EXPECT_EQ(a.entered[i].other, b.entered[i].other);
        EXPECT_EQ(a.entered[i].from, b.entered[i].from);
    }
}

void expect_equal(const ExpectationRecord& a, const ExpectationRecord& b)
{
    const auto rest = [](const ExpectationRecord& r) {
        return std::tuple(r.sum, r.steps, r.max, r.last_energy, r.counted_from, r.moment, r.vector.has_value());
    };
    EXPECT_EQ(rest(a), rest(b));
    if (a.vector && b.vector) {
        EXPECT_EQ(bits(std::vector{*a.vector}), bits(std::vector{*b.vector}));
    }
}

void expect_equal_records(const RunTotals& a, const RunTotals& b)
{
    const auto numbers = [](const RunTotals& t) {
        return std::tuple(t.evaluations, t.descent_steps, t.largest_energy_error, bits(t.largest_energy_rise),
            t.largest_momentum_error, t.frame_time, t.gains.steps, t.gains.largest, t.gains.time, t.gains.share,
            t.audit.looks, t.audit.deepest);
    };
    EXPECT_EQ(numbers(a), numbers(b));
    const auto of_spheres = [](const RunTotals& t) {
        return std::tuple(t.next_row_time, t.last_own_energy, t.largest_energy_input, t.worst_violation,
            t.reported_violation, t.in_wall.deepest, t.in_wall.reported, t.in_solid.deepest, t.in_solid.reported,
            t.in_sphere.deepest, t.in_sphere.reported);
    };
    EXPECT_EQ(of_spheres(a), of_spheres(b));
    expect_equal(a.undetected, b.undetected);
    ASSERT_EQ(a.expectations.size(), b.expectations.size());
    for (const auto& [text, seen] : a.expectations)
        expect_equal(seen, b.expectations.at(text));
    ASSERT_EQ(a.inlets.size(), b.inlets.size());
    for (const auto& [name, r] : a.inlets) {
        const InletRecord& other = b.inlets.at(name);
        EXPECT_EQ(std::tie(r.owed, r.mass, r.count, r.draws, r.is_full, r.asked),
            std::tie(other.owed, other.mass, other.count, other.draws, other.is_full, other.asked));
    }
    ASSERT_EQ(a.outlets.size(), b.outlets.size());
    for (const auto& [name, r] : a.outlets) {
        EXPECT_EQ(r.mass, b.outlets.at(name).mass);
        EXPECT_EQ(r.count, b.outlets.at(name).count);
    }
}

void expect_equal(const RunTotals& a, const RunTotals& b)
{
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.newton_iterations, b.newton_iterations);
    EXPECT_EQ(a.krylov_iterations, b.krylov_iterations);
    EXPECT_EQ(a.failed_solves, b.failed_solves);
    EXPECT_EQ(a.friction_loss, b.friction_loss);
    EXPECT_EQ(a.max_contact_depth, b.max_contact_depth);
    EXPECT_EQ(a.wall_time, b.wall_time);
    expect_equal_records(a, b);
    EXPECT_EQ(a.stage_seconds, b.stage_seconds);
    ASSERT_EQ(a.node_slip.size(), b.node_slip.size());
    for (std::size_t i = 0; i < a.node_slip.size(); ++i)
        EXPECT_EQ(bits(a.node_slip[i]), bits(b.node_slip[i]));
}

void expect_equal(const Checkpoint& a, const Checkpoint& b)
{
    EXPECT_EQ(bits(a.state.time), bits(b.state.time));
    EXPECT_EQ(a.state.clock, b.state.clock);
    EXPECT_EQ(bits(a.state.x), bits(b.state.x));
    EXPECT_EQ(bits(a.state.v), bits(b.state.v));
    EXPECT_EQ(bits(a.state.a), bits(b.state.a));
    ASSERT_EQ(a.state.rigid.size(), b.state.rigid.size());
    for (std::size_t i = 0; i < a.state.rigid.size(); ++i) {
        const auto all = [](const RigidState& r) {
            return std::vector<Vec3>{r.x, r.R.vec(), Vec3(r.R.w(), 0, 0), r.v, r.w, r.a, r.alpha};
        };
        EXPECT_EQ(bits(all(a.state.rigid[i])), bits(all(b.state.rigid[i])));
    }
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        const auto all = [](const CheckpointBody& r) {
            return std::tuple(r.name, r.shape, r.surface, r.touching, r.on_soft, r.kind, r.first, r.points, r.facets,
                r.contact_body, r.group, r.body, r.wall, bits({r.x, r.R.vec(), Vec3(r.R.w(), 0, 0)}));
        };
        EXPECT_EQ(all(a.bodies[i]), all(b.bodies[i]));
    }
    ASSERT_EQ(a.state.attachments.size(), b.state.attachments.size());
    for (std::size_t i = 0; i < a.state.attachments.size(); ++i) {
        const Attachment &p = a.state.attachments[i], &q = b.state.attachments[i];
        const AttachmentNumbers u = numbers(p.to), v = numbers(q.to);
        EXPECT_TRUE(p.key() == q.key() && p.to.index() == q.to.index() && u.piece == v.piece
            && bits({u.place, u.n}) == bits({v.place, v.n}) && u.angle == v.angle
            && p.stiffness_scale == q.stiffness_scale && p.slip == q.slip);
    }
    expect_equal(a.totals, b.totals);
    ASSERT_EQ(a.files.size(), b.files.size());
    for (std::size_t i = 0; i < a.files.size(); ++i)
        EXPECT_TRUE(a.files[i].file == b.files[i].file && a.files[i].bytes == b.files[i].bytes);
    EXPECT_EQ(a.frames_written, b.frames_written);
    EXPECT_EQ(a.next_frame_time, b.next_frame_time);
    EXPECT_EQ(a.next_checkpoint_time, b.next_checkpoint_time);
    EXPECT_EQ(a.scene_hash, b.scene_hash);
    EXPECT_EQ(a.steered, b.steered);
}

std::string saved(const TemporaryFolder& folder, const Checkpoint& checkpoint)
{
    save_checkpoint(folder.path() / "c", checkpoint);
    return read_file(folder.path() / "c");
}

/// Without waiting for the disk, unlike write_file_atomically: these tests write thousands of files.
void write_plainly(const std::filesystem::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// What load_checkpoint says of a file of these bytes, without the path.
std::string complaint(const TemporaryFolder& folder, const std::string& bytes)
{
    const auto path = folder.path() / "d";
    write_plainly(path, bytes);
    const std::string text = error_text<InputError>([&] { load_checkpoint(path); });
    const std::string begin = path.string() + ": ";
    return text.starts_with(begin) ? text.substr(begin.size()) : "no path: " + text;
}

TEST(Checkpoint, ComesBackBitForBit)
{
    const TemporaryFolder folder;
    for (const int nodes : {0, 1, 1000}) {
        const Checkpoint checkpoint = random_checkpoint(nodes);
        save_checkpoint(folder.path() / "c", checkpoint);
        expect_equal(load_checkpoint(folder.path() / "c"), checkpoint);
    }
}

TEST(Checkpoint, DefaultComesBack)
{
    const TemporaryFolder folder;
    save_checkpoint(folder.path() / "c", Checkpoint{});
    expect_equal(load_checkpoint(folder.path() / "c"), Checkpoint{});
}

TEST(Checkpoint, SameContentGivesTheSameBytes)
{
    const TemporaryFolder folder;
    EXPECT_EQ(saved(folder, random_checkpoint(5)), saved(folder, random_checkpoint(5)));
}

TEST(Checkpoint, CutAtAnyLengthIsSaidToBeCutOff)
{
    const TemporaryFolder folder;
    const std::string bytes = saved(folder, random_checkpoint(2));
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_TRUE(complaint(folder, bytes.substr(0, length)).starts_with("the file is cut off")) << length;
}

TEST(Checkpoint, AnyAlteredByteIsFound)
{
    const TemporaryFolder folder;
    const std::string bytes = saved(folder, random_checkpoint(2));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        constexpr int changes[] = {0x01, 0x80, 0xff};
        std::string altered = bytes;
        altered[i] = static_cast<char>(altered[i] ^ changes[i % 3]);
        EXPECT_FALSE(complaint(folder, altered).starts_with("no path")) << i;
    }
}

TEST(Checkpoint, SaysWhatIsWrong)
{
    const TemporaryFolder folder;
    std::string bytes = saved(folder, random_checkpoint(2));
    EXPECT_EQ(complaint(folder, "time,dt\n0,1\n"), "not a checkpoint");
    EXPECT_EQ(complaint(folder, bytes + "x"), "the file is damaged: there is more than it should hold");
    std::string altered = bytes;
    altered[30] ^= 1;
    EXPECT_EQ(complaint(folder, altered), "the file is damaged: its checksum is wrong");
    bytes[8] = 25;
    EXPECT_EQ(
        complaint(folder, bytes), "expected checkpoint format 24, found 25: written by a newer version of stickslip");
    bytes[8] = 0;
    EXPECT_EQ(complaint(folder, bytes), "expected checkpoint format 24, found 0");
}

std::uint32_t plain_crc32(std::string_view bytes)
{
    std::uint32_t crc = 0xffffffff;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

TEST(Checkpoint, WrongContentWithARightChecksumIsSafe)
{
    const TemporaryFolder folder;
    const std::string bytes = saved(folder, random_checkpoint(2));
    int refused = 0;
    for (std::size_t i = 24; i < bytes.size(); ++i) {
        for (const int value : {0x00, 0xff}) {
            std::string altered = bytes;
            altered[i] = static_cast<char>(value);
            const std::uint32_t crc = plain_crc32(std::string_view(altered).substr(24));
            for (int k = 0; k < 4; ++k)
                altered[12 + k] = static_cast<char>(crc >> (8 * k));
            write_plainly(folder.path() / "d", altered);
            try {
                load_checkpoint(folder.path() / "d"); // another number: fine
            } catch (const InputError&) {
                ++refused; // another length or tag
            }
        }
    }
    EXPECT_GT(refused, 100);
}

TEST(Checkpoint, MissingFileIsAFileError)
{
    const TemporaryFolder folder;
    EXPECT_THROW(load_checkpoint(folder.path() / "none"), FileError);
    EXPECT_THROW(save_checkpoint(folder.path() / "none" / "c", Checkpoint{}), FileError);
}

TEST(CheckpointPath, SortsBySteps)
{
    EXPECT_EQ(checkpoint_path("run/checkpoints", 123), "run/checkpoints/step-0000000123.ckpt");
    EXPECT_EQ(checkpoint_path("c", 12345678901), "c/step-12345678901.ckpt");
}

Checkpoint at_step(std::uint64_t steps)
{
    Checkpoint checkpoint;
    checkpoint.totals.steps = steps;
    return checkpoint;
}

TEST(LatestCheckpoint, IsTheLastOne)
{
    const TemporaryFolder folder;
    EXPECT_FALSE(latest_valid_checkpoint(folder.path()).path);
    EXPECT_FALSE(latest_valid_checkpoint(folder.path() / "none").path);
    for (const std::uint64_t steps : {9u, 100u, 20u})
        save_checkpoint(checkpoint_path(folder.path(), steps), at_step(steps));
    for (const char* name : {"step-.ckpt", "step-x.ckpt", "step-0000000200.ckpt.tmp-1", "notes.txt", "step-300"})
        write_file_atomically(folder.path() / name, "x");
    const LatestCheckpoint latest = latest_valid_checkpoint(folder.path());
    EXPECT_EQ(latest.path, checkpoint_path(folder.path(), 100));
    EXPECT_EQ(latest.checkpoint.totals.steps, 100u);
    EXPECT_TRUE(latest.damaged.empty());
}

TEST(LatestCheckpoint, SkipsDamagedOnesAndTells)
{
    const TemporaryFolder folder;
    save_checkpoint(checkpoint_path(folder.path(), 10), at_step(10));
    const std::string good = read_file(checkpoint_path(folder.path(), 10));
    write_file_atomically(checkpoint_path(folder.path(), 20), good.substr(0, good.size() / 2));
    std::filesystem::create_directory(checkpoint_path(folder.path(), 30));
    const LatestCheckpoint latest = latest_valid_checkpoint(folder.path());
    EXPECT_EQ(latest.path, checkpoint_path(folder.path(), 10));
    ASSERT_EQ(latest.damaged.size(), 2u);
    EXPECT_EQ(latest.damaged[0].path, checkpoint_path(folder.path(), 30));
    EXPECT_NE(latest.damaged[0].reason.find("Is a directory"), std::string::npos);
    EXPECT_EQ(latest.damaged[1].path, checkpoint_path(folder.path(), 20));
    EXPECT_NE(latest.damaged[1].reason.find("the file is cut off"), std::string::npos);
}

TEST(PruneCheckpoints, KeepsTheLastOnesAndOtherFiles)
{
    const TemporaryFolder folder;
    for (std::uint64_t steps = 1; steps <= 12; ++steps)
        save_checkpoint(checkpoint_path(folder.path(), steps), at_step(steps));
    write_file_atomically(folder.path() / "notes.txt", "x");
    prune_checkpoints(folder.path());
    EXPECT_EQ(folder.size(), 3);
    EXPECT_TRUE(std::filesystem::exists(checkpoint_path(folder.path(), 12)));
    EXPECT_TRUE(std::filesystem::exists(checkpoint_path(folder.path(), 11)));
    prune_checkpoints(folder.path(), 1);
    EXPECT_EQ(folder.size(), 2);
    prune_checkpoints(folder.path() / "none");
}

} // namespace
} // namespace stickslip::checkpoint_test
