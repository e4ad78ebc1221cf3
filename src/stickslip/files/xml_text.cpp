#include "stickslip/files/xml_text.h"

namespace stickslip {

namespace {

struct Reference {
    char character;
    std::string_view text;
};
// White space as references: readers turn a bare line feed in an attribute into a space.
constexpr Reference references[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"}};

} // namespace

std::string xml_escape(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        const Reference* found = nullptr;
        for (const Reference& reference : references)
            if (reference.character == c)
                found = &reference;
        if (found)
            result += found->text;
        else
            result += static_cast<unsigned char>(c) < 0x20 ? '_' : c;
    }
    return result;
}

std::string xml_unescape(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        std::size_t used = 1;
        char c = text.front();
        for (const Reference& reference : references) {
            if (text.starts_with(reference.text)) {
                c = reference.character;
                used = reference.text.size();
                break;
            }
        }
        result += c;
        text.remove_prefix(used);
    }
    return result;
}

} // namespace stickslip
