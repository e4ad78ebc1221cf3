#include "stickslip/files/place_file.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace stickslip {

namespace {

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// A part of a line as a message may show it.
std::string shown(const std::string& line)
{
    std::string text = line.substr(0, 60);
    for (char& c : text)
        c = c >= ' ' && c <= '~' ? c : '?';
    return text;
}

/// Of a header that names other columns first: the numbers would be taken for what they are not.
bool names_places(const std::string& header)
{
    std::istringstream fields(header);
    for (const char axis : {'x', 'y', 'z'}) {
        std::string field;
        std::getline(fields, field, ',');
        const std::size_t letter = field.find_first_not_of(" \t\"");
        if (letter == std::string::npos || field[letter] != axis)
            return false;
    }
    return true;
}

/// What is wrong with a line of these numbers (none where a field is none) in a table of so many columns, 0: as many as
/// it has; "": nothing.
std::string fault_of(const std::vector<double>& row, std::size_t columns, const std::string& line)
{
    constexpr double largest = 1e30; // as in scenes
    const std::size_t count = row.size();
    if (count != 3 && count != 4 && count != 7 && count != 10)
        return "expected x,y,z or x,y,z,radius or these with vx,vy,vz or with wx,wy,wz too, found \"" + shown(line)
            + "\"";
    if (std::any_of(row.begin(), row.end(), [](double x) { return std::abs(x) > largest; }))
        return "expected numbers up to 1e30, found \"" + shown(line) + "\"";
    if (columns != 0 && count != columns)
        return "expected " + std::to_string(columns) + " numbers as in the lines before, found "
            + std::to_string(count);
    if (count > 3 && !(row[3] > 0))
        return "expected a radius > 0, found \"" + shown(line) + "\"";
    return "";
}

/// The first fault, and the lines of the others.
[[noreturn]] void refuse(const std::string& path, const std::string& first, const std::vector<int>& lines)
{
    constexpr std::size_t most_lines = 10;
    std::string text = path + ":" + std::to_string(lines[0]) + ": error: " + first;
    for (std::size_t i = 1; i < lines.size() && i <= most_lines; ++i)
        text += (i == 1 ? "; also wrong: line " : ", ") + std::to_string(lines[i]);
    if (lines.size() > most_lines + 1)
        text += " and " + std::to_string(lines.size() - most_lines - 1) + " more";
    throw InputError(text);
}

/// The numbers of a line; false when a field is none.
bool numbers_of(const std::string& line, std::vector<double>& numbers)
{
    std::istringstream fields(line);
    numbers.clear();
    for (std::string field; std::getline(fields, field, ',');) {
        numbers.push_back(0);
        if (!parse_real(trimmed(field), numbers.back()) || !std::isfinite(numbers.back()))
            return false;
    }
    return true;
}

} // namespace

PlaceTable read_places(const std::string& path)
{
    std::istringstream text(read_file(path));
    PlaceTable table;
    std::vector<double> row;
    std::size_t columns = 0;
    int line_number = 0;
    bool first = true;
    std::string first_fault;
    std::vector<int> wrong_lines;
    for (std::string line; std::getline(text, line);) {
        ++line_number;
        line = trimmed(line);
        if (line.empty() || line[0] == '#')
            continue;
        const bool header = first && (line[0] == 'x' || line[0] == '"');
        first = false;
        if (header && names_places(line))
            continue;
        if (header || !numbers_of(line, row))
            row.clear();
        std::string fault = fault_of(row, columns, line);
        if (header)
            fault = "expected a header that begins with x,y,z, found \"" + shown(line) + "\"";
        if (!fault.empty()) {
            wrong_lines.push_back(line_number);
            if (wrong_lines.size() == 1)
                first_fault = fault;
            continue;
        }
        columns = row.size();
        table.places.emplace_back(row[0], row[1], row[2]);
        if (columns == 3)
            continue;
        table.radii.push_back(row[3]);
        if (columns >= 7)
            table.velocities.emplace_back(row[4], row[5], row[6]);
        if (columns == 10)
            table.spins.emplace_back(row[7], row[8], row[9]);
    }
    if (!wrong_lines.empty())
        refuse(path, first_fault, wrong_lines);
    if (table.places.empty())
        throw InputError(path + ": error: expected at least one sphere, found none");
    return table;
}

} // namespace stickslip
