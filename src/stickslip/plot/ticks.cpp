#include "stickslip/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace stickslip {

namespace {

// The exponent is left out between these sizes of the largest label.
constexpr double smallest_plain = 0.01, largest_plain = 1e5;

// Share of the range by which it may grow to end at a tick.
constexpr double end_snap = 0.03;

/// 1, 2 or 5 times a power of ten, the next above `span / count`.
double round_spacing(double span, int count)
{
    const double wanted = span / count;
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= wanted * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

std::string label(double value, int digits)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    const std::string plain = text;
    if (plain.find_first_not_of("-0.") == std::string::npos)
        return "0";
    return plain.starts_with('-') ? "\u2212" + plain.substr(1) : plain; // a minus sign, as wide as a plus
}

} // namespace

Ticks make_ticks(double low, double high, int count, bool round_ends)
{
    if (!(std::isfinite(low) && std::isfinite(high) && low <= high))
        low = 0, high = 1;
    // Round-off around a constant is not worth an axis of its own.
    const double size = std::max(std::abs(low), std::abs(high));
    if (high - low <= 1e-12 * size) {
        const double margin = size > 0 ? 0.1 * size : 1;
        low -= margin;
        high += margin;
    }
    const double spacing = round_spacing(high - low, count);
    const double first = std::floor(low / spacing + 1e-9), last = std::ceil(high / spacing - 1e-9);
    // Data that begin a step after a round number, or end before one, get an axis that does not.
    if (low - first * spacing < end_snap * (high - low))
        low = first * spacing;
    if (last * spacing - high < end_snap * (high - low))
        high = last * spacing;
    Ticks ticks{.min = round_ends ? first * spacing : low, .max = round_ends ? last * spacing : high};
    const double largest = std::max(std::abs(ticks.min), std::abs(ticks.max));
    if (largest < smallest_plain || largest >= largest_plain)
        ticks.exponent = static_cast<int>(std::floor(std::log10(largest)));
    const double unit = std::pow(10.0, ticks.exponent);
    const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(spacing / unit) + 1e-9)));
    const double slack = 1e-9 * spacing;
    for (double k = first; k <= last; ++k) {
        const double value = k * spacing;
        if (value < ticks.min - slack || value > ticks.max + slack)
            continue;
        ticks.at.push_back(value);
        ticks.labels.push_back(label(value / unit, digits));
    }
    return ticks;
}

} // namespace stickslip
