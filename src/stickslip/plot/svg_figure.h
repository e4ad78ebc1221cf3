#pragma once

#include "stickslip/plot/figure.h"

#include <string>

namespace stickslip {

/// The figure as an SVG file: text stays text, colours follow light and dark mode of whoever shows it. The same figure
/// gives the same bytes. Curves are thinned to what the picture can show (extremes of a pixel column are kept).
std::string svg_figure(const Figure& figure);

} // namespace stickslip
