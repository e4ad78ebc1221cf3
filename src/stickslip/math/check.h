#pragma once

namespace stickslip {

/// Prints file, line and condition to stderr and aborts: a defect of this program, never of its input.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

} // namespace stickslip

/// Kept in release builds: a wrong answer costs more than the test.
#define STICKSLIP_ASSERT(condition)                                                                                    \
    ((condition) ? static_cast<void>(0) : ::stickslip::assertion_failed(#condition, __FILE__, __LINE__))
