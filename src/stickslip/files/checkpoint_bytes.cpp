#include "stickslip/files/checkpoint_bytes.h"

#include "stickslip/math/error.h"

#include <bit>

namespace stickslip {

void ByteWriter::number(const double& value)
{
    integer(std::bit_cast<std::uint64_t>(value));
}

void ByteWriter::vector(const Vec3& value)
{
    for (int i = 0; i < 3; ++i)
        number(value[i]);
}

void ByteWriter::text(std::string_view value)
{
    integer<std::uint64_t>(value.size());
    bytes(value);
}

void ByteWriter::numbers(const std::vector<double>& values)
{
    integer<std::uint64_t>(values.size());
    for (const double& value : values)
        number(value);
}

void ByteWriter::vectors(const std::vector<Vec3>& values)
{
    integer<std::uint64_t>(values.size());
    bytes_.reserve(bytes_.size() + values.size() * sizeof(Vec3));
    for (const Vec3& value : values)
        vector(value);
}

double ByteReader::number()
{
    return std::bit_cast<double>(integer<std::uint64_t>());
}

Vec3 ByteReader::vector()
{
    Vec3 value;
    for (int i = 0; i < 3; ++i)
        value[i] = number();
    return value;
}

std::string_view ByteReader::bytes(std::size_t length)
{
    if (length > left_.size())
        throw InputError("the file is damaged: a part ends too early");
    const std::string_view result = left_.substr(0, length);
    left_.remove_prefix(length);
    return result;
}

std::vector<double> ByteReader::numbers()
{
    std::vector<double> values(count(sizeof(double)));
    for (double& value : values)
        value = number();
    return values;
}

std::vector<Vec3> ByteReader::vectors()
{
    std::vector<Vec3> values(count(3 * sizeof(double)));
    for (Vec3& value : values)
        value = vector();
    return values;
}

std::size_t ByteReader::count(std::size_t element_size)
{
    const auto value = integer<std::uint64_t>();
    if (value > left_.size() / element_size)
        throw InputError("the file is damaged: a length in it is larger than the file");
    return static_cast<std::size_t>(value);
}

void ByteReader::expect_end() const
{
    if (!left_.empty())
        throw InputError("the file is damaged: a part is longer than expected");
}

} // namespace stickslip
