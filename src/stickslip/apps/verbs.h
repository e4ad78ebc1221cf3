#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace stickslip {

/// Adds a verb to the command line. When it is given, `action` becomes what it does and returns its exit status.
/// Pre: `action` lives until it is called.
void add_plot(CLI::App& app, std::function<int()>& action);
void add_render(CLI::App& app, std::function<int()>& action);
void add_export(CLI::App& app, std::function<int()>& action);
void add_sweep(CLI::App& app, std::function<int()>& action);
void add_bench(CLI::App& app, std::function<int()>& action);

} // namespace stickslip
