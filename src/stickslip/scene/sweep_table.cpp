#include "stickslip/scene/sweep_table.h"

#include "stickslip/files/atomic_file.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace stickslip {

namespace {

/// Takes the rows of one table as runs and says what is wrong with them.
class SweepReader {
public:
    explicit SweepReader(SweepTable& table)
        : table_(table)
    {
    }

    void read(std::vector<PlacedRow> rows)
    {
        for (const PlacedField& column : table_.columns)
            check_column(column);
        for (PlacedRow& row : rows)
            read_row(std::move(row));
        if (table_.rows.empty() && table_.faults.empty())
            table_.fault(0, 0, "", "expected a header and a row for each run, found none");
        number_rows();
        check_names();
    }

private:
    void check_column(const PlacedField& column)
    {
        if (column.text.empty())
            table_.fault(
                table_.header_line, column.column, "", "expected a path as --set takes it, or name; found nothing");
        else if (column.text.find('=') != std::string::npos)
            table_.fault(
                table_.header_line, column.column, "", "expected a path without \"=\", found \"" + column.text + "\"");
    }

    void read_row(PlacedRow read)
    {
        SweepRow row{.line = read.line, .name = {}, .cells = std::move(read.fields), .overrides = {}};
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const std::string &column = table_.columns[i].text, &text = row.cells[i].text;
            if (column == "name") {
                row.name = text;
                if (text.empty() || text[0] == '.' || text.find_first_of("/\\") != std::string::npos)
                    table_.fault(row.line, row.cells[i].column, "name",
                        "expected the name of a folder, without / or \\ and with no point before it, found \"" + text
                            + "\"");
            } else if (!text.empty()) {
                row.overrides.push_back(column + "=" + text);
            }
        }
        table_.rows.push_back(std::move(row));
    }

    void number_rows()
    {
        if (has_names())
            return;
        int number = 0;
        for (SweepRow& row : table_.rows) {
            char name[16];
            std::snprintf(name, sizeof name, "%03d", ++number);
            row.name = name;
        }
    }

    bool has_names() const
    {
        return std::any_of(table_.columns.begin(), table_.columns.end(),
            [](const PlacedField& column) { return column.text == "name"; });
    }

    void check_names()
    {
        std::map<std::string, int> seen;
        for (const SweepRow& row : table_.rows) {
            const auto [first, is_new] = seen.try_emplace(row.name, row.line);
            if (!is_new && !row.name.empty())
                table_.fault(row.line, 1, "name",
                    "expected a name that differs from all others, found \"" + row.name + "\" as in line "
                        + std::to_string(first->second));
        }
    }

    SweepTable& table_;
};

} // namespace

SweepTable parse_sweep_table(const std::string& text, const std::string& file)
{
    std::vector<PlacedRow> rows;
    SweepTable table{
        parse_placed_table(text, file, [&](PlacedTable&, PlacedRow row) { rows.push_back(std::move(row)); })};
    SweepReader(table).read(std::move(rows));
    table.faults = in_order(std::move(table.faults), file);
    return table;
}

SweepTable read_sweep_table(const std::string& path)
{
    return parse_sweep_table(read_file(path), path);
}

Fault fault_of_row(const SweepTable& table, const SweepRow& row, const Fault& fault)
{
    constexpr std::string_view mark = "--set ";
    const auto at = [&](const PlacedField& cell, const std::string& message) {
        Fault moved = make_fault(table.source, {row.line, cell.column}, fault.path, message);
        moved.warning = fault.warning;
        return moved;
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (fault.file == std::string(mark) + table.columns[i].text)
            return at(row.cells[i], fault.message);
    const std::string place = fault.line > 0 ? " at line " + std::to_string(fault.line) : "";
    return at(row.cells[0], fault.message + " (in " + fault.file + place + ", with the values of this row)");
}

} // namespace stickslip
