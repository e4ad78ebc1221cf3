#include "stickslip/scene/text/body_names.h"

#include <algorithm>

namespace stickslip {

namespace {

/// Where the index begins, with its bracket; npos without one.
std::size_t index_begin(const std::string& name)
{
    const std::size_t open = name.rfind('[');
    if (open == std::string::npos || open == 0 || !name.ends_with(']'))
        return std::string::npos;
    const std::string digits = name.substr(open + 1, name.size() - open - 2);
    const bool whole = !digits.empty() && digits.size() <= 9
        && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return whole && (digits.size() == 1 || digits[0] != '0') ? open : std::string::npos;
}

} // namespace

bool is_copy(const std::string& name)
{
    return index_begin(name) != std::string::npos;
}

std::string family_of(const std::string& name)
{
    return name.substr(0, index_begin(name));
}

} // namespace stickslip
