#include "stickslip/apps/number_options.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace stickslip {

std::string range_fault(const std::string& text, double least, double most, const char* expected)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value >= least
        && value <= most)
        return {};
    return std::string("expected ") + expected + ", got \"" + text + "\"";
}

std::string time_fault(const std::string& text)
{
    return range_fault(text, 0, std::numeric_limits<double>::max(), "a time of 0 s or more");
}

std::string moment_fault(const std::string& text)
{
    constexpr double any = std::numeric_limits<double>::max();
    return range_fault(text, -any, any, "a finite time [s]");
}

std::function<std::string(const std::string&)> whole_number(int least, int most)
{
    return [least, most](const std::string& text) {
        int value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool good = error == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
        return good ? std::string()
                    : "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most)
                + ", got \"" + text + "\"";
    };
}

} // namespace stickslip
