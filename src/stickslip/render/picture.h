#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stickslip {

/// Pixels row by row from the top, three bytes (sRGB) each.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    std::vector<std::uint8_t> alpha = {}; // a byte a pixel, 255: opaque; empty: all are
};

/// Drawn larger: between the middles of its pixels linear, colours by what is opaque of them.
Picture enlarged(const Picture& picture, int width, int height);

/// The picture as a PNG file without date or comment: the same pixels give the same bytes.
std::string png_bytes(const Picture& picture);

} // namespace stickslip
