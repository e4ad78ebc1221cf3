#pragma once

#include <string_view>

namespace stickslip {

/// The font of labels, a file in TrueType: DejaVu Sans, compiled in.
std::string_view label_font();

} // namespace stickslip
