#pragma once

#include "stickslip/scene/text/placed_table.h"

#include <string>
#include <vector>

namespace stickslip {

/// One run of a sweep.
struct SweepRow {
    int line = 0; // from 1
    std::string name; // of its run folder
    std::vector<PlacedField> cells; // one a column
    std::vector<std::string> overrides; // "path.to.key=value"; a field left empty changes nothing
};

/// Many runs of one scene, a row each, as PlacedTable reads it. A column is headed by a path as `--set` takes it, its
/// fields are YAML; the column `name`, if there is one, names the runs, else their number does (001).
struct SweepTable : PlacedTable { // its faults in the order of the file
    std::vector<SweepRow> rows;
};

/// Throws FileError when the file cannot be read; all that is wrong in it is in the result.
SweepTable read_sweep_table(const std::string& path);
SweepTable parse_sweep_table(const std::string& text, const std::string& file);

/// A fault that the scene has with the overrides of a row: one of an override is moved to the field that it comes from,
/// one elsewhere in the scene to the row, whose values make it.
Fault fault_of_row(const SweepTable& table, const SweepRow& row, const Fault& fault);

} // namespace stickslip
