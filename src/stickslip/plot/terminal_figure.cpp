#include "stickslip/plot/terminal_figure.h"

#include "stickslip/math/types.h"
#include "stickslip/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stickslip {

namespace {

constexpr int rows = 14, axis_columns = 11, right_columns = 3, least_columns = 40;

// Colours 12 to 208 of the 256 that terminals know: readable on black and on white.
constexpr int ansi[] = {33, 208, 35, 170, 178, 44, 99, 143};

/// Dots, two columns and four rows a letter; each letter has the colour of the last curve through it.
class Canvas {
public:
    explicit Canvas(int columns)
        : columns_(columns)
        , dots_(static_cast<std::size_t>(columns) * rows, 0)
        , colour_(dots_.size(), -1)
    {
    }

    int width() const { return 2 * columns_; }
    int height() const { return 4 * rows; }

    void set(int x, int y, int colour)
    {
        static constexpr unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
        if (x < 0 || y < 0 || x >= width() || y >= height())
            return;
        const auto cell = static_cast<std::size_t>(y / 4 * columns_ + x / 2);
        dots_[cell] |= bit[y % 4][x % 2];
        colour_[cell] = colour;
    }

    void line(double x0, double y0, double x1, double y1, int colour)
    {
        const int steps = std::max(1, static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0)))));
        for (int i = 0; i <= steps; ++i) {
            const double t = static_cast<double>(i) / steps;
            set(static_cast<int>(std::lround(x0 + t * (x1 - x0))), static_cast<int>(std::lround(y0 + t * (y1 - y0))),
                colour);
        }
    }

    unsigned char dots(int row, int column) const { return dots_[static_cast<std::size_t>(row * columns_ + column)]; }
    int colour(int row, int column) const { return colour_[static_cast<std::size_t>(row * columns_ + column)]; }

private:
    int columns_;
    std::vector<unsigned char> dots_;
    std::vector<int> colour_;
};

std::string painted(const std::string& text, int colour, const TerminalStyle& style)
{
    if (!style.colours || colour < 0)
        return text;
    return "\033[38;5;" + std::to_string(ansi[static_cast<std::size_t>(colour) % std::size(ansi)]) + "m" + text
        + "\033[0m";
}

std::string braille(unsigned char dots) // U+2800 + dots
{
    return {static_cast<char>(0xE2), static_cast<char>(0xA0 | (dots >> 6)), static_cast<char>(0x80 | (dots & 0x3F))};
}

std::size_t letters_of(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string right_aligned(const std::string& text, std::size_t columns)
{
    const std::size_t length = letters_of(text);
    return std::string(length < columns ? columns - length : 0, ' ') + text;
}

std::string power(int exponent)
{
    return exponent == 0 ? "" : " x 1e" + std::to_string(exponent);
}

struct Scale {
    double min, max;
    int dots;
    double operator()(double value) const { return (value - min) / (max - min) * (dots - 1); }
};

void draw(Canvas& canvas, const Curve& curve, const Scale& x, const Scale& y, int colour)
{
    bool pen_down = false;
    double last_x = 0, last_y = 0;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) {
            pen_down = false;
            continue;
        }
        const double px = x(curve.x[i]), py = canvas.height() - 1 - y(curve.y[i]);
        canvas.line(pen_down ? last_x : px, pen_down ? last_y : py, px, py, colour);
        last_x = px, last_y = py, pen_down = true;
    }
}

/// Letters at the ends of the curves, by row; the next free row where two meet.
std::map<int, std::size_t> end_marks(const Panel& panel, const Scale& y)
{
    std::map<int, std::size_t> marks;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        const std::vector<double>& values = panel.curves[i].y;
        const auto end = std::find_if(values.rbegin(), values.rend(), [](double v) { return std::isfinite(v); });
        if (end == values.rend())
            continue;
        int row = rows - 1 - static_cast<int>(std::lround(y(*end))) / 4;
        while (marks.contains(row))
            --row;
        marks[row] = i;
    }
    return marks;
}

std::string letter(std::size_t curve)
{
    return std::string(1, static_cast<char>('a' + curve % 26));
}

std::string head(const Panel& panel, const Ticks& y, const TerminalStyle& style)
{
    std::string text = panel.label + power(y.exponent) + "\n";
    for (std::size_t i = 0; panel.needs_legend() && i < panel.curves.size(); ++i)
        text += std::string(axis_columns, ' ')
            + painted(letter(i) + "  " + panel.curves[i].label, static_cast<int>(i), style) + "\n";
    return text;
}

std::string panel_text(const Panel& panel, const Ticks& x, const TerminalStyle& style, int columns)
{
    const auto [low, high] = y_range(panel);
    const Ticks y = make_ticks(low, high, 4, true);
    Canvas canvas(columns);
    const Scale sx{x.min, x.max, canvas.width()}, sy{y.min, y.max, canvas.height()};
    for (std::size_t i = 0; i < panel.curves.size(); ++i)
        draw(canvas, panel.curves[i], sx, sy, static_cast<int>(i));
    std::map<int, std::string> labels; // by row
    for (std::size_t i = 0; i < y.at.size(); ++i)
        labels[rows - 1 - static_cast<int>(std::lround(sy(y.at[i]))) / 4] = y.labels[i];
    const std::map<int, std::size_t> marks = panel.needs_legend() ? end_marks(panel, sy) : std::map<int, std::size_t>();
    std::string text = head(panel, y, style);
    for (int row = 0; row < rows; ++row) {
        const bool tick = labels.contains(row);
        text += right_aligned(tick ? labels[row] : "", axis_columns - 2) + (tick ? " ┤" : " │");
        for (int column = 0; column < columns; ++column) {
            const unsigned char dots = canvas.dots(row, column);
            text += dots ? painted(braille(dots), canvas.colour(row, column), style) : " ";
        }
        if (const auto mark = marks.find(row); mark != marks.end())
            text += " " + painted(letter(mark->second), static_cast<int>(mark->second), style);
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n";
    }
    return text;
}

std::string x_axis(const Ticks& x, int columns, const std::string& label)
{
    std::string axis, numbers(static_cast<std::size_t>(axis_columns), ' ');
    std::map<int, std::string> at;
    const Scale scale{x.min, x.max, columns};
    for (std::size_t i = 0; i < x.at.size(); ++i)
        at[static_cast<int>(std::lround(scale(x.at[i])))] = x.labels[i];
    for (int column = 0; column < columns; ++column)
        axis += at.contains(column) ? "┬" : "─";
    std::size_t written = numbers.size();
    for (const auto& [column, text] : at) {
        const std::size_t place = axis_columns + static_cast<std::size_t>(column) - letters_of(text) / 2;
        numbers += std::string(place > written ? place - written : 1, ' ') + text;
        written = std::max(place, written + 1) + letters_of(text);
    }
    return std::string(axis_columns - 1, ' ') + "└" + axis + "\n" + numbers + "\n"
        + right_aligned(label + power(x.exponent), static_cast<std::size_t>(axis_columns + columns)) + "\n";
}

} // namespace

std::string terminal_figure(const Figure& figure, const TerminalStyle& style)
{
    const int columns = std::max(style.columns, least_columns) - axis_columns - right_columns;
    const auto [low, high] = x_range(figure);
    const Ticks x = make_ticks(low, high, 6, false);
    std::string text = figure.title.empty() ? "" : figure.title + "\n\n";
    for (const Panel& panel : figure.panels)
        text += panel_text(panel, x, style, columns)
            + (&panel == &figure.panels.back() ? x_axis(x, columns, figure.x_label) : "\n");
    return text;
}

} // namespace stickslip
