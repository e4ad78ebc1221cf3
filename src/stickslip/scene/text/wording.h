#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace stickslip {

/// As printf writes it, cut off after 511 characters.
std::string formatted(const char* format, auto... values)
{
    char line[512];
    std::snprintf(line, sizeof line, format, values...);
    return line;
}

/// A number as notes and warnings show it: four digits.
std::string short_number(double value);

std::string in_quotes(const std::string& text);

/// "1 sphere", "2 spheres".
std::string counted(std::size_t count, const std::string& one);

} // namespace stickslip
