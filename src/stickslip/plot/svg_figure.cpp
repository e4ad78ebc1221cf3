#include "stickslip/plot/svg_figure.h"

#include "stickslip/files/xml_text.h"
#include "stickslip/math/types.h"
#include "stickslip/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace stickslip {

namespace {

// All lengths in pixels of the SVG's own frame.
constexpr double width = 800, margin = 24, axis_left = 84, axis_right = width - 28;
constexpr double title_height = 34, title_line = 20, title_glyph = 9.3, panel_head = 34, legend_row = 22,
                 panel_gap = 20, x_axis_height = 46;
constexpr double single_height = 320, stacked_height = 190;
constexpr double font = 13, glyph_width = 0.56 * font; // on average

// Colours of the curves: told apart by all common kinds of colour blindness, light and dark background.
constexpr const char* style_sheet = R"(<style>
text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#4b5563}
.title{font-size:15px;font-weight:600;fill:#111827}
.label{font-weight:600;fill:#111827}
.ticks{font-size:12px;font-variant-numeric:tabular-nums}
.card{fill:#ffffff}
.grid{stroke:#e5e7eb;stroke-width:1;fill:none}
.zero{stroke:#9ca3af}
.curve{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.c0{stroke:#0067ad}.c1{stroke:#d55e00}.c2{stroke:#008a64}.c3{stroke:#b0529a}.c4{stroke:#c98a00}.c5{stroke:#3b9fdb}.c6{stroke:#6b4fbb}.c7{stroke:#7a7a3a}
.round2{stroke-dasharray:7 5}
.reference{stroke:#cbd2dc;stroke-width:7}
@media(prefers-color-scheme:dark){
text{fill:#a6adbb}.title,.label{fill:#f3f4f6}.card{fill:#15181e}.grid{stroke:#2a303a}.zero{stroke:#5b6472}
.c0{stroke:#56a8f0}.c1{stroke:#ff8b3d}.c2{stroke:#35c796}.c3{stroke:#e08fcb}.c4{stroke:#f0bd45}.c5{stroke:#8fd3ff}.c6{stroke:#a995f5}.c7{stroke:#bcbc78}
.reference{stroke:#47505e}}
</style>
)";
constexpr int palette_size = 8;

std::string format(const char* pattern, auto... values)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

std::string text_element(double x, double y, const char* kind, const char* anchor, const std::string& text)
{
    return format("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">", x, y, kind, anchor) + xml_escape(text)
        + "</text>\n";
}

/// Letters of a UTF-8 text.
double text_width(const std::string& text)
{
    return glyph_width
        * static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string curve_class(const Curve& curve)
{
    if (curve.reference)
        return "curve reference";
    return format("curve c%d%s", curve.colour % palette_size, curve.colour < palette_size ? "" : " round2");
}

/// Where data are in the picture.
struct Axes {
    Ticks x, y;
    double top, height;

    double px(double value) const { return axis_left + (value - x.min) / (x.max - x.min) * (axis_right - axis_left); }
    double py(double value) const { return top + height * (1 - (value - y.min) / (y.max - y.min)); }
};

/// Path data of one curve. A pixel column that holds many points keeps its first, lowest, highest and last.
std::string path_data(const Curve& curve, const Axes& axes)
{
    std::string path;
    bool pen_down = false;
    const auto go = [&](double x, double y) {
        path += format(pen_down ? "L%.2f %.2f" : "M%.2f %.2f", x, y);
        pen_down = true;
    };
    for (std::size_t i = 0; i < curve.x.size();) {
        if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) {
            pen_down = false;
            ++i;
            continue;
        }
        const double column = std::floor(axes.px(curve.x[i]));
        std::size_t end = i, low = i, high = i;
        for (; end < curve.x.size() && std::isfinite(curve.y[end]) && std::floor(axes.px(curve.x[end])) == column;
             ++end) {
            low = curve.y[end] < curve.y[low] ? end : low;
            high = curve.y[end] > curve.y[high] ? end : high;
        }
        std::vector<std::size_t> kept = {i, std::min(low, high), std::max(low, high), end - 1};
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        for (const std::size_t k : kept)
            go(axes.px(curve.x[k]), axes.py(curve.y[k]));
        i = end;
    }
    return path;
}

std::string scaled_label(const std::string& label, int exponent)
{
    if (exponent == 0)
        return label;
    std::string digits;
    for (const char c : std::to_string(exponent)) {
        static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        digits += c == '-' ? "⁻" : raised[c - '0'];
    }
    return label + " × 10" + digits;
}

std::string grid(const Axes& axes, bool with_x_labels)
{
    std::string svg;
    const double bottom = axes.top + axes.height;
    for (std::size_t i = 0; i < axes.y.at.size(); ++i) {
        const double y = axes.py(axes.y.at[i]);
        const bool zero = axes.y.labels[i] == "0";
        svg +=
            format("<path class=\"grid%s\" d=\"M%.1f %.1fH%.1f\"/>\n", zero ? " zero" : "", axis_left, y, axis_right);
        svg += text_element(axis_left - 10, y + 4, "ticks", "end", axes.y.labels[i]);
    }
    for (std::size_t i = 0; i < axes.x.at.size(); ++i) {
        const double x = axes.px(axes.x.at[i]);
        svg += format("<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", x, axes.top, bottom);
        if (with_x_labels)
            svg += text_element(x, bottom + 20, "ticks", "middle", axes.x.labels[i]);
    }
    return svg;
}

/// Names of the curves in rows from `y` on; advances it below the last row.
std::string legend(const Panel& panel, double& y)
{
    std::string svg;
    double x = axis_left;
    y += legend_row;
    for (const Curve& curve : panel.curves) {
        const double needed = 34 + text_width(curve.label) + 18;
        if (x > axis_left && x + needed > axis_right + 18) {
            x = axis_left;
            y += legend_row;
        }
        svg += format("<path class=\"%s\" d=\"M%.1f %.1fh24\"/>\n", curve_class(curve).c_str(), x, y - 10);
        svg += text_element(x + 32, y - 5.5, "", "start", curve.label);
        x += needed;
    }
    return svg;
}

std::string panel_svg(const Panel& panel, const Ticks& x, double height, bool last, double& y)
{
    const auto [low, high] = y_range(panel);
    Axes axes{.x = x, .y = make_ticks(low, high, 5, true), .top = 0, .height = height};
    std::string svg = text_element(margin, y + 16, "label", "start", scaled_label(panel.label, axes.y.exponent));
    y += panel_head - 10;
    if (panel.needs_legend())
        svg += legend(panel, y);
    y += 10;
    axes.top = y;
    svg += grid(axes, last);
    for (const bool reference : {true, false}) // what is compared with lies below as a broad band
        for (const Curve& curve : panel.curves)
            if (curve.reference == reference)
                svg += "<path class=\"" + curve_class(curve) + "\" d=\"" + path_data(curve, axes) + "\"/>\n";
    y += height;
    return svg;
}

/// The title, broken at blanks into lines that fit into the picture.
std::vector<std::string> title_lines(const std::string& title)
{
    std::vector<std::string> lines;
    std::istringstream words(title);
    for (std::string word; words >> word;) {
        const bool fits =
            !lines.empty() && title_glyph / glyph_width * text_width(lines.back() + " " + word) <= width - 2 * margin;
        if (fits)
            lines.back() += " " + word;
        else
            lines.push_back(word);
    }
    return lines;
}

} // namespace

std::string svg_figure(const Figure& figure)
{
    const auto [low, high] = x_range(figure);
    const Ticks x = make_ticks(low, high, 8, false);
    const double height = figure.panels.size() == 1 ? single_height : stacked_height;
    double y = margin;
    std::string svg;
    const std::vector<std::string> title = title_lines(figure.title);
    for (const std::string& line : title) {
        svg += text_element(margin, y + 12, "title", "start", line);
        y += &line == &title.back() ? title_height : title_line;
    }
    for (const Panel& panel : figure.panels) {
        const bool last = &panel == &figure.panels.back();
        svg += panel_svg(panel, x, height, last, y);
        y += last ? x_axis_height : panel_gap;
    }
    svg += text_element(axis_right, y, "label", "end", scaled_label(figure.x_label, x.exponent));
    y += margin;
    return format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                  "role=\"img\">\n",
               width, y, width, y)
        + "<title>" + xml_escape(figure.title.empty() ? figure.panels.front().label : figure.title) + "</title>\n"
        + style_sheet + format("<rect class=\"card\" width=\"%.0f\" height=\"%.0f\" rx=\"10\"/>\n", width, y) + svg
        + "</svg>\n";
}

} // namespace stickslip
