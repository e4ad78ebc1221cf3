#include "stickslip/files/csv_table.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/types.h"

#include <algorithm>

namespace stickslip {

namespace {

/// Takes one row with its line feed off `text`; false at the end, or when the row is not complete.
bool take_row(std::string_view& text, std::vector<std::string>& fields)
{
    fields.assign(1, {});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            if (quoted && i + 1 < text.size() && text[i + 1] == '"')
                fields.back() += text[i++];
            else
                quoted = !quoted;
        } else if (quoted || (c != ',' && c != '\n' && c != '\r')) {
            fields.back() += c;
        } else if (c == ',') {
            fields.emplace_back();
        } else if (c == '\n') {
            text.remove_prefix(i + 1);
            return true;
        }
    }
    return false;
}

} // namespace

const CsvColumn* CsvTable::find(std::string_view name) const
{
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const CsvColumn& c) { return c.name == present_name(name); });
    return found == columns.end() ? nullptr : &*found;
}

const std::vector<double>& CsvTable::numbers(std::string_view name) const
{
    static const std::vector<double> none;
    const CsvColumn* column = find(name);
    return column ? column->numbers : none;
}

std::string_view present_name(std::string_view column)
{
    return column == "max_penetration" ? "max_contact_depth" : column == "pressed" ? "normal_sum" : column;
}

bool csv_holds_words(std::string_view name)
{
    constexpr std::string_view words[] = {
        "body", "point_body", "surface_body", "state", "region", "status", "outlet", "probe", "pair"};
    return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

CsvTable parse_csv(std::string_view text, std::size_t& broken_rows)
{
    CsvTable table;
    broken_rows = 0;
    std::vector<std::string> fields;
    if (!take_row(text, fields))
        return table;
    for (const std::string& name : fields)
        table.columns.push_back({.name = std::string(present_name(name)), .numbers = {}, .words = {}});
    while (take_row(text, fields)) {
        if (fields.size() != table.columns.size()) {
            ++broken_rows;
            continue;
        }
        ++table.rows;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            CsvColumn& column = table.columns[i];
            double value = nan;
            if (csv_holds_words(column.name))
                column.words.push_back(std::move(fields[i]));
            else
                column.numbers.push_back(parse_real(fields[i], value) ? value : nan);
        }
    }
    return table;
}

CsvTable read_csv(const std::filesystem::path& path, std::size_t& broken_rows)
{
    return parse_csv(read_file(path), broken_rows);
}

} // namespace stickslip
