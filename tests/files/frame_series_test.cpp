#include "stickslip/files/frame_series.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/xml_text.h"
#include "stickslip/math/error.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <string>

namespace stickslip::frame_series_test {
namespace {

FrameSeries three_frames(const std::filesystem::path& path)
{
    FrameSeries series(path);
    series.add(0, {{"block", "frames/block-000000.vtu"}});
    series.add(0.1, {{"block", "frames/block-000001.vtu"}, {"a \"b\" <c> & d\ne", "frames/x&y.vtp"}});
    series.add(0.1 + 1e-17 + 0.1, {{"block", "frames/block-000002.vtu"}});
    return series;
}

TEST(FrameSeries, IsAParaViewCollection)
{
    const TemporaryFolder folder;
    FrameSeries series(folder.path() / "frames.pvd");
    series.add(0.1, {{"block", "frames/a.vtu"}, {"slope", "frames/b.vtp"}});
    series.write();
    EXPECT_EQ(read_file(folder.path() / "frames.pvd"),
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n"
        "<DataSet timestep=\"0.10000000000000001\" part=\"0\" name=\"block\" file=\"frames/a.vtu\"/>\n"
        "<DataSet timestep=\"0.10000000000000001\" part=\"1\" name=\"slope\" file=\"frames/b.vtp\"/>\n"
        "</Collection>\n</VTKFile>\n");
}

TEST(FrameSeries, ComesBack)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "frames.pvd";
    const FrameSeries series = three_frames(path);
    series.write();
    const FrameSeries again = FrameSeries::read(path);
    EXPECT_EQ(again.frames(), series.frames());
    again.write();
    EXPECT_EQ(FrameSeries::read(path).frames(), series.frames());
    FrameSeries(path).write();
    EXPECT_TRUE(FrameSeries::read(path).frames().empty());
}

TEST(FrameSeries, IsCutBackToANumberOfFrames)
{
    FrameSeries series = three_frames("unused.pvd");
    series.cut(7);
    EXPECT_EQ(series.frames().size(), 3u);
    series.cut(2);
    ASSERT_EQ(series.frames().size(), 2u);
    EXPECT_EQ(series.frames().back().parts.size(), 2u);
    series.add(0.15, {{"block", "b.vtu"}});
    series.cut(0);
    EXPECT_TRUE(series.frames().empty());
}

TEST(FrameSeries, CutAnywhereIsAnInputErrorWithTheLine)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "frames.pvd";
    three_frames(path).write();
    const std::string text = read_file(path);
    for (std::size_t length = 0; length < text.size(); ++length) {
        write_file_atomically(path, text.substr(0, length));
        EXPECT_TRUE(error_text<InputError>([&] { FrameSeries::read(path); }).starts_with(path.string() + ":"))
            << length;
    }
    write_file_atomically(path, text.substr(0, text.find("frames/x")));
    EXPECT_EQ(error_text<InputError>([&] { FrameSeries::read(path); }),
        path.string() + ":6: error: expected a list of frames as this program writes it");
    EXPECT_THROW(FrameSeries::read(folder.path() / "none"), FileError);
}

TEST(XmlText, ComesBackFromAnAttribute)
{
    for (const std::string text : {"", "plain", "<&>\"'", "&amp;lt;", "tab\tline\nend\r", "M\xc3\xbcller"})
        EXPECT_EQ(xml_unescape(xml_escape(text)), text);
    EXPECT_EQ(xml_escape("a\nb<"), "a&#10;b&lt;");
    EXPECT_EQ(xml_escape(std::string("a\x01z\0", 4)), "a_z_");
    EXPECT_EQ(xml_unescape("&unknown; & &#10"), "&unknown; & &#10");
}

} // namespace
} // namespace stickslip::frame_series_test
