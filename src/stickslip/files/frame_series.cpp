#include "stickslip/files/frame_series.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/csv.h"
#include "stickslip/files/xml_text.h"
#include "stickslip/math/check.h"
#include "stickslip/math/error.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace stickslip {

namespace {

constexpr std::string_view head =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
constexpr std::string_view tail = "</Collection>\n</VTKFile>\n";

std::string entry_text(double time, std::size_t part, const FramePart& entry)
{
    return "<DataSet timestep=\"" + csv_number(time) + "\" part=\"" + std::to_string(part) + "\" name=\""
        + xml_escape(entry.name) + "\" file=\"" + xml_escape(entry.file) + "\"/>\n";
}

/// Takes `expected` off the front of `text`.
bool take(std::string_view& text, std::string_view expected)
{
    if (!text.starts_with(expected))
        return false;
    text.remove_prefix(expected.size());
    return true;
}

/// Takes the value of an attribute and its closing quote.
std::optional<std::string_view> take_value(std::string_view& text)
{
    const std::size_t quote = text.find('"');
    if (quote == std::string_view::npos)
        return std::nullopt;
    const std::string_view value = text.substr(0, quote);
    text.remove_prefix(quote + 1);
    return value;
}

struct Entry {
    double time;
    std::size_t part;
    FramePart content;
};

template <typename Number>
bool read_number(std::string_view text, Number& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// The entry at the front of `text`, if that is what stands there.
std::optional<Entry> take_entry(std::string_view& text)
{
    std::optional<std::string_view> values[4];
    std::size_t i = 0;
    for (const std::string_view before : {"<DataSet timestep=\"", " part=\"", " name=\"", " file=\""}) {
        if (!take(text, before) || !(values[i] = take_value(text)))
            return std::nullopt;
        ++i;
    }
    Entry entry;
    if (!take(text, "/>\n") || !read_number(*values[0], entry.time) || !std::isfinite(entry.time)
        || !read_number(*values[1], entry.part))
        return std::nullopt;
    entry.content = {.name = xml_unescape(*values[2]), .file = xml_unescape(*values[3])};
    return entry;
}

} // namespace

FrameSeries FrameSeries::read(const std::filesystem::path& path)
{
    const std::string content = read_file(path);
    const auto fault = [&](std::size_t line) {
        return InputError(path.string() + ":" + std::to_string(line)
            + ": error: expected a list of frames as this program writes it");
    };
    std::string_view text = content;
    if (!take(text, head))
        throw fault(1);
    FrameSeries series(path);
    std::size_t line = 4; // the three of the head are behind us
    for (; text != tail; ++line) {
        std::optional<Entry> entry = take_entry(text);
        if (!entry)
            throw fault(line);
        if (entry->part == 0) {
            if (!series.frames_.empty() && !(entry->time > series.frames_.back().time))
                throw fault(line);
            series.frames_.push_back({.time = entry->time, .parts = {}});
        }
        if (series.frames_.empty() || entry->time != series.frames_.back().time
            || entry->part != series.frames_.back().parts.size())
            throw fault(line);
        series.frames_.back().parts.push_back(std::move(entry->content));
    }
    return series;
}

void FrameSeries::add(double time, std::vector<FramePart> parts)
{
    STICKSLIP_ASSERT(std::isfinite(time) && !parts.empty());
    STICKSLIP_ASSERT(frames_.empty() || time > frames_.back().time);
    frames_.push_back({.time = time, .parts = std::move(parts)});
}

void FrameSeries::cut(std::size_t count)
{
    if (count < frames_.size())
        frames_.resize(count);
}

void FrameSeries::write() const
{
    std::string text(head);
    for (const FrameOfSeries& frame : frames_)
        for (std::size_t part = 0; part < frame.parts.size(); ++part)
            text += entry_text(frame.time, part, frame.parts[part]);
    write_file_atomically(path_, text += tail);
}

} // namespace stickslip
