#include "stickslip/plot/reference_table.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/files/meshes/mesh_input.h"
#include "stickslip/math/types.h"
#include "stickslip/scene/text/placed_table.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

std::string found(const PlacedField& field)
{
    return field.text.empty() ? ", found nothing" : ", found \"" + field.text + "\"";
}

/// Takes the columns that are asked for out of a table.
class ReferenceReader {
public:
    ReferenceReader(const std::vector<std::string>& names, const std::string& x_name, CsvTable& table)
        : names_(names)
        , x_name_(x_name)
        , table_(table)
    {
    }

    void read(const std::string& text, const std::string& file, std::vector<Fault>& faults)
    {
        PlacedTable read = parse_placed_table(text, file, [this](PlacedTable& table, const PlacedRow& row) {
            if (table_.columns.empty())
                find_columns(table);
            if (std::ranges::any_of(row.fields, [](const PlacedField& f) { return !f.text.empty(); }))
                take_row(row, table); // those of spreadsheets end with empty ones
        });
        if (read.header_line > 0)
            check_columns(read);
        if (table_.rows == 0 && read.faults.empty())
            read.fault(0, 0, "", "expected a header and a row for each time, found none");
        faults = in_order(std::move(read.faults), file);
    }

private:
    bool is_asked(std::string_view name) const
    {
        const auto is_it = [&](const std::string& asked) { return present_name(asked) == name; };
        return name == "time" || is_it(x_name_) || std::ranges::any_of(names_, is_it);
    }

    void find_columns(const PlacedTable& read)
    {
        for (std::size_t i = 0; i < read.columns.size(); ++i) {
            const std::string_view name = present_name(read.columns[i].text);
            if (!is_asked(name))
                continue;
            places_.push_back(i);
            table_.columns.push_back({.name = std::string(name), .numbers = {}, .words = {}});
        }
    }

    void check_columns(PlacedTable& read) const
    {
        const auto has = [&](const std::string& name) {
            return std::ranges::any_of(
                read.columns, [&](const PlacedField& c) { return present_name(c.text) == present_name(name); });
        };
        const auto expect = [&](const std::string& name) {
            std::string all;
            for (const PlacedField& column : read.columns)
                all += (all.empty() ? "" : ", ") + column.text;
            read.fault(
                read.header_line, read.columns.front().column, "", "expected a column \"" + name + "\", found: " + all);
        };
        if (!has("time"))
            expect("time");
        if (!names_.empty() && std::ranges::none_of(names_, has))
            expect(names_.front());
    }

    void take_row(const PlacedRow& row, PlacedTable& read)
    {
        ++table_.rows;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const PlacedField& field = row.fields[places_[i]];
            CsvColumn& column = table_.columns[i];
            double value = nan;
            const bool is_number = parse_real(field.text, value);
            if (column.name == "time")
                check_time(field, is_number ? value : nan, row.line, read);
            else if (!is_number && !field.text.empty())
                read.fault(row.line, field.column, column.name, "expected a number" + found(field));
            column.numbers.push_back(value);
        }
    }

    void check_time(const PlacedField& field, double time, int line, PlacedTable& read)
    {
        if (!std::isfinite(time)) {
            read.fault(line, field.column, "time", "expected a time [s]" + found(field));
            return;
        }
        if (time < time_)
            read.fault(
                line, field.column, "time", "expected no time before " + time_text_ + " of a row above" + found(field));
        time_ = time;
        time_text_ = field.text;
    }

    const std::vector<std::string>& names_;
    const std::string& x_name_;
    CsvTable& table_;
    std::vector<std::size_t> places_; // of its columns in a row
    double time_ = -infinity; // [s] of the last row that tells it
    std::string time_text_;
};

} // namespace

ReferenceTable read_reference_table(
    const std::filesystem::path& path, const std::vector<std::string>& names, const std::string& x_name)
{
    ReferenceTable reference{.path = path, .table = {}, .faults = {}};
    ReferenceReader(names, x_name, reference.table).read(read_file(path), path.string(), reference.faults);
    return reference;
}

} // namespace stickslip
