#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/vti_file.h"
#include "stickslip/files/vtk_files.h"
#include "stickslip/math/error.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace stickslip::vti_file_test {
namespace {

const std::string text = R"(<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian">
<ImageData WholeExtent="1 2 0 2 0 0" Origin="1 2 3" Spacing="0.5 0.5 0.5"><Piece Extent="1 2 0 2 0 0">
<PointData Scalars="phi">
<DataArray type="Float64" Name="other" format="ascii">9 9 9 9 9 9</DataArray>
<DataArray type="Float32" Name="phi" format="ascii">0 1 2 3 4 5</DataArray>
</PointData></Piece></ImageData></VTKFile>
)";

std::string replaced(std::string_view from, const std::string& to)
{
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
}

GridSamples read(const std::string& content)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "a.vti", content);
    return read_vti((folder.path() / "a.vti").string());
}

std::string refusal(const std::string& content)
{
    try {
        read(content);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(VtiFile, HasXRunningFastest)
{
    const GridSamples samples = read(text);
    EXPECT_EQ(samples.origin, Vec3(1.5, 2, 3)); // of the first point of the extent
    EXPECT_EQ(samples.spacing, 0.5);
    EXPECT_EQ(samples.count, (std::array<int, 3>{2, 3, 1}));
    EXPECT_EQ(samples.values, (std::vector<double>{0, 2, 4, 1, 3, 5}));
}

TEST(VtiFile, AsThisProgramWritesThem)
{
    const TemporaryFolder folder;
    const std::vector<double> phi = {1, -2, 3, 4.5, 5, 6, 7, 8};
    write_vti(folder.path() / "b.vti",
        GridFrame{.origin = Vec3(0.1, 0, -1),
            .spacing = 0.25,
            .points = {2, 2, 2},
            .point_fields = {{"phi", std::span<const double>(phi)}}});
    const GridSamples samples = read_vti((folder.path() / "b.vti").string());
    EXPECT_EQ(samples.origin, Vec3(0.1, 0, -1));
    EXPECT_EQ(samples.values, (std::vector<double>{1, 5, 3, 7, -2, 6, 4.5, 8}));
}

TEST(VtiFile, SaysWhatDoesNotFit)
{
    struct Case {
        std::string content, message;
    };
    for (const Case& c : {Case{replaced("0.5 0.5 0.5", "0.5 0.5 1"), "the same Spacing > 0 along all axes"},
             {replaced("0.5 0.5 0.5", "0.5 0.5"), "Spacing=\"3 numbers\""},
             {replaced("0.5 0.5 0.5", "0 0 0"), "the same Spacing > 0"},
             {replaced("<Piece Extent=\"1 2", "<Piece Extent=\"1 1"), "one <Piece> with the whole extent"},
             {replaced("Scalars=\"phi\"", "Scalars=\"theta\""), "one array of point data with one component"},
             {replaced("Name=\"phi\"", "Name=\"phi\" NumberOfComponents=\"2\""),
                 "one array of point data with one component"},
             {replaced("WholeExtent=\"1 2 0 2", "WholeExtent=\"0.5 1.5 0 2"), "one <Piece>"},
             {replaced("Scalars=\"phi\"", ""), "one array of point data with one component"},
             {replaced("0 1 2 3 4 5", "0 1 2 3 4"), "expected 6 numbers in the array phi, found 5"},
             {replaced("0 1 2 3 4 5", "0 1 2 3 4 5 6"), "expected 6 numbers, found more"},
             {replaced("\"ImageData\"", "\"PolyData\""), "ImageData"},
             {replaced("Spacing=", "Direction=\"0 1 0 1 0 0 0 0 1\" Spacing="), "another Direction"},
             {replaced("WholeExtent=\"1 2 0 2 0 0\"", ""), "WholeExtent=\"6 numbers\""},
             {replaced("WholeExtent=\"1 2 0 2", "WholeExtent=\"1 2.5 0 2"), "one <Piece>"}, {"", "<VTKFile>"}})
        EXPECT_NE(refusal(c.content).find(c.message), std::string::npos) << refusal(c.content);
}

} // namespace
} // namespace stickslip::vti_file_test
