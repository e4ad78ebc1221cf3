#pragma once

#include "stickslip/plot/quantities.h"
#include "stickslip/plot/reference_table.h"

#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// A curve of a panel. Where x or y is not finite it is interrupted.
struct Curve {
    std::string label;
    std::vector<double> x, y; // as many of each
    int colour = 0; // number in the palette
    bool reference = false; // not of a run: data to compare with
};

/// Curves with a common y axis.
struct Panel {
    std::string label; // of the y axis, with unit
    std::vector<Curve> curves; // at least one

    /// More than one curve: they need names.
    bool needs_legend() const { return curves.size() > 1; }
};

/// Panels below each other with a common x axis.
struct Figure {
    std::string title; // may be empty
    std::string x_label; // with unit
    std::vector<Panel> panels; // at least one
};

/// Smallest and largest finite value; infinity, -infinity where there is none.
std::pair<double, double> x_range(const Figure& figure);
std::pair<double, double> y_range(const Panel& panel);

/// One curve a name, run and reference table; names of the same kind share a panel. Values of `x_name` other than
/// "time" are interpolated where the two are written at different times.
///
/// Pre: at least one run and one name; reference tables without faults.  Errors: InputError as RunTables::track.
Figure make_figure(const std::vector<RunTables>& runs, const std::vector<ReferenceTable>& references,
    const std::vector<std::string>& names, const std::string& x_name);

} // namespace stickslip
