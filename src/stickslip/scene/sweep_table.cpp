#include "stickslip/scene/sweep_table.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace stickslip {

namespace {

constexpr const char* blank_characters = " \t\r";

/// Reads the lines of one table and says what is wrong with them.
class SweepReader {
public:
    explicit SweepReader(SweepTable& table)
        : table_(table)
    {
    }

    void read()
    {
        for (int line = 1; line <= static_cast<int>(table_.source.lines.size()); ++line) {
            const std::string& text = table_.source.lines[line - 1];
            const std::size_t first = text.find_first_not_of(blank_characters);
            if (first == std::string::npos || text[first] == '#')
                continue;
            std::vector<SweepCell> cells = cells_of(text, line);
            if (table_.columns.empty())
                read_header(std::move(cells), line);
            else
                read_row(std::move(cells), line);
        }
        if (table_.rows.empty() && table_.faults.empty())
            fault(0, 0, "", "expected a header and a row for each run, found none");
        number_rows();
        check_names();
    }

private:
    void fault(int line, int column, const std::string& path, const std::string& message)
    {
        table_.faults.push_back(make_fault(table_.source, {line, column}, path, message));
    }

    /// The fields of a line; blanks around them do not count.
    std::vector<SweepCell> cells_of(const std::string& line, int number)
    {
        std::vector<SweepCell> cells;
        for (std::size_t i = 0;; ++i) {
            i = std::min(line.find_first_not_of(blank_characters, i), line.size());
            SweepCell cell{.text = {}, .column = static_cast<int>(i) + 1};
            if (i < line.size() && line[i] == '"') {
                i = read_quoted(line, number, i, cell.text);
            } else {
                const std::size_t end = std::min(line.find(',', i), line.size());
                const std::size_t last = line.find_last_not_of(blank_characters, end == 0 ? 0 : end - 1);
                if (end > i && last != std::string::npos && last >= i)
                    cell.text = line.substr(i, last + 1 - i);
                i = end;
            }
            cells.push_back(cell);
            if (i >= line.size())
                return cells;
        }
    }

    /// A field that begins with a quote at i; returns where the comma after it is, or the end of the line.
    std::size_t read_quoted(const std::string& line, int number, std::size_t i, std::string& text)
    {
        const auto column = static_cast<int>(i) + 1;
        for (++i; i < line.size(); ++i) {
            if (line[i] != '"')
                text += line[i];
            else if (i + 1 < line.size() && line[i + 1] == '"')
                text += line[i++];
            else
                break;
        }
        if (i == line.size()) {
            fault(number, column, "", "expected a quote that ends this field, found the end of the line");
            return i;
        }
        const std::size_t next = std::min(line.find_first_not_of(blank_characters, i + 1), line.size());
        if (next < line.size() && line[next] != ',') {
            fault(number, static_cast<int>(next) + 1, "",
                "expected a comma after the quoted field, found \"" + line.substr(next, 20) + "\"");
            return std::min(line.find(',', next), line.size());
        }
        return next;
    }

    void read_header(std::vector<SweepCell> cells, int line)
    {
        std::map<std::string, int> seen;
        for (const SweepCell& cell : cells) {
            if (cell.text.empty())
                fault(line, cell.column, "", "expected a path as --set takes it, or name; found nothing");
            else if (cell.text.find('=') != std::string::npos)
                fault(line, cell.column, "", "expected a path without \"=\", found \"" + cell.text + "\"");
            else if (!seen.try_emplace(cell.text, cell.column).second)
                fault(line, cell.column, cell.text,
                    "a second column of this name; the first is at column " + std::to_string(seen[cell.text]));
        }
        table_.columns = std::move(cells);
    }

    void read_row(std::vector<SweepCell> cells, int line)
    {
        const std::size_t expected = table_.columns.size();
        if (cells.size() != expected) {
            fault(line, cells.size() > expected ? cells[expected].column : cells.back().column, "",
                "expected " + std::to_string(expected) + " fields as in the header, found "
                    + std::to_string(cells.size()));
            return;
        }
        SweepRow row{.line = line, .name = {}, .cells = std::move(cells), .overrides = {}};
        for (std::size_t i = 0; i < expected; ++i) {
            const std::string &column = table_.columns[i].text, &text = row.cells[i].text;
            if (column == "name") {
                row.name = text;
                if (text.empty() || text[0] == '.' || text.find_first_of("/\\") != std::string::npos)
                    fault(line, row.cells[i].column, "name",
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
            [](const SweepCell& column) { return column.text == "name"; });
    }

    void check_names()
    {
        std::map<std::string, int> seen;
        for (const SweepRow& row : table_.rows) {
            const auto [first, is_new] = seen.try_emplace(row.name, row.line);
            if (!is_new && !row.name.empty())
                fault(row.line, 1, "name",
                    "expected a name that differs from all others, found \"" + row.name + "\" as in line "
                        + std::to_string(first->second));
        }
    }

    SweepTable& table_;
};

} // namespace

SweepTable parse_sweep_table(const std::string& text, const std::string& file)
{
    SweepTable table{.source = {.file = file, .lines = split_lines(text), .overrides = {}, .included = {}},
        .columns = {},
        .rows = {},
        .faults = {}};
    SweepReader(table).read();
    return table;
}

SweepTable read_sweep_table(const std::string& path)
{
    return parse_sweep_table(read_file(path), path);
}

Fault fault_of_row(const SweepTable& table, const SweepRow& row, const Fault& fault)
{
    constexpr std::string_view mark = "--set ";
    const auto at = [&](const SweepCell& cell, const std::string& message) {
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
