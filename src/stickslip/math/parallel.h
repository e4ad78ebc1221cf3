#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stickslip {

/// Calls body(i) for i in [0, count), in any order and on any thread: the calls must not touch each other's data.
template <typename Body>
void parallel_for(std::size_t count, const Body& body, std::size_t grain = 256)
{
    if (count <= grain) {
        for (std::size_t i = 0; i < count; ++i)
            body(i);
        return;
    }
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, grain), [&](const tbb::blocked_range<std::size_t>& range) {
            for (std::size_t i = range.begin(); i != range.end(); ++i)
                body(i);
        });
}

/// Sum of term(i), added in blocks of fixed size and the blocks in order: the same bits for any number of threads.
template <typename Value, typename Term>
Value ordered_sum(std::size_t count, const Value& zero, const Term& term, std::size_t block = 1024)
{
    const std::size_t blocks = (count + block - 1) / block;
    std::vector<Value> partial(blocks, zero);
    parallel_for(
        blocks,
        [&](std::size_t b) {
            Value sum = zero;
            const std::size_t end = std::min(count, (b + 1) * block);
            for (std::size_t i = b * block; i < end; ++i)
                sum += term(i);
            partial[b] = sum;
        },
        1);
    Value total = zero;
    for (const Value& sum : partial)
        total += sum;
    return total;
}

} // namespace stickslip
