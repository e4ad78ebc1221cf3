#pragma once

#include "stickslip/scene/table/scene_objects.h"

#include <tuple>
#include <variant>

namespace stickslip {

/// Which alternative the keys of a mapping choose: the first of its keys that belongs to one, but not to all; keys of
/// all alone choose the first. -1 with a fault when there is none. The keys of other alternatives alone are faults and
/// left out of `kept`, keys in `elsewhere` are left out silently.
int choose_alternative(const SceneNode& node, Reading& reading, const std::vector<std::vector<KeyInfo>>& alternatives,
    const std::vector<KeyInfo>& elsewhere, SceneNode& kept);
void drop_repeated_rows(ReferenceSection& section); // each key is left once, where it is last
/// Says which alternatives there are, unless one of them needs no key, and marks the keys that they need.
void name_alternatives(ReferenceSection& section, const std::vector<std::vector<KeyInfo>>& alternatives);
Json alternatives_schema(const std::vector<Json>& alternatives, const std::vector<KeyInfo>& elsewhere,
    const std::vector<Json>& elsewhere_kinds);

/// One of several mappings that exclude each other, told apart by their keys. Some keys may belong to all of them.
template <typename... T>
class VariantKind : public Kind<std::variant<T...>> {
public:
    using Value = std::variant<T...>;

    VariantKind(SectionText text, ObjectKind<T>... alternatives)
        : text_(std::move(text))
        , alternatives_(std::move(alternatives)...)
        , keys_{std::get<ObjectKind<T>>(alternatives_).keys()...}
    {
    }

    /// Keys that stand in the same mapping but are read by someone else.
    void add_elsewhere(KeyInfo info, Json schema)
    {
        elsewhere_.push_back(std::move(info));
        elsewhere_kinds_.push_back(std::move(schema));
    }

    bool read(const SceneNode& node, Reading& reading, Value& value) const override
    {
        SceneNode kept;
        const std::size_t before = reading.faults().size();
        const int index = choose_alternative(node, reading, keys_, elsewhere_, kept);
        if (index < 0)
            return false;
        int i = 0;
        (..., (i++ == index ? read_as<T>(kept, reading, value) : void()));
        return reading.faults().size() == before;
    }
    std::optional<SceneNode> write(const Value& value) const override
    {
        return std::visit(
            [&]<typename A>(const A& held) { return std::get<ObjectKind<A>>(alternatives_).write(held); }, value);
    }
    Json schema(Json& definitions) const override
    {
        return define(definitions, text_.title, [&] {
            return alternatives_schema(
                {std::get<ObjectKind<T>>(alternatives_).properties(definitions)...}, elsewhere_, elsewhere_kinds_);
        });
    }
    std::string words() const override { return "mapping [" + text_.title + "](#" + text_.title + ")"; }
    void describe(std::vector<ReferenceSection>& sections) const override
    {
        if (!begin_section(sections, text_))
            return;
        ReferenceSection section = std::move(sections.back());
        (..., std::get<ObjectKind<T>>(alternatives_).rows(section));
        drop_repeated_rows(section);
        name_alternatives(section, keys_);
        for (const KeyInfo& info : elsewhere_)
            section.rows.push_back(reference_row(info, std::nullopt));
        sections.back() = std::move(section);
        (..., std::get<ObjectKind<T>>(alternatives_).describe_below(sections));
    }

private:
    template <typename A>
    void read_as(const SceneNode& node, Reading& reading, Value& value) const
    {
        A held{};
        std::get<ObjectKind<A>>(alternatives_).read(node, reading, held);
        value = std::move(held);
    }

    SectionText text_;
    std::tuple<ObjectKind<T>...> alternatives_;
    std::vector<std::vector<KeyInfo>> keys_;
    std::vector<KeyInfo> elsewhere_;
    std::vector<Json> elsewhere_kinds_;
};

} // namespace stickslip
