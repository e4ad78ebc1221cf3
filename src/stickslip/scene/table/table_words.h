#pragma once

#include "stickslip/scene/table/number_kinds.h"
#include "stickslip/scene/table/scene_objects.h"

#include <array>

/// Short names for the kinds of values, so that the tables read as tables.
namespace stickslip::table {

inline KindPtr<double> number(const NumberRange& range)
{
    return std::make_shared<NumberKind>(range);
}
inline KindPtr<std::optional<double>> automatic(const NumberRange& range)
{
    return std::make_shared<AutoNumberKind>(range);
}
inline KindPtr<int> integer(int low, int high)
{
    return std::make_shared<IntegerKind>(low, high);
}
inline KindPtr<bool> boolean()
{
    return std::make_shared<BooleanKind>();
}
inline KindPtr<std::string> text(TextRule rule)
{
    return std::make_shared<TextKind>(rule);
}
inline KindPtr<Vec3> vector(const NumberRange& range = any_number(), bool nonzero = false)
{
    return std::make_shared<NumbersKind<Vec3>>(
        NumbersRule{.count = 3, .range = range, .nonzero = nonzero, .form = "[x, y, z]"});
}

template <typename Enum>
KindPtr<Enum> choice(std::vector<std::pair<std::string, Enum>> choices)
{
    return std::make_shared<ChoiceKind<Enum>>(std::move(choices));
}

template <typename T>
KindPtr<T> object(SectionText text, std::vector<Field<T>> fields, SourcePosition T::*position = nullptr)
{
    return std::make_shared<ObjectKind<T>>(std::move(text), std::move(fields), position);
}

/// An example with one body, written as a flow mapping.
inline std::string body_example(const std::string& body, const std::string& before = "")
{
    return before + "bodies:\n  - {" + body + "}\n";
}
inline std::string obstacle_example(const std::string& keys)
{
    return body_example("name: wall, kind: obstacle, " + keys);
}
inline std::string rigid_example(const std::string& keys)
{
    return body_example("name: stone, kind: rigid, material: glass, " + keys);
}
/// Explicit integration, with one body of spheres.
inline std::string spheres_example(const std::string& keys)
{
    return body_example("name: sand, kind: spheres, material: glass, position: [0, 0.5, 0], " + keys,
        "time: {step: auto}\nsolver: {integration: explicit}\n");
}

template <typename T>
KindPtr<std::vector<T>> list(KindPtr<T> item, std::size_t least = 0)
{
    return std::make_shared<ListKind<T>>(std::move(item), least);
}

inline NumberRange with_infinity(NumberRange range)
{
    range.infinite = true;
    return range;
}

} // namespace stickslip::table
