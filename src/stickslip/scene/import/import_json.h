#pragma once

#include "stickslip/math/types.h"
#include "stickslip/scene/table/number_kinds.h"
#include "stickslip/scene/text/fault.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// Values of a JSON file of another program. What does not fit, as a number that no scene may hold, is a fault, and the
/// value is what it is where the file says nothing.
class JsonValues {
public:
    using Json = nlohmann::ordered_json;

    explicit JsonValues(std::string path)
        : path_(std::move(path))
    {
    }

    const std::string& path() const { return path_; }
    /// Null where the file is no JSON.
    Json read_json();
    void fail(const std::string& place, const std::string& expected, const Json& found);
    void fail(const std::string& place, const std::string& message);
    bool has_faults() const { return !faults_.empty(); }
    std::vector<Fault> faults() const; // in the order of the file
    /// Messages about places, as faults of the file.
    std::vector<Fault> located(const std::vector<std::pair<std::string, std::string>>& messages) const;

    // `place` begins messages; of what the object lacks there is `otherwise`.
    double positive(const Json& object, const char* key); // required; otherwise 1
    double number(const Json& object, const char* key, const std::string& place, double otherwise,
        const NumberRange& range = any_number());
    Vec3 vector(const Json& object, const char* key, const std::string& place, const Vec3& otherwise);
    /// true or false for all, or six of them; false of what is lacking.
    std::array<bool, 6> six_flags(const Json& object, const char* key, const std::string& place);
    int whole(const Json& object, const char* key, const std::string& place, int otherwise);
    bool flag(const Json& object, const char* key, const std::string& place, bool otherwise);

private:
    std::string path_, text_;
    std::optional<std::size_t> damaged_; // byte after which the text is no JSON
    std::vector<std::pair<std::string, std::string>> faults_; // place and message
};

} // namespace stickslip
