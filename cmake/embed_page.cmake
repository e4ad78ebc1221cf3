# Writes OUTPUT, a source file with the page PAGE as text. Run as a script. Compilers take string literals of limited
# length only, so the page goes in pieces.
file(READ ${PAGE} text HEX)
string(LENGTH "${text}" digits)
math(EXPR bytes "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," numbers "${text}")
file(WRITE ${OUTPUT} "#include \"stickslip/replay/page_template.h\"

namespace stickslip {

namespace {
constexpr unsigned char page[] = {${numbers}};
}

std::string_view page_template()
{
    return {reinterpret_cast<const char*>(page), ${bytes}};
}

} // namespace stickslip
")
