#pragma once

#include "stickslip/io/scene_reading.h"
#include "stickslip/io/scene_tree.h"
#include "stickslip/math/types.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The kinds of values a scene is made of. Each can read itself with positions, write itself, give its JSON Schema and
/// name itself; the table in scene_table.cpp puts them together, so that reader, schema and manual cannot disagree.
namespace stickslip {

using Json = nlohmann::ordered_json;

/// One row of a manual table.
struct ReferenceRow {
    std::string key, value, unit, fallback, meaning;
};
/// One object of the format.
struct ReferenceSection {
    std::string title, about;
    std::vector<ReferenceRow> rows;
};

template <typename T>
class Kind {
public:
    virtual ~Kind() = default;
    /// Sets value; or leaves it, records a fault and returns false.
    virtual bool read(const SceneNode& node, Reading& reading, T& value) const = 0;
    /// Nothing: the value is not set and its key is left out.
    virtual std::optional<SceneNode> write(const T& value) const = 0;
    /// Objects are added to `definitions` once and referred to.
    virtual Json schema(Json& definitions) const = 0;
    /// "a number > 0"
    virtual std::string words() const = 0;
    /// Adds a section for each object below, once.
    virtual void describe(std::vector<ReferenceSection>&) const { }
};

template <typename T>
using KindPtr = std::shared_ptr<const Kind<T>>;

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

class BooleanKind : public Kind<bool> {
public:
    bool read(const SceneNode& node, Reading& reading, bool& value) const override;
    std::optional<SceneNode> write(const bool& value) const override;
    Json schema(Json&) const override { return {{"type", "boolean"}}; }
    std::string words() const override { return "true or false"; }
};

enum class TextRule { any, name, body, file }; // body: a name, with or without the index of a copy

/// An empty text is unset.
class TextKind : public Kind<std::string> {
public:
    explicit TextKind(TextRule rule)
        : rule_(rule)
    {
    }
    bool read(const SceneNode& node, Reading& reading, std::string& value) const override;
    std::optional<SceneNode> write(const std::string& value) const override;
    Json schema(Json&) const override;
    std::string words() const override;

private:
    TextRule rule_;
};

/// Records a fault and returns false unless `name` may name a body or a material.
bool check_name(const std::string& name, const SourcePosition& at, Reading& reading);

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

/// A word of the format that this version cannot run, and what it belongs to.
struct ReservedWord {
    std::string word, reason; // "... this version cannot run yet"
};

/// Which of the words stands at node, or -1 with a fault recorded.
int read_choice(const SceneNode& node, Reading& reading, const std::vector<std::string>& words,
    const std::vector<ReservedWord>& reserved);

/// words[i] stands for values[i]; a value is written as its first word, later ones are synonyms.
template <typename Enum>
class ChoiceKind : public Kind<Enum> {
public:
    ChoiceKind(std::vector<std::pair<std::string, Enum>> choices, std::vector<ReservedWord> reserved)
        : reserved_(std::move(reserved))
    {
        for (auto& [word, value] : choices) {
            words_.push_back(std::move(word));
            values_.push_back(value);
        }
    }
    bool read(const SceneNode& node, Reading& reading, Enum& value) const override
    {
        const int index = read_choice(node, reading, words_, reserved_);
        if (index >= 0)
            value = values_[index];
        return index >= 0;
    }
    std::optional<SceneNode> write(const Enum& value) const override
    {
        return SceneNode::scalar(words_[std::find(values_.begin(), values_.end(), value) - values_.begin()]);
    }
    Json schema(Json&) const override { return {{"enum", words_}}; }
    std::string words() const override
    {
        std::string text;
        for (const std::string& word : words_)
            text += (text.empty() ? "`" : ", `") + word + "`";
        return text;
    }

private:
    std::vector<std::string> words_;
    std::vector<Enum> values_;
    std::vector<ReservedWord> reserved_;
};

/// A key that may be left out.
template <typename T>
class OptionalKind : public Kind<std::optional<T>> {
public:
    explicit OptionalKind(KindPtr<T> kind)
        : kind_(std::move(kind))
    {
    }
    bool read(const SceneNode& node, Reading& reading, std::optional<T>& value) const override
    {
        T read{};
        if (!kind_->read(node, reading, read))
            return false;
        value = read;
        return true;
    }
    std::optional<SceneNode> write(const std::optional<T>& value) const override
    {
        return value ? kind_->write(*value) : std::nullopt;
    }
    Json schema(Json& definitions) const override { return kind_->schema(definitions); }
    std::string words() const override { return kind_->words(); }
    void describe(std::vector<ReferenceSection>& sections) const override { kind_->describe(sections); }

private:
    KindPtr<T> kind_;
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
