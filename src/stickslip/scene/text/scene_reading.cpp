#include "stickslip/scene/text/scene_reading.h"

#include "stickslip/scene/text/body_names.h"

#include <algorithm>
#include <utility>

namespace stickslip {

Reading::Step::Step(Reading& reading, std::string_view step)
    : reading_(reading)
    , length_(reading.path_.size())
{
    if (length_ > 0 && !step.starts_with('.') && !step.starts_with('['))
        reading.path_ += '.';
    reading.path_ += step;
}

Reading::Step::~Step()
{
    reading_.path_.resize(length_);
}

void Reading::fault(const SourcePosition& at, const std::string& message)
{
    fault(at, path_, message);
}

void Reading::fault(const SourcePosition& at, const std::string& path, const std::string& message)
{
    if (faults_.size() < most_recorded_faults)
        faults_.push_back(make_fault(source_, at, path, message));
}

void Reading::warn(const SourcePosition& at, const std::string& path, const std::string& message)
{
    if (warnings_.size() >= most_recorded_faults)
        return;
    warnings_.push_back(make_fault(source_, at, path, message));
    warnings_.back().warning = true;
}

void Reading::expected(const SceneNode& node, const std::string& what)
{
    fault(node.at, "expected " + what + ", got " + found_text(node));
}

namespace {

/// Whether `path` is `ancestor` or lies below it.
bool within_path(std::string_view path, std::string_view ancestor)
{
    if (!path.starts_with(ancestor))
        return false;
    return path.size() == ancestor.size() || ancestor.empty() || path[ancestor.size()] == '.'
        || path[ancestor.size()] == '[';
}

constexpr std::size_t longest_compared = 60; // the cost grows with the square

/// Letters to insert, delete, replace or swap with their neighbour to turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const bool same = a[i - 1] == b[j - 1];
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

} // namespace

bool Reading::sound(std::string_view path) const
{
    const auto related = [&](std::string_view other) { return within_path(other, path) || within_path(path, other); };
    return std::none_of(faults_.begin(), faults_.end(), [&](const Fault& f) { return related(f.path); })
        && std::none_of(doubtful_.begin(), doubtful_.end(), related);
}

bool Reading::reached(std::string_view path) const
{
    const auto above = [&](std::string_view other) { return within_path(path, other); };
    return std::none_of(faults_.begin(), faults_.end(), [&](const Fault& f) { return above(f.path); })
        && std::none_of(doubtful_.begin(), doubtful_.end(), above);
}

std::string safe_step(const std::string& key)
{
    std::string step = key.substr(0, 60);
    std::replace_if(
        step.begin(), step.end(),
        [](unsigned char c) { return c < 0x20 || c == 0x7F || c == '.' || c == '[' || c == ']'; }, '?');
    return step.empty() ? "\"\"" : step;
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates)
{
    if (word.size() > longest_compared)
        return "";
    std::string best;
    std::size_t best_cost = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longest_compared || candidate == word)
            continue;
        const std::size_t cost = edit_distance(word, candidate);
        if (cost < best_cost && cost < candidate.size()) {
            best = candidate;
            best_cost = cost;
        }
    }
    return best;
}

std::vector<std::string> nearest_words(
    std::string_view word, const std::vector<std::string>& candidates, std::size_t most)
{
    if (word.size() > longest_compared)
        return {};
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : candidates) {
        const std::size_t cost = candidate.size() > longest_compared ? word.size() : edit_distance(word, candidate);
        if (cost < std::max<std::size_t>(2, word.size() * 2 / 3))
            near.emplace_back(cost, candidate);
    }
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(most, near.size()); ++i)
        words.push_back(near[i].second);
    return words;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates)
{
    const std::string best = nearest_word(word, candidates);
    return best.empty() ? "" : "; did you mean \"" + best + "\"?";
}

std::string meant_name(const std::string& given, const std::vector<std::string>& names, const std::string& of)
{
    constexpr std::size_t most = 12;
    std::vector<std::string> families;
    for (const std::string& name : names)
        if (const std::string family = family_of(name);
            std::find(families.begin(), families.end(), family) == families.end())
            families.push_back(family);
    std::vector<std::string> known = families;
    known.insert(known.end(), names.begin(), names.end());
    const std::string meant = did_you_mean(given, known);
    if (!meant.empty() || families.empty())
        return meant;
    std::string list = "; " + of + " has: " + families[0];
    for (std::size_t i = 1; i < std::min(most, families.size()); ++i)
        list += ", " + families[i];
    return list + (families.size() > most ? " and " + std::to_string(families.size() - most) + " more" : "");
}

} // namespace stickslip
