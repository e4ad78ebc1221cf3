#pragma once

#include <string>

namespace stickslip {

/// Copies of a body are named `brick[0]`, `brick[1]`, ...; `brick` is their family. Indices have no leading zeros.

/// The name is that of a copy.
bool is_copy(const std::string& name);

/// `brick` for `brick[3]`; any other name as it is.
std::string family_of(const std::string& name);

/// `given` names this body: it is its name or that of its family.
inline bool names_body(const std::string& given, const std::string& body)
{
    return given == body || given == family_of(body);
}

} // namespace stickslip
