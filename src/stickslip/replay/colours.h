#pragma once

#include "stickslip/math/types.h"

#include <cstddef>
#include <cstdint>

namespace stickslip {

// The palette is that of the replay page (web/src/colour.ts).

using Colour = Eigen::Vector3f; // linear red, green, blue in [0, 1]

/// From hexadecimal sRGB, 0xrrggbb.
Colour from_srgb(unsigned hex);

/// A byte of sRGB as linear light in [0, 1], and back; beyond it is clamped.
float from_srgb_byte(std::uint8_t byte);
std::uint8_t to_srgb_byte(float value);

/// Of the body with this number among those that move: told apart by all common kinds of colour blindness.
Colour body_colour(std::size_t number);

/// Of bodies that only stand there.
Colour obstacle_colour();

/// Of a value between 0 (dark blue) and 1 (yellow); rises in lightness. What is no number is grey.
Colour scale_colour(double value);

/// Behind everything.
Colour background_colour();

} // namespace stickslip
