#pragma once

#include <span>
#include <string_view>

namespace stickslip {

/// A file that a scene names, relative to it.
struct ExampleFile {
    std::string_view name, text;
};

/// A scene of the folder scenes/, built into the program.
struct Example {
    std::string_view name, title, text;
    std::span<const ExampleFile> files; // its meshes
};
std::span<const Example> examples();

} // namespace stickslip
