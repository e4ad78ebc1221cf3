#include "stickslip/scene/table/number_kinds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <numbers>
#include <sstream>

namespace stickslip {

namespace {

/// 0.5 -> "0.5", 1 -> "1": for messages and the manual.
std::string nine_digits(double x)
{
    std::ostringstream stream;
    stream << std::setprecision(9) << x;
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

/// Infinity as a scene may say it: YAML's word, that of programs that write JSON, and in quotes `inf` too.
bool says_infinity(const SceneNode& node)
{
    const std::string_view word = without_sign(node.text);
    return node.is_scalar() && (is_infinity(node.text) || word == "Infinity" || (node.quoted && word == "inf"));
}

/// Whether YAML 1.1 readers would take it for something other than the decimal it shows.
bool has_leading_zero(std::string_view text)
{
    const std::string_view body = without_sign(text);
    return body.size() > 1 && body[0] == '0' && body[1] >= '0' && body[1] <= '9';
}

/// A unit that people write behind numbers, and how many of the SI's it is.
struct Unit {
    std::string_view name;
    double factor;
};
constexpr Unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}, {"m", 1}, {"mm", 1e-3},
    {"cm", 1e-2}, {"um", 1e-6}, {"km", 1e3}, {"in", 0.0254}, {"kg", 1}, {"g", 1e-3}, {"t", 1e3}, {"N", 1}, {"kN", 1e3},
    {"MN", 1e6}, {"Pa", 1}, {"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}, {"bar", 1e5}, {"m/s", 1}, {"mm/s", 1e-3},
    {"cm/s", 1e-2}, {"km/h", 1 / 3.6}, {"m/s2", 1}, {"m/s^2", 1}, {"kg/m3", 1}, {"kg/m^3", 1}, {"g/cm3", 1e3},
    {"g/cm^3", 1e3}, {"g/cc", 1e3}, {"N/m", 1}, {"kN/m", 1e3}, {"J", 1}, {"kJ", 1e3}, {"J/m2", 1}, {"J/m^2", 1},
    {"rad/s", 1}, {"m/s²", 1}, {"kg/m³", 1}, {"g/cm³", 1e3}, {"µm", 1e-6}, {"ft", 0.3048}, {"lb", 0.45359237},
    {"Hz", 1}, {"Nm", 1}, {"N m", 1}, {"Pa s", 1}, {"mPa s", 1e-3}, {"%", 1e-2}, {"rpm", std::numbers::pi / 30},
    {"deg/s", std::numbers::pi / 180}, {"deg", 1}, {"degrees", 1}, {"°", 1},
    {"rad", 180 / std::numbers::pi}}; // angles where the key says degrees

} // namespace

std::string in_si(std::string_view text)
{
    for (const Unit& unit : units) {
        if (!text.ends_with(unit.name))
            continue;
        std::string_view number = text.substr(0, text.size() - unit.name.size());
        while (number.ends_with(' '))
            number.remove_suffix(1);
        double value = 0;
        const std::string_view digits = number.starts_with('+') ? number.substr(1) : number;
        if (is_decimal(number)
            && std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc())
            return nine_digits(value * unit.factor);
    }
    return "";
}

namespace {

/// The number that a value was meant as: alone, or with a unit.
std::string meant_number(const SceneNode& node)
{
    if (!node.is_scalar())
        return "";
    return is_decimal(node.text) ? node.text : in_si(node.text);
}

std::string doubled(const std::string& number, double factor)
{
    double value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    return nine_digits(factor * value);
}

/// Whether a key of another program says half of what is meant, or twice.
double factor_of(const std::string& key)
{
    return key.starts_with("half") ? 2 : key == "diameter" || key == "d" ? 0.5 : 1;
}

/// For a mapping of one number in place of the number: `sphere: {radius: 0.1}`.
std::string unwrapped_number(const SceneNode& node, const Reading& reading)
{
    if (!node.is_map() || node.entries.size() != 1)
        return "";
    const std::string number = meant_number(node.entries[0].value);
    return number.empty() ? ""
                          : " (write " + reading.key() + ": " + doubled(number, factor_of(node.entries[0].key)) + ")";
}

/// For a mapping in place of three numbers: `box: {size: [1, 1, 1]}`, `position: {x: 1, y: 0, z: 0}`.
std::string unwrapped_numbers(const SceneNode& node, const Reading& reading)
{
    if (!node.is_map() || node.entries.empty())
        return "";
    std::vector<std::string> numbers;
    const SceneEntry& first = node.entries[0];
    if (node.entries.size() == 1 && first.value.is_list())
        for (const SceneNode& item : first.value.items)
            numbers.push_back(meant_number(item));
    else if (node.entries.size() <= 4)
        for (const SceneEntry& entry : node.entries)
            numbers.push_back(meant_number(entry.value));
    if (numbers.size() < 3 || std::ranges::count(numbers, "") > 0)
        return "";
    const double factor = factor_of(first.key);
    std::string list;
    for (const std::string& number : numbers)
        list += (list.empty() ? "" : ", ") + doubled(number, factor);
    return " (write " + reading.key() + ": [" + list + "])";
}

/// For one number in place of three.
std::string one_of_three(const SceneNode& node, const Reading& reading, const NumbersRule& rule)
{
    const std::string number = meant_number(node);
    const bool none = node.is_scalar() && (node.text == "0" || node.text == "false" || node.text == "none");
    if (none && reading.key() == "gravity")
        return " (write gravity: [0, 0, 0])";
    if (number.empty() || rule.count != 3)
        return "";
    const std::string si = is_decimal(node.text) ? "one number for each axis" : "SI units, one number for each axis";
    const std::string list = reading.key() == "gravity" ? "[0, " + doubled(number, number[0] == '-' ? 1 : -1) + ", 0]"
        : rule.range.low >= 0                           ? "[" + number + ", " + number + ", " + number + "]"
                                                        : "[" + number + ", 0, 0]";
    return " (" + si + ": write " + reading.key() + ": " + list + ")";
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
    if (const std::string number = with_decimal_point(node.text); !number.empty())
        return " (numbers have a decimal point: write " + number + ")";
    if (const std::string si = in_si(node.text); !si.empty())
        return " (SI units: write " + si + ")";
    if (!comma_hint(node, ListEntries::numbers).empty())
        return " (one number; several are separated by commas)";
    if (const std::size_t blank = body.find(' '); blank != std::string_view::npos && is_decimal(body.substr(0, blank)))
        return " (write the number alone, in SI units)";
    if (body.find_first_of("*/^(") != std::string_view::npos)
        return " (expressions are written {expr: \"" + node.text + "\"})";
    return "";
}

} // namespace

std::string with_decimal_point(std::string_view text)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.find_first_of(".eE") < comma || comma + 1 == text.size()
        || text[comma + 1] < '0' || text[comma + 1] > '9')
        return "";
    std::string number(text);
    number[comma] = '.';
    return is_decimal(number) ? number : "";
}

bool looks_like_number(std::string_view text)
{
    return is_decimal(text) || is_infinity(text) || text == ".nan";
}

std::string comma_hint(const SceneNode& node, ListEntries entries)
{
    std::string meant;
    bool blanks = false;
    const auto add_words = [&](const SceneNode& entry) {
        if (!entry.is_scalar() || entry.quoted)
            return false;
        std::istringstream words(entry.text);
        int count = 0;
        for (std::string word; words >> word; ++count) {
            if (entries == ListEntries::numbers && !looks_like_number(word))
                return false;
            meant += (meant.empty() ? "" : ", ") + word;
        }
        blanks = blanks || count > 1;
        return true;
    };
    constexpr std::size_t most = 8;
    if (node.items.size() > most
        || !(node.is_list() ? std::all_of(node.items.begin(), node.items.end(), add_words) : add_words(node)))
        return "";
    return blanks ? " (separate them by commas: [" + meant + "])" : "";
}

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
        text += (low_excluded ? " > " : " >= ") + nine_digits(low);
    if (high < infinity)
        text += (low > -infinity ? std::string(" and") : "") + (high_excluded ? " < " : " <= ") + nine_digits(high);
    if (infinite)
        text += low > -infinity ? " or .inf" : " or .inf or -.inf";
    return text;
}

Json NumberRange::schema() const
{
    if (infinite) {
        Json words = Json::array();
        for (const char* sign : {"", "-"})
            for (const char* word : {".inf", "inf", "Infinity"})
                if (contains(*sign ? -infinity : infinity))
                    words.push_back(std::string(sign) + word);
        return {{"anyOf", Json::array({number_schema(), Json{{"enum", words}}})}};
    }
    return number_schema();
}

Json NumberRange::number_schema() const
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
    const bool infinite = says_infinity(node);
    if (node.broken)
        return false;
    if (!decimal && !infinite) {
        reading.fault(node.at,
            "expected " + range.words() + ", got " + found_text(node) + number_hint(node)
                + unwrapped_number(node, reading));
        return false;
    }
    double read = node.text[0] == '-' ? -infinity : infinity;
    if (decimal) {
        const std::string_view text = node.text[0] == '+' ? std::string_view(node.text).substr(1) : node.text;
        if (std::from_chars(text.data(), text.data() + text.size(), read).ec == std::errc::result_out_of_range) {
            reading.fault(node.at,
                "expected " + range.words() + ", got " + found_text(node) + " (outside the range of double precision)");
            return false;
        }
    }
    if (!range.contains(read)) {
        const bool absurd = decimal && std::abs(read) > largest_number;
        reading.fault(node.at,
            "expected " + range.words() + ", got " + found_text(node)
                + (absurd ? " (beyond " + nine_digits(largest_number) + ")" : ""));
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
    if (node.is_scalar() && node.text == "auto") {
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
        const std::string number = node.is_scalar() ? in_si(node.text) : "";
        reading.fault(node.at,
            "expected " + words() + ", got " + found_text(node)
                + (number.empty() ? "" : " (no unit: write " + number + ")"));
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

namespace {

std::string found_numbers(const SceneNode& node)
{
    const std::size_t count = node.items.size();
    return node.is_list() ? std::to_string(count) + (count == 1 ? " value" : " values") : found_text(node);
}

/// Whether b follows a by a comma and no blank.
bool joined(const SceneNode& a, const SceneNode& b)
{
    return a.at.line == b.at.line && a.at.column + static_cast<int>(a.text.size()) + 1 == b.at.column;
}

/// For too many numbers of which some have no blank between them, `[0, 1,5, 0]`: the decimals that they may be.
std::string decimal_commas(const SceneNode& node, const NumbersRule& rule)
{
    if (!node.is_list() || node.items.size() <= rule.count)
        return "";
    std::string meant;
    std::size_t count = 0;
    for (std::size_t i = 0; i < node.items.size(); ++i, ++count) {
        std::string number = node.items[i].text;
        if (i + 1 < node.items.size() && joined(node.items[i], node.items[i + 1]))
            if (const std::string decimal = with_decimal_point(number + "," + node.items[i + 1].text);
                !decimal.empty()) {
                number = decimal;
                ++i;
            }
        meant += (meant.empty() ? "" : ", ") + number;
    }
    return count == rule.count ? " (numbers have a decimal point: write [" + meant + "])" : "";
}

} // namespace

bool read_numbers(const SceneNode& node, Reading& reading, const NumbersRule& rule, double* values)
{
    const std::string hint = comma_hint(node, ListEntries::numbers) + decimal_commas(node, rule);
    if (!node.is_list() || node.items.size() != rule.count || !hint.empty()) {
        reading.fault(node.at,
            "expected " + numbers_words(rule) + ", got " + found_numbers(node) + hint + unwrapped_numbers(node, reading)
                + one_of_three(node, reading, rule));
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
