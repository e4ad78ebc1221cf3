#include "stickslip/replay/chunk.h"

#include "stickslip/math/check.h"
#include "stickslip/math/error.h"

#include <bit>

#include <zlib.h>

namespace stickslip {

namespace {

constexpr std::size_t largest_chunk = std::size_t{1} << 31; // [bytes] decompressed

std::string json_text(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::ordered_json::error_handler_t::replace);
}

std::uint32_t read_u32(std::string_view bytes)
{
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string decompress(std::string_view bytes)
{
    z_stream stream{};
    STICKSLIP_ASSERT(inflateInit(&stream) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string out;
    int status = Z_OK;
    while (status == Z_OK && out.size() < largest_chunk) {
        const std::size_t before = out.size();
        out.resize(before + (1 << 20));
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
        stream.avail_out = 1 << 20;
        status = inflate(&stream, Z_NO_FLUSH);
        out.resize(out.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END)
        throw InputError("replay data: expected zlib data, found something else");
    return out;
}

} // namespace

void append_u16(std::uint16_t value, std::string& out)
{
    out += static_cast<char>(value & 0xff);
    out += static_cast<char>(value >> 8);
}

void append_u32(std::uint32_t value, std::string& out)
{
    append_u16(static_cast<std::uint16_t>(value & 0xffff), out);
    append_u16(static_cast<std::uint16_t>(value >> 16), out);
}

void append_f32(double value, std::string& out)
{
    append_u32(std::bit_cast<std::uint32_t>(static_cast<float>(value)), out);
}

std::string compress_chunk(const Chunk& chunk)
{
    std::string json = json_text(chunk.contents);
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string plain;
    append_u32(static_cast<std::uint32_t>(json.size()), plain);
    plain += json;
    plain += chunk.arrays;
    uLongf length = compressBound(plain.size());
    std::string packed(length, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
        reinterpret_cast<const Bytef*>(plain.data()), plain.size(), Z_DEFAULT_COMPRESSION);
    STICKSLIP_ASSERT(status == Z_OK);
    packed.resize(length);
    return packed;
}

Chunk decompress_chunk(std::string_view bytes)
{
    const std::string plain = decompress(bytes);
    const auto fault = [] { return InputError("replay data: expected a chunk, found something else"); };
    if (plain.size() < 4 || read_u32(plain) > plain.size() - 4)
        throw fault();
    const std::size_t length = read_u32(plain);
    Chunk chunk;
    chunk.contents = nlohmann::ordered_json::parse(plain.substr(4, length), nullptr, /*allow_exceptions=*/false);
    if (!chunk.contents.is_object())
        throw fault();
    chunk.arrays = plain.substr(4 + length);
    return chunk;
}

std::string base64(std::string_view bytes)
{
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = bits << 8 | (j < left ? static_cast<unsigned char>(bytes[i + j]) : 0);
        for (std::size_t j = 0; j < 4; ++j)
            text += j <= left ? digits[bits >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

std::string script_json(const nlohmann::ordered_json& json)
{
    std::string text;
    for (const char c : json_text(json)) { // outside strings JSON has none of these
        if (c == '<')
            text += "\\u003c";
        else if (c == '>')
            text += "\\u003e";
        else if (c == '&')
            text += "\\u0026";
        else
            text += c;
    }
    return text;
}

} // namespace stickslip
