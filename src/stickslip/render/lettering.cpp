#include "stickslip/render/lettering.h"

#include "stickslip/math/check.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <cmath>
#include <string_view>

namespace stickslip {

/// The font of labels, a file in TrueType: DejaVu Sans, compiled in (CMakeLists.txt).
std::string_view label_font();

namespace {

/// The next character of a UTF-8 text, which is shortened by it; bytes that are none stand for U+FFFD.
char32_t next_character(std::string_view& text)
{
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > text.size()) {
        text.remove_prefix(1);
        return 0xFFFD;
    }
    char32_t character = length == 1 ? first : first & (0xFF >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
    text.remove_prefix(length);
    return character;
}

} // namespace

void paint(Picture& picture, int x, int y, const Colour& colour, double cover)
{
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height || !(cover > 0))
        return;
    const std::size_t pixel =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x);
    const double below = picture.alpha.empty() ? 1 : picture.alpha[pixel] / 255.0;
    const double all = cover + below * (1 - cover);
    const auto share = static_cast<float>(cover / all);
    for (std::size_t c = 0; c < 3; ++c) {
        std::uint8_t& byte = picture.rgb[3 * pixel + c];
        byte = to_srgb_byte((1 - share) * from_srgb_byte(byte) + share * colour[static_cast<int>(c)]);
    }
    if (!picture.alpha.empty())
        picture.alpha[pixel] = static_cast<std::uint8_t>(std::lround(255 * all));
}

struct Lettering::Face {
    FT_Library library = nullptr;
    FT_Face font = nullptr;

    explicit Face(int height)
    {
        const std::string_view file = label_font();
        STICKSLIP_ASSERT(FT_Init_FreeType(&library) == 0);
        STICKSLIP_ASSERT(FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(file.data()),
                             static_cast<FT_Long>(file.size()), 0, &font)
            == 0);
        STICKSLIP_ASSERT(FT_Set_Pixel_Sizes(font, 0, static_cast<FT_UInt>(height)) == 0);
    }
    ~Face()
    {
        FT_Done_Face(font);
        FT_Done_FreeType(library);
    }
    Face(const Face&) = delete;
    Face& operator=(const Face&) = delete;

    /// Loads one character after the other and tells at(pen) of each, in pixels from the begin; returns the end.
    template <class At>
    int walk(std::string_view text, FT_Int32 how, const At& at) const
    {
        FT_Pos pen = 0; // in 1/64 pixels
        FT_UInt before = 0;
        while (!text.empty()) {
            const FT_UInt glyph = FT_Get_Char_Index(font, next_character(text));
            FT_Vector kern{0, 0};
            if (before != 0)
                FT_Get_Kerning(font, before, glyph, FT_KERNING_DEFAULT, &kern);
            pen += kern.x;
            if (FT_Load_Glyph(font, glyph, how) == 0) {
                at(static_cast<int>(pen >> 6));
                pen += font->glyph->advance.x;
            }
            before = glyph;
        }
        return static_cast<int>((pen + 63) >> 6);
    }
};

Lettering::Lettering(int height)
    : face_(std::make_unique<Face>(height))
{
}

Lettering::~Lettering() = default;

int Lettering::width(const std::string& text) const
{
    return face_->walk(text, FT_LOAD_DEFAULT, [](int) {});
}

void Lettering::write(Picture& picture, int x, int y, const std::string& text, const Colour& colour) const
{
    face_->walk(text, FT_LOAD_RENDER, [&](int pen) {
        const FT_GlyphSlot glyph = face_->font->glyph;
        const FT_Bitmap& map = glyph->bitmap;
        for (unsigned row = 0; row < map.rows; ++row)
            for (unsigned column = 0; column < map.width; ++column)
                paint(picture, x + pen + glyph->bitmap_left + static_cast<int>(column),
                    y - glyph->bitmap_top + static_cast<int>(row), colour,
                    map.buffer[static_cast<std::ptrdiff_t>(row) * map.pitch + static_cast<std::ptrdiff_t>(column)]
                        / 255.0);
    });
}

} // namespace stickslip
