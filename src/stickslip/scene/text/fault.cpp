#include "stickslip/scene/text/fault.h"

#include <algorithm>
#include <tuple>

namespace stickslip {

namespace {

constexpr std::size_t longest_quoted_line = 500; // [bytes] a scene on one line (JSON) would drown the message
constexpr std::size_t most_faults = 20; // that are told

bool is_in_override(const SceneSource& source, const SourcePosition& where)
{
    return where.override_index >= 0 && where.override_index < static_cast<int>(source.overrides.size());
}

} // namespace

std::string line_at(const SceneSource& source, const SourcePosition& where)
{
    if (is_in_override(source, where))
        return source.overrides[where.override_index];
    const std::vector<std::string>& lines = where.include >= 0 ? source.included[where.include].lines : source.lines;
    return where.line >= 1 && where.line <= static_cast<int>(lines.size()) ? lines[where.line - 1] : "";
}

int column_of(std::string_view line, std::size_t byte)
{
    const std::string_view before = line.substr(0, byte);
    return 1 + static_cast<int>(std::ranges::count_if(before, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

Fault make_fault(
    const SceneSource& source, const SourcePosition& where, const std::string& path, const std::string& message)
{
    Fault fault{.file = where.include >= 0 ? source.included[where.include].file : source.file,
        .line = where.line,
        .column = where.column,
        .path = path,
        .message = message};
    const std::string line = line_at(source, where);
    if (is_in_override(source, where)) {
        fault.file = "--set " + line.substr(0, line.find('='));
        fault.line = 0;
    }
    if (where.column > 0 && line.size() <= longest_quoted_line)
        fault.source = line;
    return fault;
}

namespace {

/// Blanks up to the column, but tabs where the line has tabs, so that the caret stands below the right place.
std::string caret_line(const std::string& line, int column)
{
    std::string blanks;
    int characters = 1;
    for (std::size_t i = 0; i < line.size() && characters < column; ++i) {
        const bool continues = (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80; // inside one UTF-8 character
        if (continues)
            continue;
        blanks += line[i] == '\t' ? '\t' : ' ';
        ++characters;
    }
    return blanks + std::string(column > characters ? column - characters : 0, ' ') + "^";
}

} // namespace

std::string format(const Fault& fault)
{
    const bool override = fault.file.starts_with("--set ");
    std::string text = fault.file;
    if (fault.line > 0)
        text += ":" + std::to_string(fault.line) + ":" + std::to_string(fault.column);
    text += ": ";
    if (fault.warning)
        text += "warning: ";
    else
        text += "error: ";
    const bool path_said = override && fault.file == "--set " + fault.path;
    if (!fault.path.empty() && !path_said)
        text += fault.path + ": ";
    text += fault.message;
    if (!fault.source.empty())
        text += "\n" + fault.source + "\n" + caret_line(fault.source, fault.column);
    return text;
}

std::vector<Fault> in_order(std::vector<Fault> faults, const std::string& file)
{
    const auto place = [&](const Fault& f) { // the scene itself before what it includes
        return f.line == 0 ? std::tuple(false, false, std::string(), 0, 0) // of overrides: as they were found
                           : std::tuple(true, f.file != file, f.file, f.line, f.column);
    };
    std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return place(a) < place(b); });
    if (faults.size() > most_faults) {
        const std::size_t rest = faults.size() - most_faults;
        const std::string at_least = faults.size() < most_recorded_faults ? "" : "at least ";
        Fault more{.file = file, .message = "and " + at_least + std::to_string(rest) + " more"};
        more.warning = faults.front().warning;
        more.tells_of = rest;
        faults.resize(most_faults);
        faults.push_back(std::move(more));
    }
    return faults;
}

std::string format(const std::vector<Fault>& faults)
{
    std::string text;
    for (const Fault& fault : faults)
        text += format(fault) + "\n";
    return text;
}

} // namespace stickslip
