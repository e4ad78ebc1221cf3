#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace stickslip {

/// Fault of an expression, and its position.
struct ExpressionFault {
    std::size_t at; // [bytes] from its beginning
    std::string message;
};

/// Value of "2*pi/12": numbers, + - * / ^ (powers from the right, before a sign), parentheses, pi, the functions sin
/// cos tan (radians) sqrt abs min max, and variables. Throws ExpressionFault, also where a value is not finite. Any
/// text is safe.
double evaluate_expression(const std::string& text, const std::map<std::string, double>& variables);

/// The words of an expression, whether or not it can be evaluated: functions, pi and variables.
std::set<std::string> words_of_expression(const std::string& text);

/// Why this is no name for a variable: "" when it is one (letters, digits and _, no digit first, no word of the
/// language).
std::string variable_name_fault(const std::string& name);

} // namespace stickslip
