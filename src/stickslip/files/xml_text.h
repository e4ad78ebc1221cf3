#pragma once

#include <string>
#include <string_view>

namespace stickslip {

/// For the value of an attribute in double quotes. Characters that XML 1.0 cannot hold (control characters) become `_`.
std::string xml_escape(std::string_view text);

/// Undoes xml_escape; other references stay as they are.
std::string xml_unescape(std::string_view text);

} // namespace stickslip
