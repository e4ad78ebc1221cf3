#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// A column of a table; one of the two vectors is filled.
struct CsvColumn {
    std::string name;
    std::vector<double> numbers; // nan where there is no number
    std::vector<std::string> words; // of a column that holds names
};

/// A table of a run folder. All columns have the same number of rows.
struct CsvTable {
    std::vector<CsvColumn> columns;
    std::size_t rows = 0;

    /// The column of this name, or of the one that it has today, or null.
    const CsvColumn* find(std::string_view name) const;
    /// Its numbers; empty when there is no such column.
    const std::vector<double>& numbers(std::string_view name) const;
};

/// The name of a column today: tables of older runs name some otherwise. read_csv and CsvTable know both.
std::string_view present_name(std::string_view column);

/// Names whose columns hold words; all others hold numbers.
bool csv_holds_words(std::string_view name);

/// Reads a table of RFC 4180 with a header. A last row that is not complete (a run that still writes) is left out; so
/// is any row with another number of fields, which `broken_rows` counts.
/// Errors: FileError when it cannot be read.
CsvTable read_csv(const std::filesystem::path& path, std::size_t& broken_rows);
CsvTable parse_csv(std::string_view text, std::size_t& broken_rows);

} // namespace stickslip
