#include "stickslip/replay/packer.h"

#include "replay/synthetic_run.h"
#include "stickslip/math/error.h"
#include "stickslip/replay/chunk.h"
#include "stickslip/replay/live_replay.h"
#include "stickslip/replay/quantise.h"
#include "stickslip/replay/replay_page.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <bit>

namespace stickslip::packer_test {
namespace {

using Json = nlohmann::ordered_json;

/// The stream of a chunk with this body and kind; its points as the page would unpack them, a list a frame.
const Json& stream(const Chunk& chunk, int body, const std::string& what)
{
    for (const Json& s : chunk.contents["streams"])
        if (s["body"] == body && s["what"] == what)
            return s;
    throw InputError("no stream " + what + " of body " + std::to_string(body));
}

Vec3 vector(const Json& json)
{
    return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

std::vector<std::vector<Vec3>> unpacked_points(const Chunk& chunk, int body)
{
    const Json& points = stream(chunk, body, "points");
    std::string_view bytes = std::string_view(chunk.arrays).substr(points["offset"].get<std::size_t>());
    QuantisedPoints one, two;
    std::vector<std::vector<Vec3>> frames;
    for (const Json& frame : points["frames"]) {
        const auto q = take_differences(
            bytes, frame["count"].get<std::size_t>(), one, two, static_cast<Prediction>(frame["predict"].get<int>()));
        const QuantisedBox box{.min = vector(frame["min"]), .step = vector(frame["step"])};
        frames.emplace_back();
        for (const auto& p : q)
            frames.back().push_back(box.position(p));
        two = std::move(one);
        one = q;
    }
    return frames;
}

float read_f32(const std::string& bytes, std::size_t at)
{
    std::uint32_t bits = 0;
    for (int i = 3; i >= 0; --i)
        bits = bits << 8 | static_cast<unsigned char>(bytes[at + i]);
    return std::bit_cast<float>(bits);
}

ReplayPacker packed(const RunReading& run)
{
    ReplayPacker packer(run);
    for (std::size_t i = 0; i < run.frames.size(); ++i)
        packer.add(run, i);
    return packer;
}

TEST(Packer, PointsComeBackWithinTheStatedError)
{
    const TemporaryFolder folder;
    SyntheticRun synthetic(folder.path(), 21);
    synthetic.add_tetrahedron("soft", Vec3(1, 0, 0), Vec3(0, 1, 0));
    synthetic.add_cloud("grains", "spheres", 300);
    synthetic.write();
    const RunReading run = read_run(folder.path());
    const ReplayPacker packer = packed(run);
    ASSERT_EQ(packer.groups(), 2u);
    std::size_t number = 0;
    double largest = 0;
    for (std::size_t k = 0; k < packer.groups(); ++k) {
        const PackedGroup group = packer.group(k);
        const Chunk chunk = decompress_chunk(group.bytes);
        const auto soft = unpacked_points(chunk, 0), grains = unpacked_points(chunk, 1);
        ASSERT_EQ(soft.size(), group.frames);
        for (std::size_t f = 0; f < group.frames; ++f, ++number) {
            const RecordedFrame frame = read_frame(run, number);
            for (const auto& [points, shape] : {std::pair(&soft[f], 0), std::pair(&grains[f], 1)})
                for (std::size_t i = 0; i < points->size(); ++i)
                    largest = std::max(largest,
                        ((*points)[i] - frame.shapes[shape].content.points[i]).cwiseAbs().maxCoeff() / group.error);
        }
    }
    EXPECT_EQ(number, 21u);
    EXPECT_LE(largest, 1 + 1e-6);
    EXPECT_GT(largest, 0.1);
}

TEST(Packer, ARigidBodyIsOneSurfaceAndAPoseAFrame)
{
    const TemporaryFolder folder;
    SyntheticRun synthetic(folder.path(), 9);
    synthetic.add_cube("cube", "rigid", 0.2, Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(0, 2, 1));
    synthetic.write();
    const RunReading run = read_run(folder.path());
    const ReplayPacker packer = packed(run);
    EXPECT_EQ(packer.coding(0), ShapeCoding::posed);
    const Chunk meshes = decompress_chunk(packer.meshes()), group = decompress_chunk(packer.group(0).bytes);
    const Json& mesh = meshes.contents["meshes"][0];
    ASSERT_EQ(mesh["vertices"], 8);
    ASSERT_EQ(mesh["triangles"], 12);
    const std::size_t vertices = mesh["offset"].get<std::size_t>() + 12 * 3 * 4;
    const std::size_t poses = stream(group, 0, "pose")["offset"].get<std::size_t>();
    for (std::size_t f = 0; f < 9; ++f) {
        const auto at = [&](std::size_t i) {
            return static_cast<double>(read_f32(group.arrays, poses + (7 * f + i) * 4));
        };
        const Vec3 x(at(0), at(1), at(2));
        const Mat3 R = Quat(at(3), at(4), at(5), at(6)).toRotationMatrix();
        const RecordedFrame frame = read_frame(run, f);
        for (std::size_t i = 0; i < 8; ++i) {
            Vec3 X;
            for (std::size_t a = 0; a < 3; ++a)
                X[static_cast<int>(a)] = read_f32(meshes.arrays, vertices + (3 * i + a) * 4);
            EXPECT_LE((x + R * X - frame.shapes[0].content.points[i]).norm(), 1e-6);
        }
    }
}

TEST(Packer, ABodyThatDoesNotFollowItsPosesKeepsItsPoints)
{
    const TemporaryFolder folder;
    SyntheticRun synthetic(folder.path(), 5);
    synthetic.add_cube("cube", "rigid", 0.2, Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(0, 2, 1));
    synthetic.write();
    const std::filesystem::path table = folder.path() / "bodies.csv";
    const std::string rows = read_file(table);
    std::filesystem::remove(table);
    EXPECT_EQ(ReplayPacker(read_run(folder.path())).coding(0), ShapeCoding::points);
    std::string first = rows.substr(0, rows.find('\n', rows.find('\n') + 1) + 1);
    write_file_atomically(table, first);
    EXPECT_EQ(ReplayPacker(read_run(folder.path())).coding(0), ShapeCoding::points);
}

TEST(Packer, DamagedFramesLeaveGapsAndANote)
{
    const TemporaryFolder folder;
    SyntheticRun synthetic(folder.path(), 4);
    synthetic.add_tetrahedron("soft", Vec3(1, 0, 0), Vec3(0, 1, 0));
    synthetic.write();
    std::filesystem::remove(folder.path() / "frames/body0_2.vtu");
    const RunReading run = read_run(folder.path());
    const ReplayPacker packer = packed(run);
    ASSERT_EQ(packer.notes().size(), 1u);
    EXPECT_NE(packer.notes()[0].find("body0_2.vtu"), std::string::npos);
    const Chunk chunk = decompress_chunk(packer.group(0).bytes);
    const Json& frames = stream(chunk, 0, "points")["frames"];
    EXPECT_EQ(frames[1]["count"], 4);
    EXPECT_EQ(frames[2]["count"], 0);
    EXPECT_EQ(frames[3]["count"], 4);
}

TEST(Packer, LargeCloudsTakeAtMostSevenBytesAPointAndFrame)
{
    // Points that jump anywhere in every frame: nothing can be predicted.
    constexpr std::size_t count = 30000, frame_count = 8;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<SampledFrame> frames(frame_count);
    for (SampledFrame& frame : frames) {
        frame.bodies.resize(1);
        frame.bodies[0].shown = true;
        for (std::size_t i = 0; i < count; ++i) {
            frame.bodies[0].points.emplace_back(unit(random), unit(random), unit(random));
            frame.bodies[0].radius.push_back(0.01 * unit(random));
        }
    }
    const PackedGroup group = pack_group(frames, {ShapeCoding::cloud});
    EXPECT_LE(static_cast<double>(group.bytes.size()) * 4 / 3, most_cloud_bytes * count * frame_count);
    EXPECT_LT(group.error, 3e-4); // of a box of 1 m
}

TEST(ReplayPage, NamesCannotBecomeMarkup)
{
    const TemporaryFolder folder;
    const std::string attack = "</script><script>alert(1)</script><!-- & \" \xff";
    SyntheticRun synthetic(folder.path(), 3);
    synthetic.add_cube(attack, "rigid", 0.2, Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3::Zero());
    synthetic.write(attack.substr(0, attack.size() - 1));
    const ReplayPage page = make_replay_page(read_run(folder.path()), {});
    EXPECT_EQ(page.html.find("alert(1)</script>"), std::string::npos);
    EXPECT_EQ(page.html.find("</script><script>alert"), std::string::npos);
    EXPECT_NE(page.html.find("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"), std::string::npos);
}

TEST(ReplayPage, KeepsEveryFrameOfASmallRun)
{
    const TemporaryFolder folder;
    SyntheticRun synthetic(folder.path(), 130);
    synthetic.add_cloud("grains", "spheres", 200);
    synthetic.write();
    const RunReading run = read_run(folder.path());
    EXPECT_EQ(make_replay_page(run, {}).frames, 130u);
}

TEST(ReplayPage, LeavesOutFramesEvenlyToStayBelowASize)
{
    const TemporaryFolder folder;
    SyntheticRun synthetic(folder.path(), 130);
    synthetic.add_cloud("grains", "spheres", 2000);
    synthetic.write();
    const RunReading run = read_run(folder.path());
    const double all = static_cast<double>(make_replay_page(run, {}).html.size());
    const ReplayPage page =
        make_replay_page(run, {.most_bytes = 0.7 * all, .fewest_frames = 10, .most_bytes_ever = 1e9});
    EXPECT_LT(static_cast<double>(page.html.size()), 0.75 * all);
    EXPECT_LT(page.frames, 70u);
    EXPECT_GE(page.frames, 10u);
    const ReplayPage kept =
        make_replay_page(run, {.most_bytes = 0.7 * all, .fewest_frames = 100, .most_bytes_ever = 1e9});
    EXPECT_EQ(kept.frames, 130u); // every other one would be fewer than 100
}

TEST(ReplayPage, TheLastFrameIsAlwaysThere)
{
    EXPECT_EQ(thinned(7, 3), (std::vector<std::size_t>{0, 3, 6}));
    EXPECT_EQ(thinned(6, 4), (std::vector<std::size_t>{0, 4, 5}));
    EXPECT_EQ(thinned(0, 4), (std::vector<std::size_t>{}));
}

TEST(LiveReplay, FollowsARunThatGrowsAndOneThatStartsAnew)
{
    const TemporaryFolder folder;
    const auto write = [&](int frames, double end) {
        SyntheticRun synthetic(folder.path(), frames, end);
        synthetic.add_cube("cube", "rigid", 0.2, Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(0, 2, 1));
        synthetic.write("Grows", "");
    };
    const auto frames = [](LiveReplay& live) { return Json::parse(live.head())["times"].size(); };
    LiveReplay live(folder.path());
    EXPECT_THROW(live.head(), FileError);
    write(0, 0);
    EXPECT_EQ(frames(live), 0u);
    write(5, 0.4);
    EXPECT_EQ(frames(live), 5u);
    write(21, 2.0); // the same times, and more
    EXPECT_EQ(frames(live), 21u);
    EXPECT_EQ(decompress_chunk(live.chunk("group-0")).contents["times"].size(), 16u);
    EXPECT_EQ(decompress_chunk(live.chunk("group-1")).contents["times"].size(), 5u);
    EXPECT_TRUE(live.chunk("group-2").empty());
    EXPECT_TRUE(live.chunk("group--1").empty());
    EXPECT_TRUE(live.chunk("../scene.yaml").empty());
    EXPECT_FALSE(live.chunk("tables").empty());
    write(4, 1.0);
    EXPECT_EQ(frames(live), 4u);
    EXPECT_EQ(decompress_chunk(live.chunk("group-0")).contents["times"].size(), 4u);
    write(9, 2.0); // more frames, but other ones
    EXPECT_EQ(frames(live), 9u);
    EXPECT_EQ(decompress_chunk(live.chunk("group-0")).contents["times"][1], 0.25);
}

TEST(Chunk, DamagedDataAreAnError)
{
    const std::string good = compress_chunk({.contents = {{"a", 1}}, .arrays = "xyz"});
    EXPECT_EQ(decompress_chunk(good).arrays, "xyz");
    EXPECT_THROW(decompress_chunk(good.substr(0, good.size() / 2)), InputError);
    EXPECT_THROW(decompress_chunk("not zlib at all"), InputError);
    EXPECT_THROW(decompress_chunk(""), InputError);
}

TEST(Base64, IsThatOfRfc4648)
{
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

} // namespace
} // namespace stickslip::packer_test
