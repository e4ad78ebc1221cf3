#pragma once

#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/scene_tree.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The kinds of values a scene is made of. Each can read itself with positions, write itself, give its JSON Schema and
/// name itself; the table in scene_table.cpp puts them together, so that reader, schema and manual cannot disagree.
namespace stickslip {

using Json = nlohmann::ordered_json;

/// One row of a manual table.
struct ReferenceRow {
    std::string key, value, unit, fallback, meaning;
};
/// The manual's text on one object of the format.
struct SectionText {
    std::string title, about;
    std::string example; // YAML: a scene file together with the base scene of the manual (example_base())
    std::vector<std::vector<std::string>> one_of = {}; // groups of keys; exactly one key of each group must be given
};
/// One object of the format.
struct ReferenceSection {
    SectionText text;
    std::vector<ReferenceRow> rows;
    std::vector<std::string> rules; // "Exactly one of `file`, `files`."
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

} // namespace stickslip
