#pragma once

#include "stickslip/math/types.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stickslip {

/// Storage of a number in a binary file; its width in bytes is scalar_size.
enum class Scalar { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };
std::size_t scalar_size(Scalar type);
bool is_real(Scalar type);

/// Reads an untrusted mesh file from memory. Many formats exist as text and as binary with the same sequence of
/// numbers, so integer() and real() read whichever set_binary says. Everything that does not fit throws InputError with
/// the place.
class MeshInput {
public:
    /// place begins error messages: the path, or a description of data that was decoded from the file.
    MeshInput(std::string place, std::string data);
    /// FileError with the system's reason if the file cannot be read.
    static MeshInput open(const std::string& path);

    // Text. Words are separated by white space.
    std::string_view word(); // empty at the end
    std::string_view line(); // rest of the line, without its end
    void expect(std::string_view text); // the next word
    bool comes(std::string_view text) const; // the very next bytes
    void skip_past(std::string_view text); // somewhere further on

    // Numbers, text or binary.
    void set_binary(bool binary, bool big_endian = false);
    std::int64_t integer(Scalar type, const char* what);
    double real(Scalar type, const char* what);
    Vec3 point(Scalar type); // finite
    /// Integer that says how many items follow, each of at least `values` numbers of the type.
    int count(Scalar type, std::size_t values, Scalar value_type, const char* what);
    /// The items cannot be more than fit into the rest of the file. Call before allocating.
    void check_count(std::int64_t count, std::size_t values, Scalar value_type, const char* what) const;
    void skip(std::size_t values, Scalar value_type, const char* what);

    std::string_view data() const { return data_; }
    std::size_t position() const { return position_; }
    void move_to(std::size_t position);
    void end_at(std::size_t end); // forgets what is behind
    const std::string& place() const { return place_; }

    /// found: the last word or number read. Text: line of it; binary: byte.
    [[noreturn]] void fail(const std::string& expected) const;
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

private:
    void skip_space();
    std::uint64_t bits(Scalar type, const char* what);

    std::string place_;
    std::string data_;
    std::size_t position_ = 0;
    std::size_t last_ = 0; // where the last word or number began
    std::size_t last_end_ = 0; // end of the last word or line
    bool binary_ = false;
    bool big_endian_ = false;
};

/// Whole text as a number, independent of the locale; false if it is none.
bool parse_integer(std::string_view text, std::int64_t& value);
bool parse_real(std::string_view text, double& value);

} // namespace stickslip
