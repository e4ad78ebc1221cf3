#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace stickslip {

/// Help text of the program or of one of its verbs, in lines of at most 80 characters. The signature is that
/// of CLI's formatters; neither the names of the verbs before nor the mode matter here.
std::string help_text(const CLI::App* app, const std::string& names, CLI::AppFormatMode mode);

/// Description of an option, with the options that cannot be given beside it.
std::string description_of(const CLI::Option& option);

} // namespace stickslip
