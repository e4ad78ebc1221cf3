#include "stickslip/io/scene_kinds.h"

#include "stickslip/io/body_names.h"

#include <charconv>
#include <cmath>
#include <sstream>

namespace stickslip {

namespace {

/// 0.5 -> "0.5", 1 -> "1": for messages and the manual.
std::string short_number(double x)
{
    std::ostringstream stream;
    stream << x;
    return stream.str();
}

bool is_decimal(std::string_view text)
{
    const auto digits = [&](std::size_t& i) {
        const std::size_t begin = i;
        while (i < text.size() && text[i] >= '0' && text[i] <= '9')
            ++i;
        return i - begin;
    };
    std::size_t i = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    std::size_t count = digits(i);
    if (i < text.size() && text[i] == '.')
        count += digits(++i);
    if (count == 0)
        return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && (text[i] == '+' || text[i] == '-'))
            ++i;
        if (digits(i) == 0)
            return false;
    }
    return i == text.size();
}

std::string_view without_sign(std::string_view text)
{
    return !text.empty() && (text[0] == '+' || text[0] == '-') ? text.substr(1) : text;
}

bool is_infinity(std::string_view text)
{
    const std::string_view word = without_sign(text);
    return word == ".inf" || word == ".Inf" || word == ".INF";
}

/// Whether YAML 1.1 readers would take it for something other than the decimal it shows.
bool has_leading_zero(std::string_view text)
{
    const std::string_view body = without_sign(text);
    return body.size() > 1 && body[0] == '0' && body[1] >= '0' && body[1] <= '9';
}

/// Why a scalar that was meant as a number is none; "" when nothing special can be said.
std::string number_hint(const SceneNode& node)
{
    if (!node.is_scalar())
        return "";
    const std::string_view body = without_sign(node.text);
    if (node.quoted && is_decimal(node.text))
        return " (a text: remove the quotes)";
    if (body.starts_with("0x") || body.starts_with("0X") || body.starts_with("0o"))
        return " (only decimal numbers)";
    if (is_decimal(node.text) && has_leading_zero(node.text))
        return " (remove the leading zero: YAML readers differ on it)";
    if (body == "inf" || body == "Inf" || body == "infinity")
        return " (infinity is written .inf)";
    return "";
}

/// Whether a scalar without quotes would be read as a number or a boolean.
bool is_plain_value(const SceneNode& node)
{
    return !node.quoted
        && (is_decimal(node.text) || is_infinity(node.text) || node.text == ".nan" || node.text == "true"
            || node.text == "false");
}

bool has_control_character(const std::string& text)
{
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

} // namespace

bool NumberRange::contains(double x) const
{
    if (std::isinf(x) ? !infinite : std::abs(x) > largest_number)
        return false;
    return (low_excluded ? x > low : x >= low) && (high_excluded ? x < high : x <= high);
}

std::string NumberRange::words() const
{
    std::string text = automatic ? "auto or a number" : "a number";
    if (low > -infinity)
        text += (low_excluded ? " > " : " >= ") + short_number(low);
    if (high < infinity)
        text += (low > -infinity ? std::string(" and") : "") + (high_excluded ? " < " : " <= ") + short_number(high);
    if (infinite)
        text += low > -infinity ? " or .inf" : " or .inf or -.inf";
    return text;
}

Json NumberRange::schema() const
{
    Json schema = {{"type", "number"}};
    if (low > -infinity)
        schema[low_excluded ? "exclusiveMinimum" : "minimum"] = low;
    else if (!infinite)
        schema["minimum"] = -largest_number;
    if (high < infinity)
        schema[high_excluded ? "exclusiveMaximum" : "maximum"] = high;
    else if (!infinite)
        schema["maximum"] = largest_number;
    return schema;
}

bool read_number(const SceneNode& node, Reading& reading, const NumberRange& range, double& value)
{
    const bool decimal = node.is_scalar() && !node.quoted && is_decimal(node.text) && !has_leading_zero(node.text);
    const bool infinite = node.is_scalar() && !node.quoted && is_infinity(node.text);
    if (node.broken)
        return false;
    if (!decimal && !infinite) {
        reading.fault(node.at, "expected " + range.words() + ", got " + found_text(node) + number_hint(node));
        return false;
    }
    double read = node.text[0] == '-' ? -infinity : infinity;
    if (decimal) {
        const std::string_view text = node.text[0] == '+' ? std::string_view(node.text).substr(1) : node.text;
        if (std::from_chars(text.data(), text.data() + text.size(), read).ec == std::errc::result_out_of_range) {
            reading.fault(
                node.at, "expected " + range.words() + ", got " + found_text(node) + " (not within double precision)");
            return false;
        }
    }
    if (!range.contains(read)) {
        const bool absurd = decimal && std::abs(read) > largest_number;
        reading.fault(node.at,
            "expected " + range.words() + ", got " + found_text(node)
                + (absurd ? " (beyond " + short_number(largest_number) + ")" : ""));
        return false;
    }
    value = read;
    return true;
}

bool NumberKind::read(const SceneNode& node, Reading& reading, double& value) const
{
    return read_number(node, reading, range_, value);
}

std::optional<SceneNode> NumberKind::write(const double& value) const
{
    return SceneNode::scalar(number_text(value));
}

bool AutoNumberKind::read(const SceneNode& node, Reading& reading, std::optional<double>& value) const
{
    double read = 0;
    if (node.is_scalar() && !node.quoted && node.text == "auto") {
        value.reset();
        return true;
    }
    if (!read_number(node, reading, range_, read))
        return false;
    value = read;
    return true;
}

std::optional<SceneNode> AutoNumberKind::write(const std::optional<double>& value) const
{
    return SceneNode::scalar(value ? number_text(*value) : "auto");
}

Json AutoNumberKind::schema(Json&) const
{
    return {{"anyOf", Json::array({Json{{"const", "auto"}}, range_.schema()})}};
}

bool IntegerKind::read(const SceneNode& node, Reading& reading, int& value) const
{
    const bool decimal = node.is_scalar() && !node.quoted && is_decimal(node.text) && !has_leading_zero(node.text)
        && node.text.find_first_of(".eE") == std::string::npos;
    if (node.broken)
        return false;
    int read = 0;
    const std::string_view text = node.text.starts_with('+') ? std::string_view(node.text).substr(1) : node.text;
    if (!decimal || std::from_chars(text.data(), text.data() + text.size(), read).ec != std::errc() || read < low_
        || read > high_) {
        reading.expected(node, words());
        return false;
    }
    value = read;
    return true;
}

std::optional<SceneNode> IntegerKind::write(const int& value) const
{
    return SceneNode::scalar(std::to_string(value));
}

Json IntegerKind::schema(Json&) const
{
    return {{"type", "integer"}, {"minimum", low_}, {"maximum", high_}};
}

std::string IntegerKind::words() const
{
    if (low_ == high_)
        return "the number " + std::to_string(low_);
    return "a whole number from " + std::to_string(low_) + " to " + std::to_string(high_);
}

bool BooleanKind::read(const SceneNode& node, Reading& reading, bool& value) const
{
    if (!node.is_scalar() || node.quoted || (node.text != "true" && node.text != "false")) {
        reading.expected(node, words());
        return false;
    }
    value = node.text == "true";
    return true;
}

std::optional<SceneNode> BooleanKind::write(const bool& value) const
{
    return SceneNode::scalar(value ? "true" : "false");
}

bool check_name(const std::string& name, const SourcePosition& at, Reading& reading)
{
    constexpr std::size_t longest = 100;
    std::string complaint;
    if (name.empty() || name.find_first_not_of(' ') == std::string::npos)
        complaint = "a name must not be empty";
    else if (name.size() > longest)
        complaint = "a name must not be longer than 100 bytes";
    else if (name.find_first_of("./\\[]") != std::string::npos)
        complaint = "a name must not contain . / \\ [ or ], got " + found_text(SceneNode::quote(name));
    else if (has_control_character(name))
        complaint = "a name must not contain control characters, got " + found_text(SceneNode::quote(name));
    if (!complaint.empty())
        reading.fault(at, complaint);
    return complaint.empty();
}

bool TextKind::read(const SceneNode& node, Reading& reading, std::string& value) const
{
    if (!node.is_scalar() || is_plain_value(node)) {
        reading.fault(node.at,
            "expected " + words() + ", got " + found_text(node) + (node.is_scalar() ? " (put it in quotes)" : ""));
        return false;
    }
    if (rule_ == TextRule::name && !check_name(node.text, node.at, reading))
        return false;
    if (rule_ == TextRule::body && !check_name(family_of(node.text), node.at, reading))
        return false;
    if (rule_ == TextRule::file && (node.text.empty() || has_control_character(node.text))) {
        reading.expected(node, words());
        return false;
    }
    value = node.text;
    return true;
}

std::optional<SceneNode> TextKind::write(const std::string& value) const
{
    return value.empty() && rule_ != TextRule::any ? std::nullopt : std::optional(SceneNode::quote(value));
}

Json TextKind::schema(Json&) const
{
    Json schema = {{"type", "string"}};
    const std::string name = "^[^./\\\\\\[\\]\\u0000-\\u001f\\u007f]*[^ ./\\\\\\[\\]\\u0000-\\u001f\\u007f]"
                             "[^./\\\\\\[\\]\\u0000-\\u001f\\u007f]*";
    if (rule_ == TextRule::name)
        schema.update({{"pattern", name + "$"}, {"maxLength", 100}});
    if (rule_ == TextRule::body)
        schema.update({{"pattern", name + "(\\[(0|[1-9][0-9]{0,8})\\])?$"}, {"maxLength", 111}});
    if (rule_ == TextRule::file)
        schema["minLength"] = 1;
    return schema;
}

std::string TextKind::words() const
{
    return rule_ == TextRule::any ? "a text" : rule_ == TextRule::file ? "a file name" : "a name";
}

bool read_numbers(const SceneNode& node, Reading& reading, const NumbersRule& rule, double* values)
{
    if (!node.is_list() || node.items.size() != rule.count) {
        const std::string found = node.is_list() ? std::to_string(node.items.size()) + " of them" : found_text(node);
        reading.fault(node.at, "expected " + numbers_words(rule) + ", got " + found);
        return false;
    }
    bool good = true, zero = true;
    for (std::size_t i = 0; i < rule.count; ++i) {
        const Reading::Step step(reading, "[" + std::to_string(i) + "]");
        good = read_number(node.items[i], reading, rule.range, values[i]) && good;
        zero = zero && values[i] == 0;
    }
    if (good && zero && rule.nonzero)
        reading.fault(node.at, "expected " + numbers_words(rule) + ", got only zeros");
    return good && !(zero && rule.nonzero);
}

SceneNode write_numbers(const double* values, std::size_t count)
{
    SceneNode node = SceneNode::list();
    for (std::size_t i = 0; i < count; ++i)
        node.items.push_back(SceneNode::scalar(number_text(values[i])));
    return node;
}

Json numbers_schema(const NumbersRule& rule)
{
    Json schema = {
        {"type", "array"}, {"items", rule.range.schema()}, {"minItems", rule.count}, {"maxItems", rule.count}};
    if (rule.nonzero)
        schema["contains"] = {{"not", {{"const", 0}}}};
    return schema;
}

std::string numbers_words(const NumbersRule& rule)
{
    std::string text = (rule.count == 3 ? "three numbers " : "four numbers ") + rule.form;
    const std::string each = rule.range.words().substr(std::string("a number").size());
    if (!each.empty())
        text += ", each" + each;
    return text + (rule.nonzero ? ", not all zero" : "");
}

int read_choice(const SceneNode& node, Reading& reading, const std::vector<std::string>& words,
    const std::vector<ReservedWord>& reserved)
{
    if (node.is_scalar()) {
        const auto found = std::find(words.begin(), words.end(), node.text);
        if (found != words.end())
            return static_cast<int>(found - words.begin());
        for (const ReservedWord& word : reserved) {
            if (word.word != node.text)
                continue;
            reading.fault(node.at, "\"" + word.word + "\" " + word.reason);
            reading.doubt(reading.path().substr(0, reading.path().rfind('.'))); // what else it needs is not known here
            return -1;
        }
    }
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i)
        list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    const std::string hint = node.is_scalar() ? did_you_mean(node.text, words) : "";
    reading.fault(node.at, "expected " + list + ", got " + found_text(node) + hint);
    return -1;
}

bool NumberOrPointKind::read(const SceneNode& node, Reading& reading, Value& value) const
{
    if (node.is_list()) {
        Vec3 point;
        const NumbersRule rule{.count = 3, .range = any_number(), .form = "[x, y, z]"};
        if (!read_numbers(node, reading, rule, point.data()))
            return false;
        value = point;
        return true;
    }
    double number = 0;
    if (!read_number(node, reading, any_number(), number))
        return false;
    value = number;
    return true;
}

std::optional<SceneNode> NumberOrPointKind::write(const Value& value) const
{
    if (const auto* number = std::get_if<double>(&value))
        return SceneNode::scalar(number_text(*number));
    return write_numbers(std::get<Vec3>(value).data(), 3);
}

Json NumberOrPointKind::schema(Json&) const
{
    const NumbersRule rule{.count = 3, .range = any_number(), .form = "[x, y, z]"};
    return {{"anyOf", Json::array({any_number().schema(), numbers_schema(rule)})}};
}

} // namespace stickslip
