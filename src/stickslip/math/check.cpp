#include "stickslip/math/check.h"

#include <cstdio>
#include <cstdlib>

namespace stickslip {

void assertion_failed(const char* condition, const char* file, int line)
{
    std::fprintf(stderr, "%s:%d: internal error: %s does not hold\n", file, line, condition);
    std::abort();
}

} // namespace stickslip
