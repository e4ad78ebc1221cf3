#pragma once

#include <string>
#include <vector>

namespace stickslip {

/// Warnings on stderr: each text once, the first ten of them.
void print_notes(const std::vector<std::string>& notes);

} // namespace stickslip
