#include "stickslip/files/meshes/mesh_input.h"

#include "stickslip/math/error.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace stickslip {

namespace {

bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
}

/// Messages may quote the file: keep them short and printable.
std::string presentable(const std::string& text)
{
    constexpr std::size_t longest = 200;
    std::string shown = text.substr(0, longest);
    for (char& c : shown)
        c = c >= ' ' && c <= '~' ? c : '?';
    return text.size() > longest ? shown + "..." : shown;
}

std::string_view without_plus(std::string_view text)
{
    return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

} // namespace

std::size_t scalar_size(Scalar type)
{
    switch (type) {
    case Scalar::i8:
    case Scalar::u8:
        return 1;
    case Scalar::i16:
    case Scalar::u16:
        return 2;
    case Scalar::i32:
    case Scalar::u32:
    case Scalar::f32:
        return 4;
    default:
        return 8;
    }
}

bool is_real(Scalar type)
{
    return type == Scalar::f32 || type == Scalar::f64;
}

bool parse_integer(std::string_view text, std::int64_t& value)
{
    text = without_plus(text);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

bool parse_real(std::string_view text, double& value)
{
    text = without_plus(text);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

MeshInput::MeshInput(std::string place, std::string data)
    : place_(std::move(place))
    , data_(std::move(data))
{
}

MeshInput MeshInput::open(const std::string& path)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file)
        throw FileError(path + ": cannot be opened: " + std::strerror(errno));
    std::string data;
    char block[1 << 16];
    std::size_t got = 0;
    while ((got = std::fread(block, 1, sizeof block, file.get())) > 0)
        data.append(block, got);
    if (std::ferror(file.get()))
        throw FileError(path + ": cannot be read: " + std::strerror(errno));
    return MeshInput(path, std::move(data));
}

void MeshInput::skip_space()
{
    while (position_ < data_.size() && is_space(data_[position_]))
        ++position_;
}

std::string_view MeshInput::word()
{
    skip_space();
    last_ = position_;
    while (position_ < data_.size() && !is_space(data_[position_]))
        ++position_;
    last_end_ = position_;
    return data().substr(last_, position_ - last_);
}

void MeshInput::end_at(std::size_t end)
{
    data_.resize(end);
}

std::string_view MeshInput::line()
{
    last_ = position_;
    const std::size_t end = std::min(data_.find('\n', position_), data_.size());
    position_ = std::min(end + 1, data_.size());
    std::string_view text = data().substr(last_, end - last_);
    if (!text.empty() && text.back() == '\r')
        text.remove_suffix(1);
    last_end_ = last_ + text.size();
    return text;
}

void MeshInput::expect(std::string_view text)
{
    if (word() != text)
        fail("'" + std::string(text) + "'");
}

bool MeshInput::comes(std::string_view text) const
{
    return data().substr(position_, text.size()) == text;
}

void MeshInput::skip_past(std::string_view text)
{
    const std::size_t at = data_.find(text, position_);
    if (at == std::string::npos)
        fail("'" + std::string(text) + "' further on", "the end of the file");
    position_ = at + text.size();
}

void MeshInput::set_binary(bool binary, bool big_endian)
{
    binary_ = binary;
    big_endian_ = big_endian;
}

void MeshInput::move_to(std::size_t position)
{
    position_ = std::min(position, data_.size());
    last_ = last_end_ = position_;
}

/// The bytes of a binary number in the low bits.
std::uint64_t MeshInput::bits(Scalar type, const char* what)
{
    const std::size_t size = scalar_size(type);
    last_ = position_;
    if (data_.size() - position_ < size)
        fail(what, "the end of the file");
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t value = 0;
    std::memcpy(&value, data_.data() + position_, size);
    position_ += size;
    return big_endian_ ? __builtin_bswap64(value) >> (64 - 8 * size) : value;
}

std::int64_t MeshInput::integer(Scalar type, const char* what)
{
    if (!binary_) {
        std::int64_t value = 0;
        if (!parse_integer(word(), value))
            fail(what);
        return value;
    }
    const std::uint64_t b = bits(type, what);
    switch (type) {
    case Scalar::i8:
        return static_cast<std::int8_t>(b);
    case Scalar::i16:
        return static_cast<std::int16_t>(b);
    case Scalar::i32:
        return static_cast<std::int32_t>(b);
    default:
        return static_cast<std::int64_t>(b); // more than 2^63 becomes negative, which no index or count may be
    }
}

double MeshInput::real(Scalar type, const char* what)
{
    if (!binary_) {
        double value = 0;
        if (!parse_real(word(), value))
            fail(what);
        return value;
    }
    if (!is_real(type))
        return static_cast<double>(integer(type, what));
    const std::uint64_t b = bits(type, what);
    return type == Scalar::f32 ? std::bit_cast<float>(static_cast<std::uint32_t>(b)) : std::bit_cast<double>(b);
}

Vec3 MeshInput::point(Scalar type)
{
    Vec3 x;
    for (int i = 0; i < 3; ++i) {
        x[i] = real(type, "a coordinate");
        if (!std::isfinite(x[i]))
            fail("a finite coordinate", std::isnan(x[i]) ? "nan" : "infinity");
    }
    return x;
}

int MeshInput::count(Scalar type, std::size_t values, Scalar value_type, const char* what)
{
    const std::int64_t n = integer(type, what);
    check_count(n, values, value_type, what);
    return static_cast<int>(n);
}

void MeshInput::check_count(std::int64_t count, std::size_t values, Scalar value_type, const char* what) const
{
    // a number takes at least one character in text
    const std::size_t bytes = std::max<std::size_t>(1, values * (binary_ ? scalar_size(value_type) : 1));
    const std::size_t most = std::min<std::size_t>((data_.size() - position_) / bytes, std::numeric_limits<int>::max());
    if (count < 0 || static_cast<std::uint64_t>(count) > most)
        fail(std::string(what) + " between 0 and " + std::to_string(most) + " (the rest of the file)",
            std::to_string(count));
}

void MeshInput::skip(std::size_t values, Scalar value_type, const char* what)
{
    if (!binary_) {
        for (std::size_t i = 0; i < values; ++i) {
            if (word().empty())
                fail(what);
        }
        return;
    }
    last_ = position_;
    if ((data_.size() - position_) / scalar_size(value_type) < values)
        fail(what, "the end of the file");
    position_ += values * scalar_size(value_type);
}

void MeshInput::fail(const std::string& expected) const
{
    if (binary_)
        fail(expected, "other data");
    const std::string_view found = data().substr(last_, last_end_ - last_);
    constexpr std::size_t longest = 40;
    if (found.empty())
        fail(expected, position_ < data_.size() ? "nothing" : "the end of the file");
    fail(expected, "'" + std::string(found.substr(0, longest)) + (found.size() > longest ? "...'" : "'"));
}

void MeshInput::fail(const std::string& expected, const std::string& found) const
{
    const std::string what = " error: expected " + presentable(expected) + ", found " + presentable(found);
    if (binary_)
        throw InputError(place_ + ": byte " + std::to_string(last_) + ":" + what);
    const auto line = 1 + std::count(data_.begin(), data_.begin() + static_cast<std::ptrdiff_t>(last_), '\n');
    throw InputError(place_ + ":" + std::to_string(line) + ":" + what);
}

} // namespace stickslip
