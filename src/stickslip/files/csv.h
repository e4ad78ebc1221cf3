#pragma once

#include "stickslip/math/types.h"

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace stickslip {

/// 17 significant digits: reads back as the same double, in every locale. `nan`, `inf`, `-inf` where there are no
/// digits.
std::string csv_number(double value);

/// One row of a table. Fields are separated by commas and quoted where they must be (RFC 4180, but rows end with a line
/// feed alone).
class CsvRow {
public:
    CsvRow& add(double value);
    CsvRow& add(const Vec3& value); // three fields
    CsvRow& add(const Quat& value); // four fields: w, x, y, z
    CsvRow& add(std::string_view text);
    CsvRow& add(const char* text) { return add(std::string_view(text)); }
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) CsvRow& add(Integer value) { return add_field(std::to_string(value)); }

    /// The row with its line feed; the next add() starts another row.
    std::string take();

private:
    CsvRow& add_field(std::string_view text);

    std::string line_;
    bool empty_ = true;
};

/// First row of a table, with its line feed.
std::string csv_header(std::initializer_list<std::string_view> names);

} // namespace stickslip
