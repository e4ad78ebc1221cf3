#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace stickslip {

/// The unit of a replay page's data: a table of contents in JSON, and the arrays it describes.
///     length of the JSON (32 bits) | JSON, blanks up to a multiple of 4 | arrays, one after the other
/// All numbers are little endian on every machine. As a whole compressed by zlib.
struct Chunk {
    nlohmann::ordered_json contents;
    std::string arrays;
};

void append_u16(std::uint16_t value, std::string& out);
void append_u32(std::uint32_t value, std::string& out);
void append_f32(double value, std::string& out);

/// The chunk in compressed form.
std::string compress_chunk(const Chunk& chunk);

/// Undoes compress_chunk. Errors: InputError for anything else.
Chunk decompress_chunk(std::string_view bytes);

std::string base64(std::string_view bytes);

/// JSON that may stand inside a <script> element: no `<`, `>`, `&` or line separator of JavaScript in it. Text that is
/// no UTF-8 gets replacement characters.
std::string script_json(const nlohmann::ordered_json& json);

} // namespace stickslip
