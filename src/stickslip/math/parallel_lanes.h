#pragma once

#include "stickslip/math/lanes.h"
#include "stickslip/math/parallel.h"

namespace stickslip {

template <typename Body>
STICKSLIP_WIDE void run_in_lanes(const Body& body, std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i < end; ++i)
        body(i);
}

/// parallel_for of a body that computes in lanes: it is built for wide vectors, too, with all that it calls. For layers
/// with LANES (CMakeLists.txt).
template <typename Body>
void parallel_for_lanes(std::size_t count, const Body& body, std::size_t grain = 256)
{
    if (count <= grain)
        return run_in_lanes(body, 0, count);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
        [&](const tbb::blocked_range<std::size_t>& range) { run_in_lanes(body, range.begin(), range.end()); });
}

} // namespace stickslip
