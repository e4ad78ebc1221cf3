#include "stickslip/render/labels.h"

#include "stickslip/plot/ticks.h"
#include "stickslip/render/lettering.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stickslip {

namespace {

constexpr double lines = 34; // of text that a picture has room for
constexpr int smallest_text = 9; // [pixels]
constexpr double bar_share = 0.45; // of the height of the picture

Colour ink()
{
    return from_srgb(0x2b2f36);
}

/// With a pale rim, so that it can be read over anything.
void write(Picture& picture, int x, int y, const std::string& text, int height, const Lettering& letters)
{
    const int rim = std::max(1, height / 14);
    for (const int dx : {-rim, 0, rim})
        for (const int dy : {-rim, 0, rim})
            if (dx != 0 || dy != 0)
                letters.write(picture, x + dx, y + dy, text, background_colour());
    letters.write(picture, x, y, text, ink());
}

/// Shortened by three dots until it fits.
std::string fitting(std::string text, int width, const Lettering& letters)
{
    if (letters.width(text) <= width)
        return text;
    while (!text.empty() && letters.width(text + "...") > width) {
        while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) // within a character
            text.pop_back();
        text.pop_back();
    }
    return text + "...";
}

struct Mark {
    double share; // [-] of the height of the bar
    std::string label;
};

/// Plain as ticks are: the title has their exponent.
std::string end_label(double value)
{
    return formatted(std::abs(value) < 999.5 ? "%.3g" : "%.0f", value);
}

/// The ends of a scale, and between them the ticks that have room of `least` beside an end.
std::vector<Mark> marks_of(const ColourBar& bar, const Ticks& ticks, double least)
{
    std::vector<Mark> marks;
    for (const double end : {bar.from, bar.to})
        marks.push_back({end == bar.from ? 0.0 : 1.0, end_label(end * std::pow(10, -ticks.exponent))});
    for (std::size_t i = 0; i < ticks.at.size(); ++i) {
        const double share = (ticks.at[i] - bar.from) / (bar.to - bar.from);
        if (share > least && share < 1 - least)
            marks.push_back({share, ticks.labels[i]});
    }
    return marks;
}

void draw_bar(Picture& picture, const ColourBar& bar, int text, const Lettering& letters)
{
    const Ticks ticks = make_ticks(bar.from, bar.to, 5, false);
    std::string title = bar.title;
    if (ticks.exponent != 0)
        title.insert(title.find('[') + 1, "1e" + std::to_string(ticks.exponent) + " ");
    const int height = static_cast<int>(bar_share * picture.height), wide = text * 4 / 5;
    const std::vector<Mark> marks = marks_of(bar, ticks, 1.2 * text / height);
    int room = 0; // of the labels
    for (const Mark& mark : marks)
        room = std::max(room, letters.width(mark.label));
    const int right = picture.width - text - room - text / 2, left = right - wide;
    const int top = (picture.height - height) / 2, bottom = top + height;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
            paint(picture, x, y, scale_colour(1 - (y - top + 0.5) / height), 1);
    for (const Mark& mark : marks) {
        const int y = bottom - static_cast<int>(std::lround(mark.share * height));
        for (int x = right; x < right + text / 4; ++x)
            paint(picture, x, std::clamp(y, top, bottom - 1), ink(), 1);
        write(picture, right + text / 2, y + text / 3, mark.label, text, letters);
    }
    const int end = picture.width - text;
    write(picture, end - letters.width(title), top - text, title, text, letters);
}

/// Filled, with a pale rim, from the left to the right.
void draw_arrow(Picture& picture, int left, int middle, double pixels, int text)
{
    const double head = std::min(0.6 * text, 0.6 * pixels), thick = std::max(1.0, text / 12.0);
    const auto half_width = [&](double from_tip) { return from_tip < head ? 0.45 * from_tip : thick; };
    const int rim = std::max(1, text / 14), length = static_cast<int>(std::lround(pixels));
    for (const int grown : {rim, 0})
        for (int x = -grown; x < length + grown; ++x) {
            const int half =
                static_cast<int>(std::lround(half_width(std::clamp(pixels - x - 0.5, 0.0, pixels)))) + grown;
            for (int y = -half; y <= half; ++y)
                paint(picture, left + x, middle + y, grown > 0 ? background_colour() : ink(), 1);
        }
}

void draw_force_key(Picture& picture, const ForceKey& key, int text, const Lettering& letters)
{
    const std::string force = "= " + key.force;
    const int begin = picture.width - text - letters.width(force), base = picture.height - text;
    write(picture, begin, base, force, text, letters);
    const int left = begin - text / 2 - static_cast<int>(std::lround(key.pixels));
    draw_arrow(picture, left, base - text / 3, key.pixels, text);
}

} // namespace

void draw_labels(Picture& picture, const Labels& labels)
{
    const int text = std::max(smallest_text, static_cast<int>(picture.height / lines));
    const Lettering letters(text);
    const int room = picture.width - 2 * text;
    write(picture, text, 2 * text, fitting(labels.title, room, letters), text, letters);
    write(picture, text, picture.height - text, fitting(labels.time, room, letters), text, letters);
    if (labels.bar)
        draw_bar(picture, *labels.bar, text, letters);
    if (labels.arrow)
        draw_force_key(picture, *labels.arrow, text, letters);
}

} // namespace stickslip
