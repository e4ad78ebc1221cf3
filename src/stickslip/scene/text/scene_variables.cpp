#include "stickslip/scene/text/scene_variables.h"

#include "stickslip/scene/table/number_kinds.h"
#include "stickslip/scene/text/expression.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace stickslip {

namespace {

/// Whole numbers without a point, so that they may stand where a count does.
std::string value_text(double value)
{
    constexpr double largest_whole = 1e15; // beyond, digits would be made up
    if (value != std::floor(value) || std::abs(value) > largest_whole)
        return number_text(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", value == 0 ? 0 : value);
    return text;
}

class Resolver {
public:
    Resolver(Reading& reading, std::set<std::string>& used)
        : reading_(reading)
        , used_(used)
    {
    }

    void read_variables(SceneNode& node)
    {
        const Reading::Step step(reading_, "variables");
        if (!node.is_map()) {
            reading_.expected(node, "a mapping from names to numbers");
            return;
        }
        std::set<std::string> seen;
        for (SceneEntry& entry : node.entries) {
            std::string complaint = variable_name_fault(entry.key);
            const Reading::Step name(reading_, safe_step(entry.key));
            if (complaint.empty() && !seen.insert(entry.key).second)
                complaint = "given twice";
            if (!complaint.empty()) {
                reading_.fault(entry.key_at, complaint);
                continue;
            }
            double value = 0;
            resolve(entry.value);
            if (read_number(entry.value, reading_, any_number(), value))
                variables_[entry.key] = value;
            else
                broken_.insert(entry.key);
        }
    }

    void resolve(SceneNode& node)
    {
        if (node.is_map() && node.find("expr")) {
            replace(node);
        } else if (node.is_map()) {
            const bool items = gives_single_items(node);
            for (SceneEntry& entry : node.entries) {
                const Reading::Step step(reading_, items ? entry.key : safe_step(entry.key));
                resolve(entry.value);
            }
        } else if (node.is_list()) {
            const std::vector<std::string> steps = item_steps(node);
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                const Reading::Step step(reading_, steps[i]);
                resolve(node.items[i]);
            }
        }
    }

private:
    void replace(SceneNode& node)
    {
        const SceneNode* expression = node.find("expr");
        const SceneNode given = *expression;
        const bool alone = node.entries.size() == 1;
        used_.merge(words_of_expression(given.text));
        node = SceneNode::scalar("0");
        node.at = given.at;
        node.broken = true;
        if (!alone) {
            reading_.fault(given.at, "\"expr\" stands alone in its mapping");
            return;
        }
        if (!given.is_scalar()) {
            reading_.expected(given, "an expression such as \"2*pi/12\"");
            return;
        }
        try {
            node.text = value_text(evaluate_expression(given.text, variables_));
            node.broken = false;
        } catch (const ExpressionFault& fault) {
            for (const std::string& name : broken_) // its own fault is told
                if (fault.message.starts_with("no variable \"" + name + "\""))
                    return reading_.doubt(reading_.path());
            reading_.fault(place_in(given, fault.at), fault.message);
        }
    }

    /// Where byte `at` of a scalar stands, if its text stands in the file as it is.
    SourcePosition place_in(const SceneNode& scalar, std::size_t at) const
    {
        SourcePosition place = scalar.at;
        const std::string line = reading_.line(place);
        const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }; // a character
        std::size_t byte = 0; // of the scalar's first character
        for (int column = 1; column < place.column && byte < line.size(); ++column)
            do
                ++byte;
            while (byte < line.size() && continues(line[byte]));
        const std::size_t quote = byte < line.size() && (line[byte] == '"' || line[byte] == '\'') ? 1 : 0;
        if (line.compare(std::min(byte + quote, line.size()), scalar.text.size(), scalar.text) != 0)
            return place;
        const std::string before = scalar.text.substr(0, at);
        const auto inside = std::count_if(before.begin(), before.end(), continues);
        place.column += static_cast<int>(quote + before.size()) - static_cast<int>(inside);
        return place;
    }

    Reading& reading_;
    std::set<std::string>& used_;
    std::map<std::string, double> variables_;
    std::set<std::string> broken_; // variables without a value
};

} // namespace

void resolve_expressions(SceneNode& root, Reading& reading, std::set<std::string>& used)
{
    Resolver resolver(reading, used);
    for (SceneEntry& entry : root.entries)
        if (entry.key == "variables")
            resolver.read_variables(entry.value);
    for (SceneEntry& entry : root.entries) {
        const Reading::Step step(reading, safe_step(entry.key));
        if (entry.key != "variables")
            resolver.resolve(entry.value);
    }
}

std::set<std::string> words_of_expressions(const SceneNode& node)
{
    std::set<std::string> words;
    for (const SceneEntry& entry : node.entries)
        words.merge(entry.key == "expr" ? words_of_expression(entry.value.text) : words_of_expressions(entry.value));
    for (const SceneNode& item : node.items)
        words.merge(words_of_expressions(item));
    return words;
}

} // namespace stickslip
