#include "stickslip/apps/notes.h"

#include <iostream>
#include <set>

namespace stickslip {

void print_notes(const std::vector<std::string>& notes)
{
    constexpr std::size_t most = 10;
    std::set<std::string> said;
    for (const std::string& note : notes)
        if (said.insert(note).second && said.size() <= most)
            std::cerr << "stickslip: warning: " << note << "\n";
    if (said.size() > most)
        std::cerr << "stickslip: warning: and " << said.size() - most << " more like these\n";
}

} // namespace stickslip
