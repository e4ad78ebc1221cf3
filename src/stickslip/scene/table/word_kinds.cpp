#include "stickslip/scene/table/word_kinds.h"

#include "stickslip/scene/table/number_kinds.h"
#include "stickslip/scene/text/body_names.h"
#include "stickslip/scene/text/synonyms.h"

namespace stickslip {

namespace {

/// Whether a scalar without quotes would be read as a number or a boolean.
bool is_plain_value(const SceneNode& node)
{
    return !node.quoted && (looks_like_number(node.text) || node.text == "true" || node.text == "false");
}

bool has_control_character(const std::string& text)
{
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

/// How a material that is described in its body is written.
std::string described_apart(const SceneNode& node, const Reading& reading)
{
    if (!node.is_map() || reading.key() != "material")
        return "";
    return "; describe it at the top, materials: {stone: " + emit_flow(node) + "}, and write material: stone here";
}

/// What other YAML calls true and false.
std::string meant_boolean(const SceneNode& node)
{
    if (node.is_scalar() && node.quoted && (node.text == "true" || node.text == "false"))
        return " (a text: remove the quotes)";
    for (const char* word : {"yes", "on", "True", "TRUE", "1"})
        if (node.is_scalar() && node.text == word)
            return " (write true)";
    for (const char* word : {"no", "off", "False", "FALSE", "0"})
        if (node.is_scalar() && node.text == word)
            return " (write false)";
    return "";
}

} // namespace

bool BooleanKind::read(const SceneNode& node, Reading& reading, bool& value) const
{
    if (!node.is_scalar() || node.quoted || (node.text != "true" && node.text != "false")) {
        reading.fault(node.at, "expected " + words() + ", got " + found_text(node) + meant_boolean(node));
        return false;
    }
    value = node.text == "true";
    return true;
}

std::optional<SceneNode> BooleanKind::write(const bool& value) const
{
    return SceneNode::scalar(value ? "true" : "false");
}

bool check_name(const std::string& name, const SourcePosition& at, Reading& reading)
{
    constexpr std::size_t longest = 100;
    std::string complaint;
    if (name.empty() || name.find_first_not_of(' ') == std::string::npos)
        complaint = "a name must not be empty";
    else if (name.size() > longest)
        complaint = "a name must not be longer than 100 bytes";
    else if (name.find_first_of("./\\[]") != std::string::npos)
        complaint = "a name must not contain . / \\ [ or ], got " + found_text(SceneNode::quote(name));
    else if (has_control_character(name))
        complaint = "a name must not contain control characters, got " + found_text(SceneNode::quote(name));
    if (!complaint.empty())
        reading.fault(at, complaint);
    return complaint.empty();
}

bool TextKind::read(const SceneNode& node, Reading& reading, std::string& value) const
{
    if (!node.is_scalar() || is_plain_value(node)) {
        reading.fault(node.at,
            "expected " + words() + ", got " + found_text(node)
                + (node.is_scalar() ? " (put it in quotes)" : described_apart(node, reading)));
        return false;
    }
    if (rule_ == TextRule::name && !check_name(node.text, node.at, reading))
        return false;
    if (rule_ == TextRule::body && !check_name(family_of(node.text), node.at, reading))
        return false;
    if (rule_ == TextRule::file && (node.text.empty() || has_control_character(node.text))) {
        reading.expected(node, words());
        return false;
    }
    value = node.text;
    return true;
}

std::optional<SceneNode> TextKind::write(const std::string& value) const
{
    return value.empty() && rule_ != TextRule::any ? std::nullopt : std::optional(SceneNode::quote(value));
}

Json TextKind::schema(Json&) const
{
    Json schema = {{"type", "string"}};
    const std::string name = "^[^./\\\\\\[\\]\\u0000-\\u001f\\u007f]*[^ ./\\\\\\[\\]\\u0000-\\u001f\\u007f]"
                             "[^./\\\\\\[\\]\\u0000-\\u001f\\u007f]*";
    if (rule_ == TextRule::name)
        schema.update({{"pattern", name + "$"}, {"maxLength", 100}});
    if (rule_ == TextRule::body)
        schema.update({{"pattern", name + "(\\[(0|[1-9][0-9]{0,8})\\])?$"}, {"maxLength", 111}});
    if (rule_ == TextRule::file)
        schema["minLength"] = 1;
    return schema;
}

std::string TextKind::words() const
{
    return rule_ == TextRule::any ? "a text" : rule_ == TextRule::file ? "a file name" : "a name";
}

int read_choice(const SceneNode& node, Reading& reading, const std::vector<std::string>& words)
{
    if (node.is_scalar()) {
        const auto found = std::find(words.begin(), words.end(), node.text);
        if (found != words.end())
            return static_cast<int>(found - words.begin());
    }
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i)
        list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    std::string hint = node.is_scalar() ? synonym_of(node.text, words).hint : "";
    if (node.is_scalar() && hint.empty())
        hint = did_you_mean(node.text, words);
    reading.fault(node.at, "expected " + list + ", got " + found_text(node) + hint);
    return -1;
}

} // namespace stickslip
