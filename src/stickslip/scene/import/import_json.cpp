#include "stickslip/scene/import/import_json.h"

#include "stickslip/math/error.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace stickslip {

namespace {

/// Beyond what a scene may hold.
bool is_absurd(const JsonValues::Json& value)
{
    return value.is_number() && !any_number().contains(value.get<double>());
}

} // namespace

void JsonValues::fail(const std::string& place, const std::string& expected, const Json& found) const
{
    throw InputError(path_ + ": " + place + ": expected " + expected + ", found " + found.dump().substr(0, 60));
}

double JsonValues::positive(const Json& object, const char* key) const
{
    if (!object.contains(key))
        throw InputError(path_ + ": " + key + ": required key is missing");
    return number(object, key, "", 0, above(0));
}

double JsonValues::number(
    const Json& object, const char* key, const std::string& place, double otherwise, const NumberRange& range) const
{
    if (!object.contains(key))
        return otherwise;
    const Json& value = object[key];
    if (!value.is_number() || !range.contains(value.get<double>()))
        fail(place + key, range.words() + (is_absurd(value) ? " up to 1e30" : ""), value);
    return value;
}

Vec3 JsonValues::vector(const Json& object, const char* key, const std::string& place, const Vec3& otherwise) const
{
    if (!object.contains(key))
        return otherwise;
    const Json& value = object[key];
    Vec3 result;
    if (!value.is_array() || value.size() != 3)
        fail(place + key, "three numbers (two-dimensional scenes are not supported)", value);
    for (int i = 0; i < 3; ++i) {
        if (!value[i].is_number() || is_absurd(value[i]))
            fail(place + key, value[i].is_number() ? "three numbers up to 1e30" : "three numbers", value);
        result[i] = value[i];
    }
    return result;
}

std::array<bool, 6> JsonValues::six_flags(const Json& object, const char* key, const std::string& place) const
{
    std::array<bool, 6> flags{};
    if (!object.contains(key))
        return flags;
    const Json& value = object[key];
    const bool six = value.is_array() && value.size() == 6
        && std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_boolean(); });
    if (!value.is_boolean() && !six)
        fail(place + key, "true, false or six of them", value);
    for (std::size_t i = 0; i < 6; ++i)
        flags[i] = six ? value[i].get<bool>() : value.get<bool>();
    return flags;
}

int JsonValues::whole(const Json& object, const char* key, const std::string& place, int otherwise) const
{
    if (!object.contains(key))
        return otherwise;
    const Json& value = object[key];
    const bool fits = value.is_number_unsigned()
        ? std::in_range<int>(value.get<std::uint64_t>())
        : value.is_number_integer() && std::in_range<int>(value.get<std::int64_t>());
    if (!fits)
        fail(place + key, "a whole number", value);
    return value;
}

bool JsonValues::flag(const Json& object, const char* key, const std::string& place, bool otherwise) const
{
    if (object.contains(key) && !object[key].is_boolean())
        fail(place + key, "true or false", object[key]);
    return object.contains(key) ? object[key].get<bool>() : otherwise;
}

} // namespace stickslip
