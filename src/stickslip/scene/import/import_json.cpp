#include "stickslip/scene/import/import_json.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace stickslip {

namespace {

/// Beyond what a scene may hold.
bool is_absurd(const JsonValues::Json& value)
{
    return value.is_number() && !any_number().contains(value.get<double>());
}

/// Of the character that ends there.
SourcePosition position_of(const std::string& text, std::size_t end)
{
    const std::size_t byte = end > 0 ? end - 1 : 0, line = text.rfind('\n', byte > 0 ? byte - 1 : 0);
    const std::size_t begin = byte == 0 || line == std::string::npos ? 0 : line + 1;
    return {
        .line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n')),
        .column = column_of(std::string_view(text).substr(begin), byte - begin)};
}

} // namespace

JsonValues::Json JsonValues::read_json()
{
    text_ = read_file(path_);
    try {
        Json file = Json::parse(text_);
        if (!file.is_object())
            fail("", "a JSON object", file);
        return file.is_object() ? file : Json();
    } catch (const Json::parse_error& error) {
        damaged_ = std::min<std::size_t>(error.byte, text_.size());
        fail("",
            text_.find_first_not_of(" \t\r\n") == std::string::npos ? "expected a JSON object, found nothing"
                                                                    : "expected a JSON object, found damaged JSON");
    } catch (const Json::exception&) { // numbers that are too large
        fail("", "expected a JSON object, found damaged JSON");
    }
    return {};
}

void JsonValues::fail(const std::string& place, const std::string& expected, const Json& found)
{
    fail(place,
        "expected " + expected + ", found " + found.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60));
}

void JsonValues::fail(const std::string& place, const std::string& message)
{
    if (faults_.size() < most_recorded_faults)
        faults_.emplace_back(place, message);
}

std::vector<Fault> JsonValues::faults() const
{
    return in_order(located(faults_), path_);
}

std::vector<Fault> JsonValues::located(const std::vector<std::pair<std::string, std::string>>& messages) const
{
    const SceneSource source{.file = path_, .lines = split_lines(text_), .overrides = {}, .included = {}};
    std::vector<Fault> untold, told;
    const SceneNode tree = messages.empty() || damaged_ ? SceneNode() : parse_scene_tree(text_, source, untold);
    for (const auto& [place, message] : messages) {
        SourcePosition at;
        if (damaged_)
            at = position_of(text_, *damaged_);
        else if (untold.empty()) // JSON that is YAML, and not too large for it
            at = locate(tree, place);
        told.push_back(make_fault(source, at, place, message));
    }
    return told;
}

double JsonValues::positive(const Json& object, const char* key)
{
    if (!object.contains(key))
        fail(key, "required key is missing");
    return number(object, key, "", 1, above(0));
}

double JsonValues::number(
    const Json& object, const char* key, const std::string& place, double otherwise, const NumberRange& range)
{
    if (!object.contains(key))
        return otherwise;
    const Json& value = object[key];
    if (!value.is_number() || !range.contains(value.get<double>()))
        fail(place + key, range.words() + (is_absurd(value) ? " up to 1e30" : ""), value);
    else
        return value;
    return otherwise;
}

Vec3 JsonValues::vector(const Json& object, const char* key, const std::string& place, const Vec3& otherwise)
{
    if (!object.contains(key))
        return otherwise;
    const Json& value = object[key];
    if (!value.is_array() || value.size() != 3) {
        fail(place + key, "three numbers (two-dimensional scenes are not supported)", value);
        return otherwise;
    }
    Vec3 result;
    for (int i = 0; i < 3; ++i) {
        if (!value[i].is_number() || is_absurd(value[i])) {
            fail(place + key, value[i].is_number() ? "three numbers up to 1e30" : "three numbers", value);
            return otherwise;
        }
        result[i] = value[i];
    }
    return result;
}

std::array<bool, 6> JsonValues::six_flags(const Json& object, const char* key, const std::string& place)
{
    std::array<bool, 6> flags{};
    if (!object.contains(key))
        return flags;
    const Json& value = object[key];
    const bool six = value.is_array() && value.size() == 6
        && std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_boolean(); });
    if (!value.is_boolean() && !six) {
        fail(place + key, "true, false or six of them", value);
        return flags;
    }
    for (std::size_t i = 0; i < 6; ++i)
        flags[i] = six ? value[i].get<bool>() : value.get<bool>();
    return flags;
}

int JsonValues::whole(const Json& object, const char* key, const std::string& place, int otherwise)
{
    if (!object.contains(key))
        return otherwise;
    const Json& value = object[key];
    const bool fits = value.is_number_unsigned()
        ? std::in_range<int>(value.get<std::uint64_t>())
        : value.is_number_integer() && std::in_range<int>(value.get<std::int64_t>());
    if (fits)
        return value;
    fail(place + key, "a whole number", value);
    return otherwise;
}

bool JsonValues::flag(const Json& object, const char* key, const std::string& place, bool otherwise)
{
    if (!object.contains(key))
        return otherwise;
    if (object[key].is_boolean())
        return object[key].get<bool>();
    fail(place + key, "true or false", object[key]);
    return otherwise;
}

} // namespace stickslip
