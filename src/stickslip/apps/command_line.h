#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace stickslip {

/// Message about a command line that CLI refused, in our words: with the word that was probably meant.
std::string parse_fault(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv);

/// Makes --quiet=5 an error; to CLI it is true.
void refuse_values_of_switches(CLI::App& app);

/// Makes -o "" an error of every option for a file or a folder; a script whose variable is empty wrote elsewhere.
void refuse_empty_values(CLI::App& app);

/// Other programs tell a format by the name. Errors: InputError where `output` ends in none of `endings`.
void expect_ending(const std::string& output, const std::vector<std::string>& endings);

/// A script for bash that completes verbs, options and file names: `source <(stickslip completion bash)`.
std::string bash_completion(const CLI::App& app);

/// The manual page, stickslip(1), in roff.
std::string manual_page(const CLI::App& app, const std::string& version);

} // namespace stickslip
