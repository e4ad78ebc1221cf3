#include "stickslip/replay/quantise.h"

#include "stickslip/math/check.h"

#include <bit>
#include <cmath>
#include <cstdlib>

namespace stickslip {

namespace {

std::uint16_t fold(std::uint16_t difference)
{
    const auto d = static_cast<std::int16_t>(difference);
    return static_cast<std::uint16_t>((static_cast<std::uint32_t>(d) << 1) ^ static_cast<std::uint32_t>(d >> 15));
}

std::uint16_t unfold(std::uint16_t folded)
{
    return static_cast<std::uint16_t>((folded >> 1) ^ (0u - (folded & 1u)));
}

std::uint16_t predicted(const QuantisedPoints& q, const QuantisedPoints& one, const QuantisedPoints& two,
    Prediction prediction, std::size_t i, int axis)
{
    switch (prediction) {
    case Prediction::neighbour:
        return i > 0 ? q[i - 1][axis] : 0;
    case Prediction::hold:
        return one[i][axis];
    case Prediction::linear:
        return static_cast<std::uint16_t>(2u * one[i][axis] - two[i][axis]);
    }
    return 0;
}

} // namespace

QuantisedBox quantised_box(const Bounds& box, int bits)
{
    STICKSLIP_ASSERT(bits >= 1 && bits <= 16);
    return {.min = box.min, .step = (box.max - box.min) / ((1 << bits) - 1), .bits = bits};
}

QuantisedPoints quantise(std::span<const Vec3> points, const QuantisedBox& box)
{
    const double top = (1 << box.bits) - 1;
    QuantisedPoints q(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            const double steps = box.step[axis] > 0 ? (points[i][axis] - box.min[axis]) / box.step[axis] : 0;
            q[i][axis] = static_cast<std::uint16_t>(std::lround(std::clamp(steps, 0.0, top)));
        }
    return q;
}

void append_differences(const QuantisedPoints& q, const QuantisedPoints& one, const QuantisedPoints& two,
    Prediction prediction, std::string& out)
{
    const std::size_t n = q.size();
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t low = out.size();
        out.resize(low + 2 * n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint16_t folded =
                fold(static_cast<std::uint16_t>(q[i][axis] - predicted(q, one, two, prediction, i, axis)));
            out[low + i] = static_cast<char>(folded & 0xff);
            out[low + n + i] = static_cast<char>(folded >> 8);
        }
    }
}

Prediction best_prediction(const QuantisedPoints& q, const QuantisedPoints& one, const QuantisedPoints& two)
{
    Prediction best = Prediction::neighbour;
    double least = infinity;
    for (const Prediction p : {Prediction::neighbour, Prediction::hold, Prediction::linear}) {
        if ((p != Prediction::neighbour && one.size() != q.size())
            || (p == Prediction::linear && two.size() != q.size()))
            continue;
        double cost = 0; // bits of the differences, roughly
        for (std::size_t i = 0; i < q.size(); ++i)
            for (int axis = 0; axis < 3; ++axis)
                cost +=
                    std::bit_width(fold(static_cast<std::uint16_t>(q[i][axis] - predicted(q, one, two, p, i, axis))));
        if (cost < least) {
            least = cost;
            best = p;
        }
    }
    return best;
}

QuantisedPoints take_differences(std::string_view& bytes, std::size_t count, const QuantisedPoints& one,
    const QuantisedPoints& two, Prediction prediction)
{
    STICKSLIP_ASSERT(bytes.size() >= 6 * count);
    QuantisedPoints q(count);
    for (int axis = 0; axis < 3; ++axis) {
        const std::string_view low = bytes.substr(0, count), high = bytes.substr(count, count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto folded = static_cast<std::uint16_t>(
                static_cast<unsigned char>(low[i]) | static_cast<unsigned char>(high[i]) << 8);
            q[i][axis] = static_cast<std::uint16_t>(unfold(folded) + predicted(q, one, two, prediction, i, axis));
        }
        bytes.remove_prefix(2 * count);
    }
    return q;
}

std::uint16_t half_word(double value)
{
    const auto narrow = static_cast<float>(value);
    if (!std::isfinite(narrow))
        return 0;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(narrow);
    const std::uint32_t rounded = bits + 0x8000;
    return static_cast<std::uint16_t>(((rounded & 0x7f800000) == 0x7f800000 ? bits : rounded) >> 16);
}

double from_half_word(std::uint16_t word)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(word) << 16);
}

} // namespace stickslip
