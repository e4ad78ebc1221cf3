#include "stickslip/scene/text/syntax_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace stickslip {

namespace {

struct Mark {
    char sign;
    int line, byte;
};

char partner(char bracket)
{
    constexpr std::string_view pairs = "[]{}";
    return pairs[pairs.find(bracket) ^ 1u];
}

std::string quoted(char sign)
{
    return sign == '"' ? "'\"'" : std::string("\"") + sign + '"';
}

/// Reads brackets and quotes as YAML does, up to the first closing bracket that does not match.
class BracketScan {
public:
    std::vector<Mark> open;
    std::optional<Mark> wrong; // a closing bracket that does not belong to the last open one
    std::optional<Mark> quote; // opened and not closed again

    explicit BracketScan(const std::vector<std::string>& lines)
    {
        for (std::size_t k = 0; k < lines.size() && !wrong; ++k)
            read(lines[k], static_cast<int>(k));
    }

private:
    void read(const std::string& line, int number)
    {
        if (open.empty())
            last_ = ',';
        bool space = true;
        for (std::size_t i = 0; i < line.size() && !wrong; ++i) {
            const char c = line[i];
            if (quote) {
                i += leave_quote(line, i) ? 1 : 0;
                continue;
            }
            if (c == ' ' || c == '\t' || c == '\r') {
                space = true;
                continue;
            }
            if (c == '#' && space)
                return;
            sign({c, number, static_cast<int>(i)}, begins_value(space));
            last_ = c;
            space = false;
        }
    }

    /// Whether the next sign belongs to this one.
    bool leave_quote(const std::string& line, std::size_t i)
    {
        const bool doubled = quote->sign == '\'' && line[i] == '\'' && i + 1 < line.size() && line[i + 1] == '\'';
        if (doubled || (quote->sign == '"' && line[i] == '\\'))
            return true;
        if (line[i] == quote->sign) {
            quote.reset();
            last_ = '"';
        }
        return false;
    }

    /// Elsewhere brackets and quotes are letters of a plain text.
    bool begins_value(bool space) const
    {
        return last_ == '[' || last_ == '{' || last_ == ','
            || (space && (last_ == ':' || last_ == '-' || last_ == '?'));
    }

    void sign(const Mark& mark, bool begins)
    {
        const bool opens = mark.sign == '[' || mark.sign == '{', closes = mark.sign == ']' || mark.sign == '}';
        if (begins && (mark.sign == '"' || mark.sign == '\''))
            quote = mark;
        else if (opens && (begins || !open.empty()))
            open.push_back(mark);
        else if (closes && !open.empty() && open.back().sign == partner(mark.sign))
            open.pop_back();
        else if (closes && (!open.empty() || begins || last_ == ']' || last_ == '}'))
            wrong = mark;
    }

    char last_ = ','; // the last sign that is no space; a line of a block begins a value as a comma does
};

/// "line 3, column 12".
std::string place_of(const Mark& mark, const std::vector<std::string>& lines)
{
    return "line " + std::to_string(mark.line + 1) + ", column "
        + std::to_string(column_of(lines[mark.line], mark.byte));
}

/// What is wrong with brackets and quotes, if anything.
std::optional<SyntaxComplaint> unmatched(const std::vector<std::string>& lines)
{
    const BracketScan scan(lines);
    const auto at = [](const Mark& mark, std::string message) {
        return SyntaxComplaint{mark.line, mark.byte, std::move(message)};
    };
    if (scan.quote)
        return at(*scan.quote, "this quote is not closed; expected " + quoted(scan.quote->sign) + " after the text");
    if (scan.wrong && scan.open.empty())
        return at(*scan.wrong,
            "found " + quoted(scan.wrong->sign) + " where no bracket is open; is " + quoted(partner(scan.wrong->sign))
                + " missing before it?");
    if (scan.wrong) {
        const Mark& opened = scan.open.back();
        return at(*scan.wrong,
            "expected " + quoted(partner(opened.sign)) + " for the " + quoted(opened.sign) + " of "
                + place_of(opened, lines) + ", found " + quoted(scan.wrong->sign));
    }
    if (!scan.open.empty())
        return at(scan.open.back(),
            "this " + quoted(scan.open.back().sign) + " is not closed; expected "
                + quoted(partner(scan.open.back().sign)));
    return std::nullopt;
}

std::string_view without_indentation(std::string_view line)
{
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

/// The word before a bracket that begins before the first colon of a line, `time {step: 1, end: 2}`; else empty.
std::string_view key_without_colon(std::string_view line)
{
    line.remove_prefix(line.starts_with("- ") ? 2 : 0);
    const std::size_t blank = line.find(' ');
    if (blank == 0 || blank == std::string_view::npos || blank + 1 == line.size() || line[blank - 1] == ':')
        return {};
    return line[blank + 1] == '{' || line[blank + 1] == '[' ? line.substr(0, blank) : std::string_view();
}

/// Why a colon is one too many: the usual slips, in this line and in the one above.
std::string second_colon(const SyntaxComplaint& raw, const std::vector<std::string>& lines)
{
    const auto text = [&](int line) {
        return line >= 0 && line < static_cast<int>(lines.size()) ? without_indentation(lines[line])
                                                                  : std::string_view();
    };
    int above = raw.line - 1;
    while (above >= 0 && (text(above).empty() || text(above).front() == '#'))
        --above;
    for (const int line : {raw.line, above})
        if (const std::string_view t = text(line); t.size() > 1 && t[0] == '-' && t[1] != ' ' && t[1] != '-')
            return "a space is missing after the \"-\" of line " + std::to_string(line + 1);
    if (const std::string_view key = key_without_colon(text(raw.line)); !key.empty())
        return "a \":\" is missing after \"" + std::string(key) + "\"";
    if (std::string_view(lines[raw.line]).substr(0, raw.byte).find(": ") != std::string_view::npos)
        return "a second \": \" in one line; text with \": \" in it belongs in quotes";
    if (above >= 0 && text(above).find(':') == std::string_view::npos)
        return "a \":\" is missing in line " + std::to_string(above + 1);
    return "no \":\" is expected here; is the line above complete?";
}

/// The rest of what the parser may say; nothing for what is not listed.
std::string translated(const std::string& complaint)
{
    using namespace std::string_view_literals;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 19> plain{{
        {"end of map not found"sv, "this does not belong to the mapping above it; is the indentation right?"sv},
        {"end of sequence not found"sv, "this does not belong to the list above it; is the indentation right?"sv},
        {"end of sequence flow not found"sv,
            "expected \",\" or \"]\" before this; entries of a list are separated by commas"sv},
        {"end of map flow not found"sv,
            "expected \",\" or \"}\" before this; keys of a mapping are separated by commas"sv},
        {"illegal flow end"sv, "found a closing bracket where none is expected"sv},
        {"illegal block entry"sv, "no \"-\" is expected here; each entry of a list begins on a line of its own"sv},
        {"illegal map key"sv, "no key is expected here; is the line above complete?"sv},
        {"unknown token"sv, "a value cannot begin with this sign; put text in quotes"sv},
        {"illegal EOF in scalar"sv, "the quote before this is not closed"sv},
        {"illegal document indicator in scalar"sv,
            "a line that begins with \"---\" or \"...\" ends the scene; is a quote above not closed?"sv},
        {"illegal tab when looking for indentation"sv, "tab in the indentation; use spaces"sv},
        {"alias not found after *"sv, "expected the name of an anchor after \"*\"; put text in quotes"sv},
        {"anchor not found after &"sv, "expected a name after \"&\"; put text in quotes"sv},
        {"unexpected character in block scalar"sv, "after \"|\" or \">\" the text begins on the next line"sv},
        {"the referenced anchor is not defined"sv, "there is no anchor of this name before this"sv},
        {"cannot assign multiple anchors to the same node"sv, "a value may have one anchor \"&...\" only"sv},
        {"cannot assign multiple tags to the same node"sv, "a value may have one tag \"!...\" only"sv},
        {"bad character found while scanning hex number"sv,
            "expected hexadecimal digits after the \"\\\"; in single quotes it is an ordinary sign"sv},
        {"aliases can't have any content, *including* tags"sv, "nothing may stand before an alias \"*...\""sv},
    }};
    const auto found =
        std::find_if(plain.begin(), plain.end(), [&](const auto& pair) { return pair.first == complaint; });
    if (found != plain.end())
        return std::string(found->second);
    constexpr std::string_view escape = "unknown escape character: ";
    if (complaint.starts_with(escape))
        return "\"\\" + complaint.substr(escape.size())
            + "\" means nothing in double quotes; in single quotes \"\\\" is an ordinary sign";
    return "";
}

} // namespace

SyntaxComplaint in_plain_words(const SyntaxComplaint& raw, const std::vector<std::string>& lines)
{
    const std::string& complaint = raw.message;
    const bool colon = complaint == "illegal map value" && raw.line < static_cast<int>(lines.size());
    const bool inside = complaint.find("flow") != std::string::npos || complaint == "illegal EOF in scalar"
        || complaint == "illegal block entry" || complaint == "illegal document indicator in scalar";
    if (inside)
        if (const std::optional<SyntaxComplaint> found = unmatched(lines))
            return *found;
    const std::string words = colon ? second_colon(raw, lines) : translated(complaint);
    return {raw.line, raw.byte, words.empty() ? "this is not YAML; put text in quotes" : words};
}

} // namespace stickslip
