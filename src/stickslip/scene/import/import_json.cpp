#include "stickslip/scene/import/import_json.h"

#include "stickslip/math/error.h"

#include <algorithm>

namespace stickslip {

void JsonValues::fail(const std::string& place, const std::string& expected, const Json& found) const
{
    throw InputError(path_ + ": " + place + ": expected " + expected + ", found " + found.dump().substr(0, 60));
}

double JsonValues::positive(const Json& object, const char* key, const std::string& place) const
{
    if (!object.contains(key))
        throw InputError(path_ + ": " + place + ": required key is missing");
    if (!object[key].is_number() || !(object[key].get<double>() > 0))
        fail(place, "a number > 0", object[key]);
    return object[key];
}

double JsonValues::number(const Json& object, const char* key, const std::string& place, double otherwise) const
{
    if (!object.contains(key))
        return otherwise;
    if (!object[key].is_number())
        fail(place + key, "a number", object[key]);
    return object[key];
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
        if (!value[i].is_number())
            fail(place + key, "three numbers", value);
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

int JsonValues::whole(const Json& object, const char* key, int otherwise)
{
    return object.contains(key) && object[key].is_number_integer() ? object[key].get<int>() : otherwise;
}

bool JsonValues::is_true(const Json& object, const char* key)
{
    return object.contains(key) && object[key] == true;
}

} // namespace stickslip
