#pragma once

#include <string>
#include <vector>

namespace stickslip {

/// Fault of syntax in a text: its place, and the remedy. Line and byte count from 0.
struct SyntaxComplaint {
    int line = 0, byte = 0;
    std::string message;
};

/// A complaint of the YAML parser in words of this program. Brackets and quotes that do not match are looked for in the
/// text itself, as the parser stops far behind them.
SyntaxComplaint in_plain_words(const SyntaxComplaint& raw, const std::vector<std::string>& lines);

} // namespace stickslip
