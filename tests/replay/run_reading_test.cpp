#include "stickslip/replay/run_reading.h"

#include "replay/synthetic_run.h"
#include "stickslip/math/error.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace stickslip::run_reading_test {
namespace {

namespace fs = std::filesystem;

/// Every kind of body; floor 0, cube 1, soft 2, grains 3, snow 4.
void write_all_kinds(const fs::path& folder)
{
    SyntheticRun run(folder, 5);
    run.add_floor();
    run.add_cube("cube", "rigid", 0.2, Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(0, 2, 0));
    run.add_tetrahedron("soft, \"quoted\"", Vec3(1, 0, 0), Vec3(0, 1, 0));
    run.add_cloud("grains", "spheres", 30);
    run.add_cloud("snow", "mpm", 20);
    run.add_contacts();
    run.write("All kinds");
}

RecordedScene scene_of(const std::vector<std::string>& names)
{
    RecordedScene scene;
    for (const std::string& name : names)
        scene.bodies.push_back({.name = name});
    return scene;
}

TEST(RecordedScene, NamesBodiesThatAnotherHasNoneOf)
{
    using Names = std::vector<std::string>;
    const RecordedScene bricks = scene_of({"floor", "brick[0]", "brick[1]", "wall"});
    EXPECT_EQ(bricks.missing_in(bricks), Names());
    EXPECT_EQ(bricks.missing_in(scene_of({"floor"})), (Names{"brick", "wall"}));
    EXPECT_EQ(bricks.missing_in(scene_of({"floor", "wall", "brick[0]"})), Names{"brick[1]"});
    EXPECT_EQ(scene_of({"brick"}).missing_in(bricks), Names{"brick"});
}

TEST(RunReading, ReadsEveryKind)
{
    const TemporaryFolder folder;
    write_all_kinds(folder.path());
    const RunReading run = read_run(folder.path());
    EXPECT_TRUE(run.notes.empty());
    EXPECT_EQ(run.scene.title, "All kinds");
    EXPECT_EQ(run.status, RecordedStatus::done);
    ASSERT_EQ(run.scene.bodies.size(), 5u);
    const RecordedKind kinds[] = {RecordedKind::obstacle, RecordedKind::rigid, RecordedKind::deformable,
        RecordedKind::spheres, RecordedKind::mpm};
    for (int b = 0; b < 5; ++b)
        EXPECT_EQ(run.scene.bodies[b].kind, kinds[b]);
    EXPECT_TRUE(run.scene.bodies[0].is_plane);
    EXPECT_EQ(run.scene.friction, 0.3);
    EXPECT_EQ(run.frames.size(), 5u);
    EXPECT_EQ(run.history.rows, 5u);
    EXPECT_EQ(run.last_time(), 1);
    ASSERT_EQ(run.tracks[1].time.size(), 5u);
    EXPECT_LE((run.tracks[1].x[4] - Vec3(1, 1, 0)).norm(), 1e-15);
    EXPECT_EQ(run.tracks[2].at(run.frames[3].time), 3);
    EXPECT_EQ(run.tracks[2].at(0.123), -1);
}

TEST(RunReading, ReadsFramesWithTheirFields)
{
    const TemporaryFolder folder;
    write_all_kinds(folder.path());
    const RunReading run = read_run(folder.path());
    const RecordedFrame frame = read_frame(run, 2);
    EXPECT_TRUE(frame.notes.empty());
    EXPECT_EQ(frame.time, 0.5);
    ASSERT_EQ(frame.shapes.size(), 5u);
    EXPECT_EQ(frame.shapes[0].content.triangles.size(), 2u);
    EXPECT_EQ(frame.shapes[1].content.triangles.size(), 12u);
    EXPECT_EQ(frame.shapes[2].content.tets.size(), 1u);
    EXPECT_EQ(frame.shapes[2].content.cell_field("von_mises_stress")->values, std::vector<double>{500});
    EXPECT_LE((frame.shapes[2].content.points[0] - Vec3(1, 0.5, 0)).norm(), 1e-15);
    EXPECT_EQ(frame.shapes[3].content.point_field("radius")->values.size(), 30u);
    EXPECT_EQ(frame.shapes[4].content.point_field("velocity")->components, 3);
    ASSERT_EQ(frame.contacts.size(), 8u);
    EXPECT_EQ(frame.contacts[3].point_body, 2);
    EXPECT_EQ(frame.contacts[3].surface_body, 0);
    EXPECT_EQ(frame.contacts[3].force, Vec3(0.1, 3, 0));
    EXPECT_TRUE(frame.contacts[3].sticks);
    EXPECT_EQ(frame.contacts[3].depth, 2e-4);
    const std::vector<bool> wanted = {false, false, true, false, false};
    EXPECT_EQ(read_frame(run, 2, &wanted).shapes.size(), 1u);
}

TEST(RunReading, ReadsPlacesAlone)
{
    const TemporaryFolder folder;
    write_all_kinds(folder.path());
    const RunReading run = read_run(folder.path());
    const RecordedFrame whole = read_frame(run, 2), places = read_frame(run, 2, nullptr, VtkPart::places);
    ASSERT_EQ(places.shapes.size(), whole.shapes.size());
    EXPECT_TRUE(places.contacts.empty());
    for (std::size_t i = 0; i < places.shapes.size(); ++i) {
        const VtkContent& content = places.shapes[i].content;
        EXPECT_EQ(content.points, whole.shapes[i].content.points);
        EXPECT_TRUE(content.triangles.empty() && content.tets.empty() && content.cell_fields.empty());
    }
    EXPECT_EQ(places.shapes[3].content.point_field("radius")->values.size(), 30u);
    EXPECT_EQ(places.shapes[4].content.point_field("velocity"), nullptr);
}

TEST(RunReading, AFolderWithoutARunIsAnErrorThatNamesIt)
{
    const TemporaryFolder folder;
    EXPECT_NE(error_text<FileError>([&] { read_run(folder.path()); }).find("there is no run in it"), std::string::npos);
    EXPECT_NE(error_text<FileError>([&] { read_run(folder.path() / "missing"); }).find("missing"), std::string::npos);
    write_file_atomically(folder.path() / "file", "x");
    const auto error_of = [](const fs::path& path) { return error_text<FileError>([&] { read_run(path); }); };
    EXPECT_TRUE(error_of(folder.path() / "file").ends_with("expected a run folder, found a file"));
    for (const char* name : {"file.out", "other"}) {
        fs::create_directory(folder.path() / name);
        write_file_atomically(folder.path() / name / "history.csv", "time\n");
    }
    EXPECT_TRUE(
        error_of(folder.path() / "file").ends_with("; there is a run in " + (folder.path() / "file.out").string()));
    EXPECT_TRUE(error_of(folder.path())
                    .ends_with("; there are runs in " + (folder.path() / "file.out").string() + ", "
                        + (folder.path() / "other").string()));
}

TEST(RunReading, ARunThatHasJustStartedHasNoFramesAndNoEnd)
{
    const TemporaryFolder folder;
    write_all_kinds(folder.path());
    for (const char* name : {"frames.pvd", "summary.json", "history.csv", "bodies.csv"})
        fs::remove(folder.path() / name);
    const RunReading run = read_run(folder.path());
    EXPECT_TRUE(run.notes.empty());
    EXPECT_EQ(run.status, RecordedStatus::unfinished);
    EXPECT_TRUE(run.frames.empty());
    EXPECT_EQ(run.tracks.size(), 5u);
    EXPECT_EQ(run.last_time(), 0);
}

TEST(RunReading, ATableThatIsBeingWrittenEndsWithItsLastWholeRow)
{
    const TemporaryFolder folder;
    write_all_kinds(folder.path());
    fs::resize_file(folder.path() / "history.csv", fs::file_size(folder.path() / "history.csv") - 5);
    const RunReading run = read_run(folder.path());
    EXPECT_EQ(run.history.rows, 4u);
    EXPECT_TRUE(run.notes.empty());
}

TEST(RunReading, DamagedFilesAreNotedAndTheRestIsRead)
{
    for (const char* name : {"scene.yaml", "frames.pvd", "summary.json"}) {
        const TemporaryFolder folder;
        write_all_kinds(folder.path());
        write_file_atomically(folder.path() / name, "{[damaged");
        const RunReading run = read_run(folder.path());
        ASSERT_EQ(run.notes.size(), 1u) << name;
        EXPECT_NE(run.notes[0].find(name), std::string::npos);
        EXPECT_EQ(run.history.rows, 5u);
    }
}

TEST(RunReading, DamagedFramesAreLeftOut)
{
    const TemporaryFolder folder;
    write_all_kinds(folder.path());
    const fs::path file = folder.path() / "frames/body2_1.vtu";
    const std::string whole = read_file(file);
    const std::size_t tail = std::string_view("\n</AppendedData>\n</VTKFile>\n").size();
    for (std::size_t length = 0; length < whole.size() - tail; length += 37) {
        write_file_atomically(file, whole.substr(0, length));
        const RecordedFrame frame = read_frame(read_run(folder.path()), 1);
        EXPECT_EQ(frame.shapes.size(), 4u) << length;
        EXPECT_EQ(frame.notes.size(), 1u) << length;
    }
    for (std::size_t i = 0; i < whole.size(); i += 11) { // any other byte: no crash, whatever is read
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 0x5a);
        write_file_atomically(file, changed);
        read_frame(read_run(folder.path()), 1);
    }
}

TEST(RunReading, WithoutASceneTheBodiesAreThoseOfTheFrames)
{
    const TemporaryFolder folder;
    write_all_kinds(folder.path());
    fs::remove(folder.path() / "scene.yaml");
    const RunReading run = read_run(folder.path());
    ASSERT_EQ(run.scene.bodies.size(), 5u);
    EXPECT_EQ(run.scene.bodies[2].name, "soft, \"quoted\"");
    EXPECT_EQ(run.notes.size(), 1u);
    EXPECT_EQ(read_frame(run, 0).shapes.size(), 5u);
}

/// floor 0, box 1, ball 2, all in the way a run writes them: the free rigid bodies, 1 and 2, share a file.
void write_rigid_bodies(const fs::path& folder)
{
    SyntheticRun(folder, 1).write();
    const std::vector<Vec3> x = {{1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {2, 0, 0}, {2, 1, 0}, {2, 0, 1}};
    const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
    const std::vector<int> body = {1, 1, 1, 2, 2, 2};
    const std::vector<Vec3> floor(x.begin(), x.begin() + 3);
    const std::vector<Triangle> one = {{0, 1, 2}};
    write_vtp(folder / "frames/floor_000000.vtp",
        TriangleFrame{.points = floor, .triangles = one, .point_fields = {}, .cell_fields = {}});
    write_vtp(folder / "frames/rigid_bodies_000000.vtp",
        TriangleFrame{.points = x,
            .triangles = triangles,
            .point_fields = {{"body", std::span<const int>(body)}},
            .cell_fields = {}});
    FrameSeries series(folder / "frames.pvd");
    series.add(0, {{"floor", "frames/floor_000000.vtp"}, {"rigid bodies", "frames/rigid_bodies_000000.vtp"}});
    series.write();
    std::string table = "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
    for (const char* name : {"floor", "box", "ball"})
        table += std::string("0,") + name + ",0,0,0,1,0,0,0,0,0,0,0,0,0\n";
    write_file_atomically(folder / "bodies.csv", table);
    fs::remove(folder / "scene.yaml");
}

TEST(RunReading, WithoutASceneRigidBodiesHaveTheNamesOfTheTable)
{
    const TemporaryFolder folder;
    write_rigid_bodies(folder.path());
    const RunReading run = read_run(folder.path());
    ASSERT_EQ(run.scene.bodies.size(), 3u);
    EXPECT_EQ(run.scene.bodies[2].name, "ball");
    const RecordedFrame frame = read_frame(run, 0);
    ASSERT_EQ(frame.shapes.size(), 3u);
    EXPECT_EQ(frame.shapes[2].body, 2);
    EXPECT_EQ(frame.shapes[2].content.points.front(), Vec3(2, 0, 0));
    EXPECT_EQ(frame.shapes[2].content.triangles.size(), 1u);
}

TEST(RunReading, RigidBodiesThatAreNotWantedAreNotRead)
{
    const TemporaryFolder folder;
    write_rigid_bodies(folder.path());
    RunReading run = read_run(folder.path());
    run.scene.bodies[0].kind = RecordedKind::obstacle;
    const std::vector<bool> floor = {true, false, false}, floor_and_ball = {true, false, true};
    EXPECT_EQ(read_frame(run, 0, &floor_and_ball).shapes.size(), 2u);
    write_file_atomically(folder.path() / "frames/rigid_bodies_000000.vtp", "no VTK file");
    EXPECT_EQ(read_frame(run, 0, &floor_and_ball).notes.size(), 1u);
    EXPECT_TRUE(read_frame(run, 0, &floor).notes.empty());
}

TEST(RunReading, WithoutASceneAndATableRigidBodiesAreLeftOut)
{
    const TemporaryFolder folder;
    write_rigid_bodies(folder.path());
    fs::remove(folder.path() / "bodies.csv");
    const RunReading run = read_run(folder.path());
    ASSERT_EQ(run.scene.bodies.size(), 1u);
    EXPECT_EQ(run.scene.bodies[0].name, "floor");
    const RecordedFrame frame = read_frame(run, 0);
    EXPECT_EQ(frame.shapes.size(), 1u);
    EXPECT_TRUE(frame.notes.empty());
}

TEST(RunReading, ABodyCalledContactsIsABody)
{
    EXPECT_TRUE(holds_contacts({.name = "contacts", .file = "frames/contacts_000012.vtp"}));
    EXPECT_FALSE(holds_contacts({.name = "contacts", .file = "frames/contacts-2_000012.vtp"}));
    EXPECT_FALSE(holds_contacts({.name = "contacts_1", .file = "frames/contacts_1_000012.vtp"}));
}

TEST(RunReading, WithoutTitleIsCalledByItsFolder)
{
    RunReading run;
    for (const char* folder : {"runs/slope.out", "runs/slope.out/", "slope.out/.", "runs/../slope.out//"}) {
        run.folder = folder;
        EXPECT_EQ(title_of(run), "slope.out") << folder;
    }
    run.folder = ".";
    EXPECT_EQ(folder_name(run), std::filesystem::current_path().filename());
    run.scene.title = "A block on a slope";
    EXPECT_EQ(title_of(run), "A block on a slope");
}

} // namespace
} // namespace stickslip::run_reading_test
