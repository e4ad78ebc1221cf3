#include "stickslip/plot/svg_figure.h"

#include "stickslip/math/types.h"
#include "stickslip/plot/terminal_figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace stickslip::svg_figure_test {
namespace {

Figure figure_of(std::vector<double> y)
{
    Curve curve{.label = "a <b> & c", .x = {}, .y = std::move(y)};
    for (std::size_t i = 0; i < curve.y.size(); ++i)
        curve.x.push_back(static_cast<double>(i));
    return {.title = "", .x_label = "time [s]", .panels = {{.label = "force [N]", .curves = {curve, curve}}}};
}

std::size_t count(const std::string& text, const std::string& word)
{
    std::size_t n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++n;
    return n;
}

/// Path data of the last curve.
std::string last_path(const std::string& svg)
{
    const std::size_t begin = svg.rfind(" d=\"") + 4;
    return svg.substr(begin, svg.find('"', begin) - begin);
}

TEST(SvgFigure, InterruptsACurveWhereItIsNoNumber)
{
    const std::string path = last_path(svg_figure(figure_of({1, 2, stickslip::nan, 3, 4, infinity, 5})));
    EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 3) << path;
    EXPECT_EQ(path.find("nan"), std::string::npos);
}

TEST(SvgFigure, KeepsSpikesWhenItThins)
{
    std::vector<double> y(200000, 0);
    y[77777] = 1;
    const std::string path = last_path(svg_figure(figure_of(y)));
    EXPECT_LT(path.size(), 60000u);
    const std::string smooth = last_path(svg_figure(figure_of(std::vector<double>(200000, 0))));
    EXPECT_NE(path, smooth);
    EXPECT_EQ(count(path, " 80.00"), 1u) << "one point at the top of the panel";
}

TEST(SvgFigure, WritesNamesAsText)
{
    const std::string svg = svg_figure(figure_of({1, 2}));
    EXPECT_EQ(count(svg, "a &lt;b&gt; &amp; c"), 2u);
    EXPECT_EQ(svg.find("<b>"), std::string::npos);
}

TEST(SvgFigure, ShowsAnEmptyCurve)
{
    const std::string svg = svg_figure(figure_of({}));
    EXPECT_EQ(last_path(svg), "");
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(TerminalFigure, HasNoLineWiderThanAsked)
{
    for (const int columns : {40, 80, 200}) {
        const std::string text = terminal_figure(figure_of({0, 1, 0.5, -3, stickslip::nan, 8}), {.columns = columns});
        std::size_t width = 0;
        for (const char c : text) {
            width = c == '\n' ? 0 : width + ((c & 0xC0) != 0x80);
            EXPECT_LE(width, static_cast<std::size_t>(columns)) << text;
        }
    }
}

} // namespace
} // namespace stickslip::svg_figure_test
