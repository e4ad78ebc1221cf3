#include "stickslip/files/place_file.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/error.h"

#include <cmath>
#include <sstream>

namespace stickslip {

namespace {

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
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
    for (std::string line; std::getline(text, line);) {
        ++line_number;
        line = trimmed(line);
        if (line.empty() || line[0] == '#')
            continue;
        const bool header = first && (line[0] == 'x' || line[0] == '"');
        first = false;
        if (header)
            continue;
        const auto fail = [&](const std::string& message) {
            throw InputError(path + ":" + std::to_string(line_number) + ": error: " + message);
        };
        const std::size_t count = numbers_of(line, row) ? row.size() : 0;
        if (count != 3 && count != 4 && count != 7 && count != 10)
            fail("expected x,y,z or x,y,z,radius or these with vx,vy,vz or with wx,wy,wz too, found \""
                + line.substr(0, 60) + "\"");
        if (columns != 0 && row.size() != columns)
            fail("expected " + std::to_string(columns) + " numbers as in the lines before, found "
                + std::to_string(row.size()));
        columns = row.size();
        table.places.emplace_back(row[0], row[1], row[2]);
        if (columns == 3)
            continue;
        if (!(row[3] > 0))
            fail("expected a radius > 0");
        table.radii.push_back(row[3]);
        if (columns >= 7)
            table.velocities.emplace_back(row[4], row[5], row[6]);
        if (columns == 10)
            table.spins.emplace_back(row[7], row[8], row[9]);
    }
    if (table.places.empty())
        throw InputError(path + ": error: expected at least one sphere, found none");
    return table;
}

} // namespace stickslip
