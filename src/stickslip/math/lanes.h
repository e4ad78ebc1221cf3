#pragma once

#include "stickslip/math/types.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

/// Marks a function to be built twice, also for processors with vectors of four doubles; which is taken is decided when
/// the program starts. Everything it calls becomes part of it. Both give the same bits (no contraction:
/// cmake/layers.cmake).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)                  \
    && !defined(__SANITIZE_THREAD__)
#define STICKSLIP_WIDE __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
#else
#define STICKSLIP_WIDE
#endif

namespace stickslip {

/// Four numbers side by side: every operation acts on each lane alone, so that a lane has the bits that a double would
/// have. A comparison gives a mask, and mask ? a : b chooses by lane, as it does for doubles. (Vectors of GCC and
/// Clang.)
using Lanes = double __attribute__((vector_size(32)));
constexpr int lanes = 4;

template <typename Real>
using Mask = decltype(Real() < Real());

inline Lanes square_root(const Lanes& a)
{
    return Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
inline double square_root(double a)
{
    return std::sqrt(a);
}
/// As whole numbers, to take apart.
inline std::uint64_t bits(double a)
{
    return std::bit_cast<std::uint64_t>(a);
}
using LaneBits = std::uint64_t __attribute__((vector_size(32)));
inline LaneBits bits(const Lanes& a)
{
    return (LaneBits)a;
}
inline double from_bits(std::uint64_t a)
{
    return std::bit_cast<double>(a);
}
inline Lanes from_bits(const LaneBits& a)
{
    return (Lanes)a;
}

/// Of a normal number > 0, to a relative error of 1e-15 and without a quotient: x r^2 with r = x^(-1/3), which is
/// guessed within 4 % by a third of the exponent and twice mended by the series of (1 - h)^(-1/3), h = 1 - x r^3.
template <typename Real>
Real cube_root(const Real& x)
{
    const auto third = ((bits(x) >> 32) * 0x55555556U) >> 32;
    Real r = from_bits((0x553ee000U - third) << 32);
    for (int i = 0; i < 2; ++i) {
        const Real h = 1.0 - x * r * r * r;
        r = r + r * h * (1.0 / 3 + h * (2.0 / 9 + h * (14.0 / 81)));
    }
    return x * r * r;
}
/// The mask holds in some lane.
inline bool any(const Mask<Lanes>& mask)
{
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}
inline bool any(bool mask)
{
    return mask;
}
template <typename Real>
Real larger(const Real& a, const Real& b)
{
    return a > b ? a : b;
}
template <typename Real>
Real smaller(const Real& a, const Real& b)
{
    return a < b ? a : b;
}

/// A vector of three numbers, or of three lanes of them.
template <typename Real>
struct Triple {
    Real x, y, z; // not set to zero: that would cost in every contact

    Triple& operator+=(const Triple& b) { return *this = *this + b; }
    friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Triple operator*(const Real& s, const Triple& a) { return {s * a.x, s * a.y, s * a.z}; }
    friend Triple operator*(double s, const Triple& a) requires(!std::same_as<Real, double>)
    {
        return {s * a.x, s * a.y, s * a.z};
    }
};
template <typename Real>
Real dot(const Triple<Real>& a, const Triple<Real>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename Real>
Triple<Real> cross(const Triple<Real>& a, const Triple<Real>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <typename Real>
Triple<Real> choose(const Mask<Real>& mask, const Triple<Real>& a, const Triple<Real>& b)
{
    return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}
inline Triple<double> triple(const Vec3& a)
{
    return {a[0], a[1], a[2]};
}
inline Vec3 vec3(const Triple<double>& a)
{
    return {a.x, a.y, a.z};
}
/// One vector a lane.
inline Triple<Lanes> triple(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return {Lanes{a[0], b[0], c[0], d[0]}, Lanes{a[1], b[1], c[1], d[1]}, Lanes{a[2], b[2], c[2], d[2]}};
}
/// Four numbers in a row in memory, one a lane.
using LanesInMemory = double __attribute__((vector_size(32), aligned(8), may_alias));
inline Lanes load(const void* from)
{
    return *static_cast<const LanesInMemory*>(from);
}
inline void store(const Lanes& a, void* to)
{
    *static_cast<LanesInMemory*>(to) = a;
}
/// Rows become columns.
struct LaneRows {
    Lanes row[4];
};
inline LaneRows transposed(const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d)
{
    const Lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Lanes cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ba, dc, 0, 1, 4, 5),
        __builtin_shufflevector(ab, cd, 2, 3, 6, 7), __builtin_shufflevector(ba, dc, 2, 3, 6, 7)};
}
inline Vec3 lane(const Triple<Lanes>& a, int l)
{
    return {a.x[l], a.y[l], a.z[l]};
}

} // namespace stickslip
