#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// Position in the input, line and column counted from 1.
/// Given by an override (`--set`): override_index counts from 0, line is 0, and column is that in the override; 0: it
/// is not known. Neither: the file does not say it, a default holds.
struct SourcePosition {
    int line = 0;
    int column = 0;
    int override_index = -1;
    int include = -1; // index into SceneSource::included; -1: the scene file itself
};

/// A file that a scene includes.
struct IncludedSource {
    std::string file; // as the caller would name it
    std::vector<std::string> lines;
};

/// The text a scene was read from, kept so that later stages can quote it.
struct SceneSource {
    std::string file; // as given by the caller, may be relative
    std::vector<std::string> lines; // without line ends
    std::vector<std::string> overrides; // "path.to.key=value" as given
    std::vector<IncludedSource> included; // in the order in which they were met
};

/// The line a position is in, or the override; empty where there is none.
std::string line_at(const SceneSource& source, const SourcePosition& where);

/// Column of a byte of a line: columns count characters.
int column_of(std::string_view line, std::size_t byte);

/// One thing wrong with the input. `path` may be empty (the file as a whole).
struct Fault {
    std::string file; // or "--set"
    int line = 0; // from 1; 0: no line to show
    int column = 0;
    std::string path; // "materials.oak.density"
    std::string message; // "expected a number > 0, got ..."
    std::string source; // the line itself; empty when there is none or it is too long to show
    bool warning = false;
    std::size_t tells_of = 1; // faults; "and 11 more" tells of 11
};

Fault make_fault(
    const SceneSource& source, const SourcePosition& where, const std::string& path, const std::string& message);

/// "file:line:column: error: path: message", then the source line and a line with a caret when there is one. No newline
/// at the end.
std::string format(const Fault& fault);

/// Far more than are told. Each conclusion is compared with all of them, so they must not grow with the file.
constexpr std::size_t most_recorded_faults = 1000;

/// In the order of the file; what is too many becomes one line.
std::vector<Fault> in_order(std::vector<Fault> faults, const std::string& file);

/// All of them, a line end after each.
std::string format(const std::vector<Fault>& faults);

} // namespace stickslip
