#pragma once

#include <string_view>

namespace stickslip {

/// web/dist/view.html, built into the program. The data go in place of `page_data_mark`.
std::string_view page_template();

constexpr std::string_view page_data_mark = "<!--replay-data-->";

} // namespace stickslip
