#include "stickslip/scene/text/wording.h"

#include <cstdio>

namespace stickslip {

std::string short_number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string in_quotes(const std::string& text)
{
    return "\"" + text + "\"";
}

std::string counted(std::size_t count, const std::string& one)
{
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

} // namespace stickslip
