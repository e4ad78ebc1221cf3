#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// A piece of work whose cost is measured.
struct BenchCase {
    std::string_view name;
    std::string_view scene; // of examples() or bench_scenes()
    std::optional<double> until; // [s] none: the scene's end
    std::string_view change; // path=value; empty: none
    std::string_view what; // one line for the list
};
std::span<const BenchCase> bench_cases();

/// Cost of one run of a case.
struct BenchFigures {
    std::string status; // of the last step
    double simulated_time = 0; // [s]
    std::uint64_t steps = 0, newton_iterations = 0, krylov_iterations = 0, evaluations = 0, failed_solves = 0;
    double wall = 0, processor = 0; // [s] the latter of all threads
    std::vector<std::pair<std::string, double>> stages; // [s] of wall time
    std::optional<double> product_share; // [-] bandwidth of H x at the end over that of a copy of as many bytes; only
                                         // where there are deformable bodies
    std::string state_hash;
};

/// A scene to be measured: its file, changed and ended as said.
struct BenchRun {
    std::string path;
    std::vector<std::string> overrides;
    std::optional<double> until; // [s]
    int threads = 1;
};

/// Errors: InputError where the scene is not good, what is wrong having been printed.
BenchFigures measure(const BenchRun& run);

/// Of several runs of one case: medians of all times, all else that of the last. Pre: there is one.
BenchFigures median_of(const std::vector<BenchFigures>& runs);

} // namespace stickslip
