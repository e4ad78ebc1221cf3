#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stickslip {

/// Exit statuses of the program.
enum ExitStatus {
    exit_done = 0,
    exit_internal = 1,
    exit_input = 2, // command line, scene or mesh
    exit_gave_up = 3, // the solver; what was written is valid up to there
    exit_file = 4, // cannot read or write
    exit_expectation = 5, // ran, but an `expect` of the scene does not hold
    exit_interrupted = 130, // state saved first
};

struct RunCommand {
    std::string scene;
    std::string output; // empty: <scene>.out
    std::optional<double> until; // [s]
    int threads = 0; // 0: all
    std::vector<std::string> overrides;
    bool resume = false, force = false, quiet = false;
};
int run_command(const RunCommand& command);

int check_command(const std::string& scene, const std::vector<std::string>& overrides, bool full);
int example_command(const std::string& name, const std::string& output);
int info_command(const std::string& path);
int schema_command();

struct ImportCommand {
    std::string format, file;
    std::string meshes; // empty: beside the file
    std::string output; // empty: standard output
    bool lenient = false; // write a scene without the colliders and motions that have no equal
};
int import_command(const ImportCommand& command);
int check_derivatives_command(const std::string& scene, const std::vector<std::string>& overrides);

} // namespace stickslip
