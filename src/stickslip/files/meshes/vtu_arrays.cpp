#include "stickslip/files/meshes/vtu_arrays.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Bytes of one array in the file, read from its beginning on, past base64 if need be.
class Bytes {
public:
    Bytes(const MeshInput& file, const VtuArray& array)
        : file_(file)
        , array_(array)
        , position_(std::min(array.position, file.data().size()))
    {
    }

    [[noreturn]] void fail(const std::string& expected, const std::string& found) const
    {
        MeshInput at = file_;
        at.set_binary(true);
        at.move_to(position_);
        at.fail(expected + " in the array " + array_.name, found);
    }

    /// At least `count` bytes, more if a group of base64 holds more; stops behind the last group.
    std::string take(std::size_t count)
    {
        if (count > file_.data().size() - position_)
            fail(std::to_string(count) + " bytes", "the end of the file");
        if (array_.encoding == VtuEncoding::raw) {
            position_ += count;
            return std::string(file_.data().substr(position_ - count, count));
        }
        std::string bytes;
        bytes.reserve(count + 2);
        while (bytes.size() < count)
            decode_group(bytes);
        return bytes;
    }

private:
    char next_character()
    {
        while (position_ < file_.data().size()) {
            const char c = file_.data()[position_++];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
                return c;
        }
        fail("base64", "the end of the file");
    }

    /// Four characters, three bytes. Padding may come in the middle: sizes and data are often encoded one after the
    /// other.
    void decode_group(std::string& bytes)
    {
        std::uint32_t bits = 0;
        int padding = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = next_character();
            const int digit = base64_digit(c);
            const bool pad = c == '=' && i >= 2;
            if ((digit < 0 && !pad) || (padding > 0 && !pad))
                fail("base64", "another character");
            padding += pad ? 1 : 0;
            bits = bits << 6 | static_cast<std::uint32_t>(pad ? 0 : digit);
        }
        for (int i = 0; i < 3 - padding; ++i)
            bytes += static_cast<char>(bits >> (16 - 8 * i) & 0xff);
    }

    const MeshInput& file_;
    const VtuArray& array_;
    std::size_t position_;
};

/// Sizes at the beginning of binary data.
std::vector<std::uint64_t> read_sizes(std::string bytes, const VtuStorage& storage, std::size_t count)
{
    MeshInput in("sizes", std::move(bytes));
    in.set_binary(true, storage.big_endian);
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < count; ++i)
        sizes.push_back(static_cast<std::uint64_t>(in.integer(storage.header, "a size")));
    return sizes;
}

std::string decode_plain(Bytes bytes, const VtuStorage& storage, std::size_t expected)
{
    const std::size_t header = scalar_size(storage.header);
    Bytes start = bytes;
    const std::uint64_t size = read_sizes(start.take(header), storage, 1)[0];
    if (size != expected)
        bytes.fail(std::to_string(expected) + " bytes of data", std::to_string(size));
    std::string data = bytes.take(header + expected); // from the beginning: base64 may run on from sizes to data
    data.erase(0, header);
    data.resize(expected);
    return data;
}

/// Blocks: their number, the size of all but the last one, the size of the last one (0: like the others), then their
/// sizes compressed.
std::string decode_zlib(Bytes bytes, const VtuStorage& storage, std::size_t expected)
{
    const std::size_t word = scalar_size(storage.header);
    Bytes start = bytes;
    const std::uint64_t blocks = read_sizes(start.take(word), storage, 1)[0];
    constexpr std::uint64_t most_blocks = std::uint64_t{1} << 28; // far beyond any file; keeps the product below exact
    if (blocks > most_blocks)
        bytes.fail("fewer blocks", std::to_string(blocks));
    const std::size_t words = 3 + static_cast<std::size_t>(blocks);
    const std::vector<std::uint64_t> sizes = read_sizes(bytes.take(words * word), storage, words);
    std::string compressed;
    std::size_t consumed = 0;
    std::string data;
    std::uint64_t total = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        if (sizes[3 + b] > most_blocks * 16)
            bytes.fail("smaller blocks", std::to_string(sizes[3 + b]));
        total += sizes[3 + b];
    }
    compressed = bytes.take(total); // checked against the file in there
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::uint64_t size = b + 1 == blocks && sizes[2] != 0 ? sizes[2] : sizes[1];
        // zlib packs no better than 1032:1, so a size beyond that is a lie not to be allocated
        if (size > expected - data.size() || size > 1032 * sizes[3 + b] + 64)
            bytes.fail(std::to_string(expected) + " bytes of data", "a block of " + std::to_string(size));
        const std::size_t at = data.size();
        data.resize(at + size);
        uLongf got = size;
        const int result = uncompress(reinterpret_cast<Bytef*>(data.data() + at), &got,
            reinterpret_cast<const Bytef*>(compressed.data() + consumed), sizes[3 + b]);
        if (result != Z_OK || got != size)
            bytes.fail(std::to_string(size) + " bytes of zlib data", "others");
        consumed += sizes[3 + b];
    }
    if (data.size() != expected)
        bytes.fail(std::to_string(expected) + " bytes of data", std::to_string(data.size()));
    return data;
}

std::size_t words_of(std::string_view text)
{
    std::size_t words = 0;
    bool inside = false;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
        words += !blank && !inside ? 1 : 0;
        inside = !blank;
    }
    return words;
}

} // namespace

MeshInput decode_array(const MeshInput& file, const VtuStorage& storage, const VtuArray& array, std::size_t count)
{
    if (array.encoding == VtuEncoding::ascii) {
        MeshInput in = file;
        in.move_to(array.position);
        in.end_at(std::min(file.data().find('<', array.position), file.data().size()));
        const std::size_t words = words_of(in.data().substr(in.position()));
        if (words < count)
            in.fail(std::to_string(count) + " numbers in the array " + array.name, std::to_string(words));
        return in;
    }
    const std::size_t size = scalar_size(array.type);
    const Bytes bytes(file, array);
    if (count > 1100 * (file.data().size() + 1) / size)
        bytes.fail("a number of values that fits into the file", std::to_string(count));
    std::string data =
        storage.zlib ? decode_zlib(bytes, storage, count * size) : decode_plain(bytes, storage, count * size);
    MeshInput in(file.place() + " (array " + array.name + ")", std::move(data));
    in.set_binary(true, storage.big_endian);
    return in;
}

} // namespace stickslip
