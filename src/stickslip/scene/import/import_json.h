#pragma once

#include "stickslip/math/types.h"
#include "stickslip/scene/table/number_kinds.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <utility>

namespace stickslip {

/// Values of a JSON file of another program. Whatever does not fit throws InputError "file: place: expected ..., found
/// ...". So does a number that no scene may hold.
class JsonValues {
public:
    using Json = nlohmann::ordered_json;

    explicit JsonValues(std::string path)
        : path_(std::move(path))
    {
    }

    const std::string& path() const { return path_; }
    [[noreturn]] void fail(const std::string& place, const std::string& expected, const Json& found) const;

    // `place` begins messages; of what the object lacks there is `otherwise`.
    double positive(const Json& object, const char* key) const; // required
    double number(const Json& object, const char* key, const std::string& place, double otherwise,
        const NumberRange& range = any_number()) const;
    Vec3 vector(const Json& object, const char* key, const std::string& place, const Vec3& otherwise) const;
    /// true or false for all, or six of them; false of what is lacking.
    std::array<bool, 6> six_flags(const Json& object, const char* key, const std::string& place) const;
    int whole(const Json& object, const char* key, const std::string& place, int otherwise) const;
    bool flag(const Json& object, const char* key, const std::string& place, bool otherwise) const;

private:
    std::string path_;
};

} // namespace stickslip
