#pragma once

#include <span>
#include <string_view>

namespace stickslip {

/// A scene of the folder scenes/, built into the program.
struct Example {
    std::string_view name, title, text;
};
std::span<const Example> examples();

} // namespace stickslip
