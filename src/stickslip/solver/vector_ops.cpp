#include "stickslip/solver/vector_ops.h"

#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"

#include <cmath>

namespace stickslip {

// Blocks large enough that a task is worth its start.
constexpr std::size_t vector_grain = 4096;

double dot(const BlockVector& a, const BlockVector& b)
{
    STICKSLIP_ASSERT(a.size() == b.size());
    return ordered_sum(
        a.size(), 0.0, [&](std::size_t i) { return a[i].dot(b[i]); }, vector_grain);
}

double norm(const BlockVector& a)
{
    return std::sqrt(dot(a, a));
}

void add_scaled(BlockVector& y, double s, const BlockVector& x)
{
    STICKSLIP_ASSERT(y.size() == x.size());
    parallel_for(
        y.size(), [&](std::size_t i) { y[i] += s * x[i]; }, vector_grain);
}

void assign_scaled(BlockVector& y, double s, const BlockVector& x)
{
    y.resize(x.size());
    parallel_for(
        y.size(), [&](std::size_t i) { y[i] = s * x[i]; }, vector_grain);
}

void set_zero(BlockVector& y, std::size_t size)
{
    y.assign(size, Vec3::Zero());
}

} // namespace stickslip
