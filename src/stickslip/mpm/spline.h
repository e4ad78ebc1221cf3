#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <cmath>

namespace stickslip {

/// Cell of a point: the lowest of the 3 x 3 x 3 nodes that it touches. Nodes lie at integer multiples of the spacing.
using GridIndex = std::array<int, 3>;

/// Number of a node among the 27 of a cell, x fastest.
constexpr int stencil_size = 27;
constexpr int stencil_slot(int i, int j, int k)
{
    return i + 3 * (j + 3 * k);
}

/// Quadratic B-splines along each axis at a point: weights [-] and their derivatives [1/m] at the three nodes. Source:
/// Steffen, Kirby, Berzins, Analysis and reduction of quadrature errors in the material point method (2008)
struct Spline {
    Mat3 w, dw; // column: axis, row: node

    /// x: the point; cell: its own.
    Spline(const Vec3& x, const GridIndex& cell, double h)
    {
        for (int axis = 0; axis < 3; ++axis) {
            const double d = x[axis] / h - cell[axis]; // in [0.5, 1.5)
            w.col(axis) = Vec3(0.5 * (1.5 - d) * (1.5 - d), 0.75 - (d - 1) * (d - 1), 0.5 * (d - 0.5) * (d - 0.5));
            dw.col(axis) = Vec3(d - 1.5, -2 * (d - 1), d - 0.5) / h;
        }
    }

    /// With w (x_i - x) [m] along each axis in place of the derivatives.
    Spline with_offsets(const Vec3& x, const GridIndex& cell, double h) const
    {
        Spline s = *this;
        for (int axis = 0; axis < 3; ++axis)
            for (int i = 0; i < 3; ++i)
                s.dw(i, axis) = w(i, axis) * (h * (cell[axis] + i) - x[axis]);
        return s;
    }

    double weight(int i, int j, int k) const { return w(i, 0) * w(j, 1) * w(k, 2); }
    Vec3 gradient(int i, int j, int k) const
    {
        return {dw(i, 0) * w(j, 1) * w(k, 2), w(i, 0) * dw(j, 1) * w(k, 2), w(i, 0) * w(j, 1) * dw(k, 2)};
    }
};

inline GridIndex cell_of(const Vec3& x, double h)
{
    GridIndex cell;
    for (int axis = 0; axis < 3; ++axis)
        cell[axis] = static_cast<int>(std::floor(x[axis] / h - 0.5));
    return cell;
}

/// The sum of w (x_i - x) (x_i - x)^T over the nodes is this times the identity, wherever x is [m^2].
constexpr double spline_moment(double h)
{
    return h * h / 4;
}

/// Calls visit(slot, weight, gradient) for each of the 27 nodes.
template <typename Visit>
void for_each_weight(const Spline& s, const Visit& visit)
{
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i)
                visit(stencil_slot(i, j, k), s.weight(i, j, k), s.gradient(i, j, k));
}

} // namespace stickslip
