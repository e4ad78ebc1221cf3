#pragma once

#include "stickslip/math/types.h"

#include <bit>
#include <cstdint>
#include <string>

namespace stickslip {

/// 128 bits over a sequence of words: two FNV-1a streams over 64-bit words with different bases and a final mix.
/// Changes are seen, nobody is kept out.
class StateHasher {
public:
    void add(std::uint64_t word)
    {
        a_ = (a_ ^ word) * 0x100000001b3u;
        b_ = (b_ ^ (word + 0x9e3779b97f4a7c15u)) * 0x100000001b3u;
        b_ ^= b_ >> 29;
        a_ ^= a_ >> 32;
    }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(const Vec3& v)
    {
        for (int c = 0; c < 3; ++c)
            add(v[c]);
    }
    void add(const Quat& q)
    {
        for (int c = 0; c < 4; ++c)
            add(q.coeffs()[c]);
    }
    /// 32 hexadecimal digits.
    std::string text() const
    {
        constexpr char digits[] = "0123456789abcdef";
        std::string result;
        for (const std::uint64_t word : {a_, b_})
            for (int shift = 60; shift >= 0; shift -= 4)
                result += digits[(word >> shift) & 15];
        return result;
    }

private:
    std::uint64_t a_ = 0xcbf29ce484222325u, b_ = 0x84222325cbf29ce4u;
};

} // namespace stickslip
