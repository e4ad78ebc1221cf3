#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

struct NamedBody {
    std::string name, kind; // "rigid"
};
/// Prints a line for each body; copies share that of their family.
void print_bodies(const std::vector<NamedBody>& bodies);

/// Prints what a run folder holds, finished or not: how the run went, its bodies, frames, tables, expectations.
/// Errors: FileError when there is no run in it.
int run_info(const std::filesystem::path& folder);

} // namespace stickslip
