#pragma once

#include <cstddef>
#include <string>

namespace stickslip {

/// A number as notes and warnings show it: four digits.
std::string short_number(double value);

/// "1 sphere", "2 spheres".
std::string counted(std::size_t count, const std::string& one);

} // namespace stickslip
