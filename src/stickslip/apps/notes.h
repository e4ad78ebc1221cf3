#pragma once

#include <string>
#include <vector>

namespace stickslip {

/// Warnings on stderr: each text once, the first ten of them.
void print_notes(const std::vector<std::string>& notes);

/// Messages as they go to standard error: with "error", "warning" and carets in colour where that is a terminal that
/// wants colours (NO_COLOR is not set).
std::string for_terminal(const std::string& messages);

} // namespace stickslip
