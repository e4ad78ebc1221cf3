#pragma once

#include "stickslip/plot/figure.h"

#include <string>

namespace stickslip {

/// Width and colours of a figure in a terminal.
struct TerminalStyle {
    int columns = 80; // of letters, at least 40
    bool colours = false; // ANSI escapes
};

/// The figure in Braille dots, 2 x 4 a letter, with axes. Where a panel has several curves a letter stands at the end
/// of each and in the legend. Lines end with a line feed.
std::string terminal_figure(const Figure& figure, const TerminalStyle& style);

} // namespace stickslip
