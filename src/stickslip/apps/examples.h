#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace stickslip {

/// A file that a scene names, relative to it.
struct ExampleFile {
    std::string_view name, text;
};

/// A scene that is built into the program.
struct Example {
    std::string_view name, title, text;
    std::span<const ExampleFile> files; // its meshes
};
std::span<const Example> examples(); // of the folder scenes/
std::span<const Example> bench_scenes(); // of the folder bench/

/// Writes the scene, and its meshes where it names them. Errors: FileError.
void write_example(const Example& example, const std::filesystem::path& path);

} // namespace stickslip
