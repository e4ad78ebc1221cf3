#pragma once

#include "stickslip/math/types.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace stickslip {

/// A box cut into 2^bits - 1 steps along each axis: x = min + step q.
struct QuantisedBox {
    Vec3 min = Vec3::Zero(); // [m]
    Vec3 step = Vec3::Zero(); // [m] 0 where the box is flat
    int bits = 16;

    /// Largest error of a coordinate [m].
    double error() const { return 0.5 * step.maxCoeff(); }
    Vec3 position(const std::array<std::uint16_t, 3>& q) const
    {
        return min + step.cwiseProduct(Vec3(q[0], q[1], q[2]));
    }
};

/// Pre: 1 <= bits <= 16; box not empty.
QuantisedBox quantised_box(const Bounds& box, int bits);

using QuantisedPoints = std::vector<std::array<std::uint16_t, 3>>;

/// The nearest whole numbers. Pre: the points are in the box.
QuantisedPoints quantise(std::span<const Vec3> points, const QuantisedBox& box);

/// Prediction of a point's numbers; only the difference from it is stored (mod 2^16, so that any choice is exact).
enum class Prediction {
    neighbour = 0, // the point before it, in the same frame
    hold = 1, // the same point one frame earlier
    linear = 2 // the same point, going on as in the last two frames
};

/// Appends the differences, axis by axis: all low bytes, then all high bytes, of the difference folded to
/// 0, -1, 1, -2, ... -> 0, 1, 2, 3, ...  Pre: `one` and `two` (frames before) have as many points where they are used.
void append_differences(const QuantisedPoints& q, const QuantisedPoints& one, const QuantisedPoints& two,
    Prediction prediction, std::string& out);

/// The one with the smallest differences. A frame before that has another number of points cannot be used.
Prediction best_prediction(const QuantisedPoints& q, const QuantisedPoints& one, const QuantisedPoints& two);

/// Undoes append_differences for `count` points at the front of `bytes`, which are taken off.
/// Pre: at least 6 count bytes.
QuantisedPoints take_differences(std::string_view& bytes, std::size_t count, const QuantisedPoints& one,
    const QuantisedPoints& two, Prediction prediction);

/// Upper half of a float32, rounded to nearest: relative error at most 2^-8, any sign and size. Not finite: 0.
std::uint16_t half_word(double value);
double from_half_word(std::uint16_t word);

} // namespace stickslip
