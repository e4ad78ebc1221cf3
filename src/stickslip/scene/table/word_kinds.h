#pragma once

#include "stickslip/scene/table/kind.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Kinds of values that are words: true and false, texts and names, one of several.
namespace stickslip {

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

/// Which of the words stands at node, or -1 with a fault recorded.
int read_choice(const SceneNode& node, Reading& reading, const std::vector<std::string>& words);

/// words[i] stands for values[i]; a value is written as its first word, later ones are synonyms. Of int: few of the
/// whole numbers.
template <typename Enum>
class ChoiceKind : public Kind<Enum> {
public:
    explicit ChoiceKind(std::vector<std::pair<std::string, Enum>> choices)
    {
        for (auto& [word, value] : choices) {
            words_.push_back(std::move(word));
            values_.push_back(value);
        }
    }
    bool read(const SceneNode& node, Reading& reading, Enum& value) const override
    {
        const int index = read_choice(node, reading, words_);
        if (index >= 0)
            value = values_[index];
        return index >= 0;
    }
    std::optional<SceneNode> write(const Enum& value) const override
    {
        return SceneNode::scalar(words_[std::find(values_.begin(), values_.end(), value) - values_.begin()]);
    }
    Json schema(Json&) const override
    {
        if constexpr (std::is_same_v<Enum, int>)
            return {{"enum", values_}};
        else
            return {{"enum", words_}};
    }
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
};

} // namespace stickslip
