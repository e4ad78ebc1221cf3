#pragma once

#include "stickslip/math/types.h"
#include "stickslip/scene/table/kind.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

/// Kinds of values that are numbers.
namespace stickslip {

/// The text, without quotes, would be read as a number.
bool looks_like_number(std::string_view text);

/// The number in the units of the format for one with a unit: "10 ms" is 0.01, "30 deg" is 30; "" for anything else.
std::string in_si(std::string_view text);

enum class ListEntries {
    numbers,
    names,
};

/// "0.1" for "0,1"; "" for what is no number with a decimal comma.
std::string with_decimal_point(std::string_view text);

/// For numbers or names with blanks where commas belong, `[0 0.05, 0]`: ` (separate them by commas: [0, 0.05, 0])`;
/// else "".
std::string comma_hint(const SceneNode& node, ListEntries entries);

/// Numbers beyond this are slips in any unit; infinity only where it has a meaning.
constexpr double largest_number = 1e30;

struct NumberRange {
    double low = -infinity, high = infinity;
    bool low_excluded = false, high_excluded = false;
    bool infinite = false; // .inf allowed
    bool automatic = false; // the word auto allowed; only for optional values

    bool contains(double x) const;
    std::string words() const; // "a number > 0"
    Json schema() const;

private:
    Json number_schema() const;
};

inline NumberRange any_number()
{
    return {};
}
inline NumberRange above(double low)
{
    return {.low = low, .low_excluded = true};
}
inline NumberRange at_least(double low)
{
    return {.low = low};
}

/// Reads one number; records a fault naming `range` when it is none or outside.
bool read_number(const SceneNode& node, Reading& reading, const NumberRange& range, double& value);

class NumberKind : public Kind<double> {
public:
    explicit NumberKind(const NumberRange& range)
        : range_(range)
    {
    }
    bool read(const SceneNode& node, Reading& reading, double& value) const override;
    std::optional<SceneNode> write(const double& value) const override;
    Json schema(Json&) const override { return range_.schema(); }
    std::string words() const override { return range_.words(); }

private:
    NumberRange range_;
};

/// A number or the word `auto` (unset).
class AutoNumberKind : public Kind<std::optional<double>> {
public:
    explicit AutoNumberKind(NumberRange range)
        : range_(range)
    {
        range_.automatic = true;
    }
    bool read(const SceneNode& node, Reading& reading, std::optional<double>& value) const override;
    std::optional<SceneNode> write(const std::optional<double>& value) const override;
    Json schema(Json&) const override;
    std::string words() const override { return range_.words(); }

private:
    NumberRange range_;
};

class IntegerKind : public Kind<int> {
public:
    IntegerKind(int low, int high)
        : low_(low)
        , high_(high)
    {
    }
    bool read(const SceneNode& node, Reading& reading, int& value) const override;
    std::optional<SceneNode> write(const int& value) const override;
    Json schema(Json&) const override;
    std::string words() const override;

private:
    int low_, high_;
};

/// `count` numbers, each in range; `nonzero`: not all of them zero.
struct NumbersRule {
    std::size_t count;
    NumberRange range;
    bool nonzero = false;
    std::string form; // "[x, y, z]"
};
bool read_numbers(const SceneNode& node, Reading& reading, const NumbersRule& rule, double* values);
SceneNode write_numbers(const double* values, std::size_t count);
Json numbers_schema(const NumbersRule& rule);
std::string numbers_words(const NumbersRule& rule);

/// Array: Vec3 or std::array<double, N>.
template <typename Array>
class NumbersKind : public Kind<Array> {
public:
    explicit NumbersKind(NumbersRule rule)
        : rule_(std::move(rule))
    {
    }
    bool read(const SceneNode& node, Reading& reading, Array& value) const override
    {
        Array read;
        std::fill_n(read.data(), rule_.count, 0.0);
        if (!read_numbers(node, reading, rule_, read.data()))
            return false;
        value = read;
        return true;
    }
    std::optional<SceneNode> write(const Array& value) const override
    {
        return write_numbers(value.data(), rule_.count);
    }
    Json schema(Json&) const override { return numbers_schema(rule_); }
    std::string words() const override { return numbers_words(rule_); }

private:
    NumbersRule rule_;
};

/// One number, or a point.
class NumberOrPointKind : public Kind<std::variant<double, Vec3>> {
public:
    using Value = std::variant<double, Vec3>;
    bool read(const SceneNode& node, Reading& reading, Value& value) const override;
    std::optional<SceneNode> write(const Value& value) const override;
    Json schema(Json&) const override;
    std::string words() const override { return "a number or three numbers [x, y, z]"; }
};

} // namespace stickslip
