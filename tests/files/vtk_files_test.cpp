#include "stickslip/files/vtk_files.h"

#include "stickslip/math/error.h"
#include "support/temporary_folder.h"
#include "support/vtk_file_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace stickslip::vtk_files_test {
namespace {

/// Arrays of a frame of `count` cells and `count` + 3 points, none for 0. Numbers of any bits, NaN too.
struct FrameData {
    explicit FrameData(int count)
    {
        std::mt19937_64 random(5);
        const auto number = [&] { return std::bit_cast<double>(random()); };
        const int point_count = count > 0 ? count + 3 : 0;
        for (int i = 0; i < point_count; ++i) {
            points.emplace_back(i, 0.5 * i, -1.0 / (i + 1));
            velocity.emplace_back(number(), number(), number());
            speed.push_back(number());
        }
        for (int i = 0; i < count; ++i) {
            tets.push_back({i, i + 1, i + 2, i + 3});
            triangles.push_back({i, i + 2, i + 1});
            volume_ratio.push_back(number());
            body.push_back(i % 7 - 1);
            axis.emplace_back(number(), -0.0, infinity);
            stress.push_back({number(), number(), number(), number(), -0.0, infinity});
        }
    }
    std::vector<FrameField> point_fields() const
    {
        return {{"velocity", std::span<const Vec3>(velocity)}, {"speed", std::span<const double>(speed)}};
    }
    std::vector<FrameField> cell_fields() const
    {
        return {{"volume_ratio", std::span<const double>(volume_ratio)}, {"body", std::span<const int>(body)},
            {"axis", std::span<const Vec3>(axis)}, {"stress", std::span<const SymmetricEntries>(stress)}};
    }
    TetFrame tet_frame() const
    {
        return {.points = points, .tets = tets, .point_fields = point_fields(), .cell_fields = cell_fields()};
    }
    TriangleFrame triangle_frame() const
    {
        return {.points = points, .triangles = triangles, .point_fields = point_fields(), .cell_fields = cell_fields()};
    }

    std::vector<Vec3> points, velocity, axis;
    std::vector<double> speed, volume_ratio;
    std::vector<SymmetricEntries> stress;
    std::vector<int> body;
    std::vector<Tetrahedron> tets;
    std::vector<Triangle> triangles;
};

// The last: points and connectivity need several blocks of 256 KiB; 32765 + 3 doubles are exactly one.
const int counts[] = {0, 1, 2, 32765, 40000};

template <typename Value>
std::string bytes(const std::vector<Value>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

template <std::size_t corners>
std::vector<std::int64_t> flat(const std::vector<std::array<int, corners>>& cells)
{
    std::vector<std::int64_t> result;
    for (const auto& cell : cells)
        result.insert(result.end(), cell.begin(), cell.end());
    return result;
}

std::vector<std::int64_t> multiples(std::size_t count, std::int64_t step)
{
    std::vector<std::int64_t> result;
    for (std::size_t i = 1; i <= count; ++i)
        result.push_back(step * static_cast<std::int64_t>(i));
    return result;
}

void expect_array(
    const VtkFileReader& file, const std::string& name, const char* type, int components, const std::string& expected)
{
    ASSERT_TRUE(file.has(name)) << name;
    EXPECT_EQ(file.array(name).type, type) << name;
    EXPECT_EQ(file.array(name).components, components) << name;
    EXPECT_TRUE(file.array(name).bytes == expected) << name;
}

void expect_fields(const VtkFileReader& file, const FrameData& data)
{
    expect_array(file, "Points/Points", "Float64", 3, bytes(data.points));
    expect_array(file, "PointData/velocity", "Float64", 3, bytes(data.velocity));
    expect_array(file, "PointData/speed", "Float64", 1, bytes(data.speed));
    expect_array(file, "CellData/volume_ratio", "Float64", 1, bytes(data.volume_ratio));
    expect_array(file, "CellData/body", "Int32", 1, bytes(data.body));
    expect_array(file, "CellData/axis", "Float64", 3, bytes(data.axis));
    expect_array(file, "CellData/stress", "Float64", 6, bytes(data.stress));
    EXPECT_NE(file.header().find("ComponentName4=\"YZ\""), std::string::npos);
}

TEST(VtuFile, ComesBackBitForBit)
{
    const TemporaryFolder folder;
    for (const int count : counts) {
        const FrameData data(count);
        write_vtu(folder.path() / "a.vtu", data.tet_frame());
        const VtkFileReader file(folder.path() / "a.vtu");
        expect_fields(file, data);
        EXPECT_EQ(file.values<std::int64_t>("Cells/connectivity"), flat(data.tets));
        EXPECT_EQ(file.values<std::int64_t>("Cells/offsets"), multiples(data.tets.size(), 4));
        EXPECT_EQ(file.array("Cells/types").bytes, std::string(data.tets.size(), '\x0a'));
        EXPECT_NE(
            file.header().find("NumberOfPoints=\"" + std::to_string(data.points.size()) + "\""), std::string::npos);
        EXPECT_NE(file.header().find("NumberOfCells=\"" + std::to_string(data.tets.size()) + "\""), std::string::npos);
    }
}

TEST(VtuFile, SplitsLongArraysIntoBlocks)
{
    const TemporaryFolder folder;
    const FrameData data(32765);
    write_vtu(folder.path() / "a.vtu", data.tet_frame());
    const VtkFileReader file(folder.path() / "a.vtu");
    EXPECT_EQ(file.array("PointData/speed").blocks, 1u); // exactly full
    EXPECT_EQ(file.array("CellData/volume_ratio").blocks, 1u); // nearly
    EXPECT_EQ(file.array("Points/Points").blocks, 3u);
    EXPECT_EQ(file.array("Cells/connectivity").blocks, 4u);
}

TEST(VtpFile, TrianglesComeBackBitForBit)
{
    const TemporaryFolder folder;
    for (const int count : counts) {
        const FrameData data(count);
        write_vtp(folder.path() / "a.vtp", data.triangle_frame());
        const VtkFileReader file(folder.path() / "a.vtp");
        expect_fields(file, data);
        EXPECT_EQ(file.values<std::int64_t>("Polys/connectivity"), flat(data.triangles));
        EXPECT_EQ(file.values<std::int64_t>("Polys/offsets"), multiples(data.triangles.size(), 3));
        EXPECT_TRUE(file.values<std::int64_t>("Verts/connectivity").empty());
    }
}

TEST(VtpFile, PointsAreVertices)
{
    const TemporaryFolder folder;
    for (const int count : counts) {
        const FrameData data(count);
        write_vtp(folder.path() / "a.vtp", PointFrame{.points = data.points, .point_fields = data.point_fields()});
        const VtkFileReader file(folder.path() / "a.vtp");
        expect_array(file, "Points/Points", "Float64", 3, bytes(data.points));
        expect_array(file, "PointData/velocity", "Float64", 3, bytes(data.velocity));
        std::vector<std::int64_t> numbers = multiples(data.points.size(), 1);
        EXPECT_EQ(file.values<std::int64_t>("Verts/offsets"), numbers);
        for (std::int64_t& number : numbers)
            --number;
        EXPECT_EQ(file.values<std::int64_t>("Verts/connectivity"), numbers);
        EXPECT_TRUE(file.values<std::int64_t>("Polys/connectivity").empty());
    }
}

/// The points of FrameData as a row along y.
GridFrame grid_frame(const FrameData& data)
{
    return {.origin = Vec3(0.1, -2, 3e-7),
        .spacing = 0.3,
        .points = {1, static_cast<int>(data.points.size()), 1},
        .point_fields = data.point_fields()};
}

TEST(VtiFile, GridsComeBackBitForBit)
{
    const TemporaryFolder folder;
    const FrameData data(1);
    write_vti(folder.path() / "a.vti", grid_frame(data));
    const VtkFileReader file(folder.path() / "a.vti");
    expect_array(file, "PointData/velocity", "Float64", 3, bytes(data.velocity));
    expect_array(file, "PointData/speed", "Float64", 1, bytes(data.speed));
    for (const char* words : {"WholeExtent=\"0 0 0 3 0 0\"", "<Piece Extent=\"0 0 0 3 0 0\">",
             "Spacing=\"0.29999999999999999 0.29999999999999999 0.29999999999999999\"",
             "Origin=\"0.10000000000000001 -2 2.9999999999999999e-07\""})
        EXPECT_NE(file.header().find(words), std::string::npos) << words;
}

TEST(SymmetricEntries, AreInTheOrderOfVtk)
{
    Mat3 t;
    t << 1, 2, 3, 4, 5, 6, 7, 8, 9;
    EXPECT_EQ(symmetric_entries(t), (SymmetricEntries{1, 5, 9, 3, 7, 5}));
}

TEST(VtkFile, SameInputGivesTheSameBytes)
{
    const TemporaryFolder folder;
    write_vtu(folder.path() / "a.vtu", FrameData(500).tet_frame());
    write_vtu(folder.path() / "b.vtu", FrameData(500).tet_frame());
    EXPECT_EQ(read_file(folder.path() / "a.vtu"), read_file(folder.path() / "b.vtu"));
}

TEST(VtkFile, EscapesNames)
{
    const TemporaryFolder folder;
    const FrameData data(1);
    write_vtp(folder.path() / "a.vtp",
        PointFrame{.points = data.points, .point_fields = {{"a<b&\"c\"", std::span<const double>(data.speed)}}});
    EXPECT_TRUE(VtkFileReader(folder.path() / "a.vtp").has("PointData/a&lt;b&amp;&quot;c&quot;"));
}

TEST(VtkFile, ThatCannotBeWrittenIsAFileError)
{
    const TemporaryFolder folder;
    EXPECT_THROW(write_vtu(folder.path() / "none" / "a.vtu", FrameData(1).tet_frame()), FileError);
}

TEST(VtkFileDeathTest, AFieldOfAnotherLengthIsADefect)
{
    const FrameData data(1);
    const PointFrame frame{.points = data.points, .point_fields = {{"f", std::span<const double>(data.volume_ratio)}}};
    EXPECT_DEATH(write_vtp("unused.vtp", frame), "values.size\\(\\) == count");
}

TEST(VtkFile, IsReadByAnIndependentReader)
{
    if (std::system("python3 -c 'import zlib' 2>/dev/null") != 0)
        GTEST_SKIP() << "python3 is not there";
    const TemporaryFolder folder;
    std::string command = "python3 '" STICKSLIP_SOURCE_DIR "/tests/files/read_vtk_check.py'";
    for (const int count : counts) {
        const FrameData data(count);
        const auto base = folder.path() / std::to_string(count);
        write_vtu(base.string() + ".vtu", data.tet_frame());
        write_vtp(base.string() + ".vtp", data.triangle_frame());
        write_vtp(base.string() + "p.vtp", PointFrame{.points = data.points, .point_fields = data.point_fields()});
        for (const char* ending : {".vtu", ".vtp", "p.vtp"})
            command += " '" + base.string() + ending + "'";
    }
    write_vti(folder.path() / "a.vti", grid_frame(FrameData(5)));
    command += " '" + (folder.path() / "a.vti").string() + "'";
    EXPECT_EQ(std::system((command + " > /dev/null").c_str()), 0);
}

} // namespace
} // namespace stickslip::vtk_files_test
