#pragma once

#include "stickslip/math/types.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// Little-endian bytes, on any machine. Doubles by their bits; texts and arrays after their count (64 bits).
class ByteWriter {
public:
    template <std::unsigned_integral Integer>
    void integer(Integer value)
    {
        std::array<char, sizeof(Integer)> digits;
        for (std::size_t i = 0; i < digits.size(); ++i)
            digits[i] = static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
        bytes_.append(digits.data(), digits.size());
    }
    void number(const double& value);
    void vector(const Vec3& value);
    void bytes(std::string_view value) { bytes_ += value; }
    void text(std::string_view value);
    void numbers(const std::vector<double>& values);
    void vectors(const std::vector<Vec3>& values);

    const std::string& result() const { return bytes_; }

private:
    std::string bytes_;
};

/// Reads what ByteWriter wrote, from bytes that need not be what they should: InputError beyond the end, and before any
/// allocation larger than what is there.
class ByteReader {
public:
    /// Keeps a view of `bytes`.
    explicit ByteReader(std::string_view bytes)
        : left_(bytes)
    {
    }

    template <std::unsigned_integral Integer>
    Integer integer()
    {
        Integer value = 0;
        const std::string_view source = bytes(sizeof(Integer));
        for (std::size_t i = 0; i < sizeof(Integer); ++i)
            value |= static_cast<Integer>(static_cast<Integer>(static_cast<unsigned char>(source[i])) << (8 * i));
        return value;
    }
    double number();
    Vec3 vector();
    std::string_view bytes(std::size_t length);
    std::string text() { return std::string(bytes(count(1))); }
    std::vector<double> numbers();
    std::vector<Vec3> vectors();

    /// Reads how many elements follow that take at least `element_size` bytes each.
    std::size_t count(std::size_t element_size);

    void expect_end() const;

private:
    std::string_view left_;
};

} // namespace stickslip
