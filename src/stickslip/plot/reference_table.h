#pragma once

#include "stickslip/files/csv_table.h"
#include "stickslip/scene/text/fault.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip {

/// Data to compare runs with: a table with a column `time` [s] and columns named as the quantities of a run.
struct ReferenceTable {
    std::filesystem::path path;
    CsvTable table; // `time`, which does not fall, and those that were asked for
    std::vector<Fault> faults; // in the order of the file
};

/// Reads a table as PlacedTable does. Of its columns `time` is needed and one of `names`, which may be empty; others
/// than these and `x_name` may hold anything. A field without a value is empty or `nan`.
///
/// Errors: FileError when it cannot be read; all that is wrong in it is in the result.
ReferenceTable read_reference_table(
    const std::filesystem::path& path, const std::vector<std::string>& names, const std::string& x_name);

} // namespace stickslip
