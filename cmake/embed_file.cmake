# Writes OUTPUT, a source file in which FUNCTION returns the bytes of FILE. Run as a script.
# Compilers take string literals of limited length only, so the bytes are numbers.
file(READ ${FILE} text HEX)
string(LENGTH "${text}" digits)
math(EXPR bytes "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," numbers "${text}")
file(WRITE ${OUTPUT} "#include <string_view>

namespace stickslip {

namespace {
constexpr unsigned char content[] = {${numbers}};
}

std::string_view ${FUNCTION}()
{
    return {reinterpret_cast<const char*>(content), ${bytes}};
}

} // namespace stickslip
")
