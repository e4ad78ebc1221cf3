#pragma once

#include <tbb/global_control.h>

namespace stickslip {

/// At most `count` threads work while it lives.
class ThreadLimit {
public:
    explicit ThreadLimit(std::size_t count)
        : control_(tbb::global_control::max_allowed_parallelism, count)
    {
    }

private:
    tbb::global_control control_;
};

} // namespace stickslip
