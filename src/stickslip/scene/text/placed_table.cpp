#include "stickslip/scene/text/placed_table.h"

#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>
#include <map>

namespace stickslip {

namespace {

constexpr const char* blank_characters = " \t\r";

/// Reads the lines of one table and says what is wrong with them.
class TableReader {
public:
    TableReader(PlacedTable& table, const std::function<void(PlacedTable&, PlacedRow)>& take)
        : table_(table)
        , take_(take)
    {
    }

    void read()
    {
        for (int line = 1; line <= static_cast<int>(table_.source.lines.size()); ++line) {
            const std::string& text = table_.source.lines[line - 1];
            const std::size_t first = text.find_first_not_of(blank_characters);
            if (first == std::string::npos || text[first] == '#')
                continue;
            std::vector<PlacedField> fields = fields_of(text, line);
            if (table_.header_line == 0)
                read_header(std::move(fields), line);
            else
                read_row(std::move(fields), line);
        }
    }

private:
    /// The fields of a line; blanks around them do not count.
    std::vector<PlacedField> fields_of(const std::string& line, int number)
    {
        std::vector<PlacedField> fields;
        std::size_t counted = 0; // bytes before the last field: a long line costs its length once
        int column = 1;
        for (std::size_t i = 0;; ++i) {
            i = std::min(line.find_first_not_of(blank_characters, i), line.size());
            column += column_of(std::string_view(line).substr(counted), i - counted) - 1;
            counted = i;
            PlacedField field{.text = {}, .column = column};
            if (i < line.size() && line[i] == '"') {
                i = read_quoted(line, number, i, field);
            } else {
                const std::size_t end = std::min(line.find(',', i), line.size());
                const std::size_t last = line.find_last_not_of(blank_characters, end == 0 ? 0 : end - 1);
                if (end > i && last != std::string::npos && last >= i)
                    field.text = line.substr(i, last + 1 - i);
                i = end;
            }
            fields.push_back(field);
            if (i >= line.size())
                return fields;
        }
    }

    /// A field that begins with a quote at i; returns where the comma after it is, or the end of the line.
    std::size_t read_quoted(const std::string& line, int number, std::size_t i, PlacedField& field)
    {
        for (++i; i < line.size(); ++i) {
            if (line[i] != '"')
                field.text += line[i];
            else if (i + 1 < line.size() && line[i + 1] == '"')
                field.text += line[i++];
            else
                break;
        }
        if (i == line.size()) {
            table_.fault(number, field.column, "", "expected a quote that ends this field, found the end of the line");
            return i;
        }
        const std::size_t next = std::min(line.find_first_not_of(blank_characters, i + 1), line.size());
        if (next < line.size() && line[next] != ',') {
            table_.fault(number, column_of(line, next), "",
                "expected a comma after the quoted field, found \"" + line.substr(next, 20) + "\"");
            return std::min(line.find(',', next), line.size());
        }
        return next;
    }

    void read_header(std::vector<PlacedField> fields, int line)
    {
        std::map<std::string, int> seen;
        for (const PlacedField& field : fields)
            if (!field.text.empty() && !seen.try_emplace(field.text, field.column).second)
                table_.fault(line, field.column, field.text,
                    "a second column of this name; the first is at column " + std::to_string(seen[field.text]));
        table_.header_line = line;
        table_.columns = std::move(fields);
    }

    void read_row(std::vector<PlacedField> fields, int line)
    {
        const std::size_t expected = table_.columns.size();
        if (fields.size() != expected)
            table_.fault(line, fields.size() > expected ? fields[expected].column : fields.back().column, "",
                "expected " + std::to_string(expected) + " fields as in the header, found "
                    + std::to_string(fields.size()) + (fields.size() == 1 ? "; commas separate them" : ""));
        else
            take_(table_, {.line = line, .fields = std::move(fields)});
    }

    PlacedTable& table_;
    const std::function<void(PlacedTable&, PlacedRow)>& take_;
};

} // namespace

void PlacedTable::fault(int line, int column, const std::string& path, const std::string& message)
{
    if (faults.size() < most_recorded_faults)
        faults.push_back(make_fault(source, {line, column}, path, message));
}

PlacedTable parse_placed_table(const std::string& text, const std::string& file,
    const std::function<void(PlacedTable& table, PlacedRow row)>& take)
{
    PlacedTable table{.source = {.file = file, .lines = split_lines(text), .overrides = {}, .included = {}},
        .columns = {},
        .faults = {}};
    TableReader(table, take).read();
    return table;
}

} // namespace stickslip
