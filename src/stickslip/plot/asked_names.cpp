#include "stickslip/plot/asked_names.h"

#include "stickslip/math/error.h"

#include <algorithm>
#include <string_view>

namespace stickslip {

namespace {

constexpr std::string_view pairs = "pairs.";
constexpr std::string_view tables[] = {"balance.", "packing.", "walls.", "reactions.", pairs, "probes."};

} // namespace

std::string full_name(const std::string& asked, const std::vector<std::string>& names)
{
    if (std::ranges::count(names, asked) > 0)
        return asked;
    std::vector<std::string> found;
    for (const std::string_view table : tables)
        if (const std::string name = std::string(table) + asked; std::ranges::count(names, name) > 0)
            found.push_back(name);
    if (found.size() > 1)
        throw InputError("\"" + asked + "\" may be " + found[0] + " or " + found[1] + "; give the whole name");
    return found.empty() ? "" : found[0];
}

std::vector<std::string> with_short_names(std::vector<std::string> names)
{
    const std::size_t count = names.size();
    for (std::size_t i = 0; i < count; ++i)
        for (const std::string_view table : tables)
            if (names[i].starts_with(table))
                names.push_back(names[i].substr(table.size()));
    return names;
}

std::optional<TurnedPair> turned_pair(
    const std::string& asked, const std::vector<std::string>& names, const std::vector<std::string>& bodies)
{
    const std::size_t begin = asked.starts_with(pairs) ? pairs.size() : 0, dot = asked.rfind('.');
    if (dot == std::string::npos || dot < begin)
        return std::nullopt;
    const std::string pair = asked.substr(begin, dot - begin);
    for (std::size_t plus = pair.find('+'); plus != std::string::npos; plus = pair.find('+', plus + 1)) {
        const std::string first = pair.substr(plus + 1), second = pair.substr(0, plus); // names may have a "+" too
        const std::string name = std::string(pairs) + first + "+" + second + asked.substr(dot);
        if (std::ranges::count(bodies, first) > 0 && std::ranges::count(bodies, second) > 0
            && std::ranges::count(names, name) > 0)
            return TurnedPair{name, first, second};
    }
    return std::nullopt;
}

} // namespace stickslip
