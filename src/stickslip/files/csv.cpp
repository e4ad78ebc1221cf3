#include "stickslip/files/csv.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace stickslip {

std::string csv_number(double value)
{
    if (std::isnan(value))
        return "nan"; // to_chars would tell the sign of some
    char text[32]; // "-1.7976931348623157e+308" has 24
    const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, 17).ptr;
    return std::string(text, end);
}

CsvRow& CsvRow::add(double value)
{
    return add_field(csv_number(value));
}

CsvRow& CsvRow::add(const Vec3& value)
{
    return add(value.x()).add(value.y()).add(value.z());
}

CsvRow& CsvRow::add(const Quat& value)
{
    return add(value.w()).add(value.x()).add(value.y()).add(value.z());
}

CsvRow& CsvRow::add(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return add_field(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"')
            quoted += c;
        quoted += c;
    }
    return add_field(quoted + '"');
}

std::string CsvRow::take()
{
    empty_ = true;
    return std::exchange(line_, {}) + '\n';
}

CsvRow& CsvRow::add_field(std::string_view text)
{
    if (!empty_)
        line_ += ',';
    line_ += text;
    empty_ = false;
    return *this;
}

std::string csv_header(std::initializer_list<std::string_view> names)
{
    CsvRow row;
    for (const std::string_view name : names)
        row.add(name);
    return row.take();
}

} // namespace stickslip
