#include "stickslip/replay/colours.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

float linear(unsigned byte)
{
    const float s = static_cast<float>(byte) / 255;
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
}

} // namespace

Colour from_srgb(unsigned hex)
{
    return {linear(hex >> 16 & 255), linear(hex >> 8 & 255), linear(hex & 255)};
}

float from_srgb_byte(std::uint8_t byte)
{
    return linear(byte);
}

std::uint8_t to_srgb_byte(float value)
{
    const float s = value <= 0.0031308f ? 12.92f * value : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(s, 0.0f, 1.0f)));
}

Colour body_colour(std::size_t number)
{
    static constexpr unsigned palette[] = {
        0x3a7ebf, 0xe08e2b, 0x2a9d7c, 0xc46fa3, 0x5bb1dd, 0xcf5c36, 0x8a83c9, 0xa9a23c};
    return from_srgb(palette[number % std::size(palette)]);
}

Colour obstacle_colour()
{
    return from_srgb(0xa7adb4);
}

Colour scale_colour(double value)
{
    static constexpr unsigned stops[] = {
        0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
    constexpr int last = static_cast<int>(std::size(stops)) - 1;
    if (std::isnan(value))
        return from_srgb(0x9aa0aa);
    const double place = std::clamp(value, 0.0, 1.0) * last;
    const int i = std::min(static_cast<int>(place), last - 1);
    const auto share = static_cast<float>(place - i);
    return (1 - share) * from_srgb(stops[i]) + share * from_srgb(stops[i + 1]);
}

Colour background_colour()
{
    return from_srgb(0xf4f5f7);
}

} // namespace stickslip
