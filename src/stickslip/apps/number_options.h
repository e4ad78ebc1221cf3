#pragma once

#include <functional>
#include <string>

namespace stickslip {

/// Fault of the text of an option that stands for a number from `least` to `most`, both finite; "" when it is
/// one. CLI's own conversions let nan and inf through. expected: "a time of 0 s or more".
std::string range_fault(const std::string& text, double least, double most, const char* expected);

/// The same of a time of 0 s or more.
std::string time_fault(const std::string& text);

/// The same of any moment [s].
std::string moment_fault(const std::string& text);

/// The same of a whole number from `least` to `most`, as a check of an option.
std::function<std::string(const std::string&)> whole_number(int least, int most);

} // namespace stickslip
