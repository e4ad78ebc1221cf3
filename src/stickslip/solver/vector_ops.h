#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

/// Sums of block vectors; the same bits for any number of threads.
double dot(const BlockVector& a, const BlockVector& b);
double norm(const BlockVector& a);

/// y += s x
void add_scaled(BlockVector& y, double s, const BlockVector& x);

/// y = s x
void assign_scaled(BlockVector& y, double s, const BlockVector& x);

void set_zero(BlockVector& y, std::size_t size);

} // namespace stickslip
