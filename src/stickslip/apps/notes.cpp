#include "stickslip/apps/notes.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>

namespace stickslip {

namespace {

bool wants_colours()
{
    const char *off = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) && !(off && *off) && terminal && std::string_view(terminal) != "dumb";
}

/// `line` with the first `word` in it in bold and this colour.
std::string highlighted(std::string line, std::string_view word, const char* colour)
{
    if (const std::size_t at = line.find(word); at != std::string::npos)
        line = line.substr(0, at) + "\033[1;" + colour + "m" + std::string(word) + "\033[0m"
            + line.substr(at + word.size());
    return line;
}

} // namespace

std::string for_terminal(const std::string& messages)
{
    if (!wants_colours())
        return messages;
    constexpr const char *red = "31", *yellow = "33", *green = "32";
    std::string text;
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);) {
        const bool caret = line.find_first_not_of(" \t") == line.size() - 1 && line.ends_with('^');
        line =
            caret ? highlighted(line, "^", green) : highlighted(highlighted(line, "error:", red), "warning:", yellow);
        text += line + "\n";
    }
    return text;
}

void print_notes(const std::vector<std::string>& notes)
{
    constexpr std::size_t most = 10;
    std::set<std::string> said;
    for (const std::string& note : notes)
        if (said.insert(note).second && said.size() <= most)
            std::cerr << for_terminal("stickslip: warning: " + note + "\n");
    if (said.size() > most)
        std::cerr << "stickslip: warning: and " << said.size() - most << " more like these\n";
}

} // namespace stickslip
