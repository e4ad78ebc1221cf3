#pragma once

#include "stickslip/scene/table/word_kinds.h"

#include <functional>
#include <unordered_map>
#include <utility>

/// Mappings and lists, built from the kinds of values (kind.h).
namespace stickslip {

/// Description of one key, whatever it is bound to.
struct KeyInfo {
    std::string key, unit, doc;
    bool required = false;
    std::string words; // what may stand there
    std::string only_for; // not empty: "deformable bodies"
    bool where_it_applies = false; // required there alone
};

/// Reads the entries of a mapping through read_key(index into keys, value): duplicates, unknown and missing keys are
/// faults. So is a group of keys in `one_of` of which not exactly one is given.
bool read_entries(const SceneNode& node, Reading& reading, const std::vector<KeyInfo>& keys,
    const std::vector<std::vector<std::string>>& one_of,
    const std::function<bool(std::size_t, const SceneNode&)>& read_key);

/// The list of which overrides gave single items, the others from its default as written. Nothing, and a fault, where
/// it has no default or no such item.
std::optional<SceneNode> with_default_items(
    const SceneNode& items, const std::optional<SceneNode>& fallback, Reading& reading);

/// The row of the manual for one key; default_value as written, if any.
ReferenceRow reference_row(const KeyInfo& info, const std::optional<SceneNode>& default_value);

/// {"type": "object"} with one property a key, and a reference to it as $defs entry.
Json object_schema(const std::vector<KeyInfo>& keys, const std::vector<Json>& kinds,
    const std::vector<std::vector<std::string>>& one_of);
Json define(Json& definitions, const std::string& name, const std::function<Json()>& make);

/// Begins a section, which the caller fills: sections.back(). False where there is one of this title.
bool begin_section(std::vector<ReferenceSection>& sections, const SectionText& text);
/// Says of which keys exactly one is needed, and marks them.
void name_groups(ReferenceSection& section, const std::vector<std::vector<std::string>>& one_of);

/// A member of Owner, whose values are of a kind.
template <typename Owner, typename T>
class MemberKind : public Kind<Owner> {
public:
    MemberKind(T Owner::*member, KindPtr<T> kind)
        : member_(member)
        , kind_(std::move(kind))
    {
    }
    bool read(const SceneNode& node, Reading& reading, Owner& owner) const override
    {
        return kind_->read(node, reading, owner.*member_);
    }
    std::optional<SceneNode> write(const Owner& owner) const override { return kind_->write(owner.*member_); }
    Json schema(Json& definitions) const override { return kind_->schema(definitions); }
    std::string words() const override { return kind_->words(); }
    void describe(std::vector<ReferenceSection>& sections) const override { kind_->describe(sections); }

private:
    T Owner::*member_;
    KindPtr<T> kind_;
};

/// One key of a settings struct: what is said of it and the kind of its value, which sets it in its owner. Reader,
/// writer, schema and manual visit the same list of fields.
template <typename Owner>
struct Field {
    KeyInfo info;
    KindPtr<Owner> value;
    std::function<bool(const Owner&)> applies; // empty: always
    std::string decided_by; // key that applies() looks at
    SourcePosition Owner::*position = nullptr; // where the value stands

    Field unit(std::string text) &&
    {
        info.unit = std::move(text);
        return std::move(*this);
    }
    Field at(SourcePosition Owner::*member) &&
    {
        position = member;
        return std::move(*this);
    }
    /// Required, but only where only() lets it be.
    Field required_there() &&
    {
        info.where_it_applies = true;
        return std::move(*this);
    }
    Field only(std::string who, std::string key, std::function<bool(const Owner&)> condition) &&
    {
        info.only_for = std::move(who);
        decided_by = std::move(key);
        applies = std::move(condition);
        return std::move(*this);
    }
};

/// A key whose value is the whole of Owner.
template <typename Owner>
Field<Owner> whole(std::string key, KindPtr<Owner> kind, std::string doc)
{
    Field<Owner> field;
    field.info = {.key = std::move(key), .doc = std::move(doc), .required = true, .words = kind->words()};
    field.value = std::move(kind);
    return field;
}

/// A key with the default that the member has.
template <typename Owner, typename T>
Field<Owner> optional(std::string key, T Owner::*member, KindPtr<T> kind, std::string doc)
{
    Field<Owner> field;
    field.info = {.key = std::move(key), .doc = std::move(doc), .words = kind->words()};
    field.value = std::make_shared<MemberKind<Owner, T>>(member, std::move(kind));
    return field;
}

template <typename Owner, typename T>
Field<Owner> optional(std::string key, std::optional<T> Owner::*member, KindPtr<T> kind, std::string doc)
{
    const KindPtr<std::optional<T>> wrapped = std::make_shared<OptionalKind<T>>(kind);
    return optional(std::move(key), member, wrapped, std::move(doc));
}

template <typename Owner, typename T>
Field<Owner> required(std::string key, T Owner::*member, KindPtr<T> kind, std::string doc)
{
    Field<Owner> field = optional(std::move(key), member, kind, std::move(doc));
    field.info.required = true;
    return field;
}

template <typename T>
class ObjectKind : public Kind<T> {
public:
    ObjectKind(SectionText text, std::vector<Field<T>> fields, SourcePosition T::*position = nullptr)
        : text_(std::move(text))
        , fields_(std::move(fields))
        , position_(position)
    {
        for (const Field<T>& field : fields_)
            keys_.push_back(field.info);
    }

    const std::vector<KeyInfo>& keys() const { return keys_; }

    bool read(const SceneNode& node, Reading& reading, T& value) const override
    {
        if (position_)
            value.*position_ = node.at;
        std::vector<std::pair<std::size_t, SourcePosition>> given;
        const auto read_key = [&](std::size_t index, const SceneNode& entry) {
            const Field<T>& field = fields_[index];
            if (field.position)
                value.*field.position = entry.at;
            given.emplace_back(index, entry.at);
            if (!gives_single_items(entry))
                return field.value->read(entry, reading, value);
            const bool has_default = !field.info.required && !field.info.where_it_applies;
            const std::optional<SceneNode> list =
                with_default_items(entry, has_default ? field.value->write(value) : std::nullopt, reading);
            return list && field.value->read(*list, reading, value);
        };
        const bool good = read_entries(node, reading, keys_, text_.one_of, read_key);
        const bool fits = only_what_applies(given, reading, value);
        return all_that_applies(node, given, reading, value) && fits && good;
    }

    std::optional<SceneNode> write(const T& value) const override
    {
        SceneNode node = SceneNode::map();
        for (const Field<T>& field : fields_) {
            if (field.applies && !field.applies(value))
                continue;
            if (std::optional<SceneNode> entry = field.value->write(value))
                node.add(field.info.key, std::move(*entry));
        }
        return node;
    }

    Json properties(Json& definitions) const
    {
        std::vector<Json> kinds;
        for (const Field<T>& field : fields_)
            kinds.push_back(field.value->schema(definitions));
        return object_schema(keys_, kinds, text_.one_of);
    }
    Json schema(Json& definitions) const override
    {
        return define(definitions, text_.title, [&] { return properties(definitions); });
    }
    std::string words() const override { return "mapping [" + text_.title + "](#" + text_.title + ")"; }

    void rows(ReferenceSection& section) const
    {
        const T fresh{};
        for (const Field<T>& field : fields_)
            section.rows.push_back(
                reference_row(field.info, field.info.required ? std::nullopt : field.value->write(fresh)));
        name_groups(section, text_.one_of);
    }
    void describe_below(std::vector<ReferenceSection>& sections) const
    {
        for (const Field<T>& field : fields_)
            field.value->describe(sections);
    }
    void describe(std::vector<ReferenceSection>& sections) const override
    {
        if (!begin_section(sections, text_))
            return;
        rows(sections.back());
        describe_below(sections);
    }

private:
    bool only_what_applies(
        const std::vector<std::pair<std::size_t, SourcePosition>>& given, Reading& reading, T& value) const
    {
        bool good = true;
        for (const auto& [index, at] : given) {
            const Field<T>& field = fields_[index];
            const std::string decider = reading.path() + "." + field.decided_by;
            if (!field.applies || field.applies(value) || !reading.sound(decider))
                continue;
            const Reading::Step step(reading, field.info.key);
            reading.fault(at, "for " + field.info.only_for + " only");
            good = false;
        }
        return good;
    }

    bool all_that_applies(const SceneNode& node, const std::vector<std::pair<std::size_t, SourcePosition>>& given,
        Reading& reading, const T& value) const
    {
        bool good = true;
        const std::string here = reading.path().empty() ? "" : reading.path() + ".";
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const KeyInfo& info = fields_[i].info;
            const auto same = [&](const auto& entry) { return entry.first == i; };
            const auto is_faulty_decider = [&](const auto& entry) {
                const std::string& key = fields_[entry.first].info.key;
                return key == fields_[i].decided_by && !reading.sound(here + key);
            };
            if (!node.is_map() || !info.where_it_applies || !fields_[i].applies(value)
                || std::any_of(given.begin(), given.end(), same)
                || std::any_of(given.begin(), given.end(), is_faulty_decider) || !reading.sound(here + info.key))
                continue;
            reading.fault(node.at, here + info.key, "required key is missing");
            good = false;
        }
        return good;
    }

    SectionText text_;
    std::vector<Field<T>> fields_;
    std::vector<KeyInfo> keys_;
    SourcePosition T::*position_;
};

/// A list; its items are addressed by their name where they have one. An empty list is not written.
template <typename T>
class ListKind : public Kind<std::vector<T>> {
public:
    ListKind(KindPtr<T> item, std::size_t least)
        : item_(std::move(item))
        , least_(least)
    {
    }
    bool read(const SceneNode& node, Reading& reading, std::vector<T>& value) const override
    {
        if (!node.is_list() || node.items.size() < least_) {
            reading.fault(node.at,
                "expected a list" + std::string(least_ > 0 ? " of at least one" : "") + ", got "
                    + (node.is_list() ? "an empty one" : found_text(node))
                    + (node.is_map() ? " (each entry begins with \"-\")" : ""));
            return false;
        }
        bool good = true;
        value.clear();
        const std::vector<std::string> steps = item_steps(node);
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Reading::Step step(reading, steps[i]);
            value.emplace_back(); // also for a faulty item: later checks count on equal indices
            good = item_->read(node.items[i], reading, value.back()) && good;
        }
        return good;
    }
    std::optional<SceneNode> write(const std::vector<T>& value) const override
    {
        SceneNode node = SceneNode::list();
        for (const T& item : value)
            node.items.push_back(item_->write(item).value_or(SceneNode()));
        return value.empty() ? std::nullopt : std::optional(node);
    }
    Json schema(Json& definitions) const override
    {
        Json schema = {{"type", "array"}, {"items", item_->schema(definitions)}};
        if (least_ > 0)
            schema["minItems"] = least_;
        return schema;
    }
    std::string words() const override { return "list of " + item_->words(); }
    void describe(std::vector<ReferenceSection>& sections) const override { item_->describe(sections); }

private:
    KindPtr<T> item_;
    std::size_t least_;
};

/// A mapping from names to objects, kept in the order of the file.
template <typename T>
class NamedMapKind : public Kind<std::vector<T>> {
public:
    explicit NamedMapKind(KindPtr<T> item)
        : item_(std::move(item))
    {
    }
    bool read(const SceneNode& node, Reading& reading, std::vector<T>& value) const override
    {
        if (!node.is_map()) {
            reading.expected(node, "a mapping from names");
            return false;
        }
        bool good = true;
        std::unordered_map<std::string, int> lines; // where each name was given first
        for (const SceneEntry& entry : node.entries) {
            const Reading::Step step(reading, entry.key.find_first_of("./[]") == std::string::npos ? entry.key : "?");
            const auto [first, fresh] = lines.emplace(entry.key, entry.key_at.line);
            if (!fresh) {
                reading.fault(entry.key_at, "duplicate key, first given in line " + std::to_string(first->second));
                good = false;
                continue;
            }
            good = check_name(entry.key, entry.key_at, reading) && good;
            value.emplace_back();
            value.back().name = entry.key;
            good = item_->read(entry.value, reading, value.back()) && good;
        }
        return good;
    }
    std::optional<SceneNode> write(const std::vector<T>& value) const override
    {
        SceneNode node = SceneNode::map();
        for (const T& item : value)
            node.add(item.name, item_->write(item).value_or(SceneNode()));
        return value.empty() ? std::nullopt : std::optional(node);
    }
    Json schema(Json& definitions) const override
    {
        Json unused;
        return {{"type", "object"}, {"additionalProperties", item_->schema(definitions)},
            {"propertyNames", TextKind(TextRule::name).schema(unused)}};
    }
    std::string words() const override { return "mapping from names to " + item_->words(); }
    void describe(std::vector<ReferenceSection>& sections) const override { item_->describe(sections); }

private:
    KindPtr<T> item_;
};

} // namespace stickslip
