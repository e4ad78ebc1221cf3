#include "stickslip/solver/vector_ops.h"

#include "stickslip/math/check.h"
#include "stickslip/math/parallel_lanes.h"

#include <cmath>

namespace stickslip {

namespace {

// Numbers large enough a part that a task is worth its start.
constexpr std::size_t numbers_a_part = 3 * 4096;

const double* numbers(const BlockVector& a)
{
    return a.empty() ? nullptr : a.front().data();
}
double* numbers(BlockVector& a)
{
    return a.empty() ? nullptr : a.front().data();
}

std::size_t parts(std::size_t count)
{
    return (count + numbers_a_part - 1) / numbers_a_part;
}

// Calls body(begin, end, part) for parts of the numbers of vectors.
template <typename Body>
void for_parts(std::size_t count, const Body& body)
{
    parallel_for_lanes(
        parts(count),
        [&](std::size_t part) {
            const std::size_t begin = numbers_a_part * part;
            body(begin, std::min(begin + numbers_a_part, count), part);
        },
        1);
}

// Sixteen sums, each of every sixteenth product, so that no addition waits for another.
inline double dot_of_part(const double* a, const double* b, std::size_t count)
{
    constexpr std::size_t rows = 4;
    Lanes sums[rows] = {};
    std::size_t i = 0;
    for (; i + rows * lanes <= count; i += rows * lanes)
        for (std::size_t row = 0; row < rows; ++row)
            sums[row] += load(a + i + lanes * row) * load(b + i + lanes * row);
    const Lanes sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; i < count; ++i)
        total += a[i] * b[i];
    return total;
}

} // namespace

double dot(const BlockVector& a, const BlockVector& b)
{
    STICKSLIP_ASSERT(a.size() == b.size());
    std::vector<double> sums(parts(3 * a.size()));
    for_parts(3 * a.size(), [&, from = numbers(a), with = numbers(b)](auto begin, auto end, auto part) {
        sums[part] = dot_of_part(from + begin, with + begin, end - begin);
    });
    double sum = 0;
    for (const double s : sums)
        sum += s;
    return sum;
}

double norm(const BlockVector& a)
{
    return std::sqrt(dot(a, a));
}

void add_scaled(BlockVector& y, double s, const BlockVector& x)
{
    STICKSLIP_ASSERT(y.size() == x.size());
    for_parts(3 * y.size(), [s, to = numbers(y), from = numbers(x)](auto begin, auto end, auto) {
        for (auto i = begin; i < end; ++i)
            to[i] += s * from[i];
    });
}

void assign_scaled(BlockVector& y, double s, const BlockVector& x)
{
    y.resize(x.size());
    for_parts(3 * y.size(), [s, to = numbers(y), from = numbers(x)](auto begin, auto end, auto) {
        for (auto i = begin; i < end; ++i)
            to[i] = s * from[i];
    });
}

void set_zero(BlockVector& y, std::size_t size)
{
    y.assign(size, Vec3::Zero());
}

} // namespace stickslip
