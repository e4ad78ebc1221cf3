#pragma once

#include "stickslip/scene/text/fault.h"

#include <functional>
#include <string>
#include <vector>

namespace stickslip {

/// One field of a table and where it stands, counted from 1.
struct PlacedField {
    std::string text; // without the quotes
    int column = 0; // of its first character in the line
};

struct PlacedRow {
    int line = 0; // from 1
    std::vector<PlacedField> fields; // one a column
};

/// A table as people and spreadsheets write it: RFC 4180 with a header, one line a row. Blanks around fields and a byte
/// order mark do not count; empty lines and such that begin with # are passed over.
struct PlacedTable {
    SceneSource source; // the file and its lines
    int header_line = 0; // 0: there is none
    std::vector<PlacedField> columns;
    std::vector<Fault> faults;

    /// line, column: 0 of what has no place. No more than most_recorded_faults are kept.
    void fault(int line, int column, const std::string& path, const std::string& message);
};

/// Gives each row to `take`, with the table so far; rows of another length than the header are faults instead.
PlacedTable parse_placed_table(const std::string& text, const std::string& file,
    const std::function<void(PlacedTable& table, PlacedRow row)>& take);

} // namespace stickslip
