#include "stickslip/render/picture.h"

#include "stickslip/math/check.h"

#include <png.h>

namespace stickslip {

namespace {

void append(png_structp png, png_bytep bytes, std::size_t count)
{
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

} // namespace

std::string png_bytes(const Picture& picture)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    STICKSLIP_ASSERT(png && info);
    std::string bytes;
    png_set_write_fn(png, &bytes, append, nullptr);
    png_set_compression_level(png, 9);
    png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height), 8,
        PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int row = 0; row < picture.height; ++row)
        png_write_row(
            png, picture.rgb.data() + static_cast<std::size_t>(row) * 3 * static_cast<std::size_t>(picture.width));
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

} // namespace stickslip
