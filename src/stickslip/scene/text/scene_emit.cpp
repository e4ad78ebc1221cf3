#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace stickslip {

std::string number_text(double value)
{
    if (std::isinf(value))
        return value > 0 ? ".inf" : "-.inf";
    char buffer[40];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    std::string text(buffer, result.ptr);
    if (text.find('.') == std::string::npos) // YAML 1.1 readers take 1e+06 for text
        text.insert(std::min(text.find('e'), text.size()), ".0");
    return text;
}

namespace {

constexpr std::size_t widest_line = 110;

/// Whether text may stand without quotes and stays text for readers of YAML 1.1 and 1.2.
bool plain_is_safe(const std::string& text)
{
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto inside = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '-'; };
    if (text.empty() || !letter(text.front()) || text.back() == ' ' || !std::all_of(text.begin(), text.end(), inside))
        return false;
    std::string lower = text;
    std::transform(
        lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* word : {"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
        if (lower == word)
            return false;
    return true;
}

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (code < 0x20 || code == 0x7F) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\x%02x", code);
            result += escape;
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string key_text(const std::string& key)
{
    return plain_is_safe(key) ? key : quoted(key);
}

std::string block(const SceneNode& node, std::size_t indent);

/// What follows `key:` or `-` for a value that may need lines of its own.
std::string below(const SceneNode& value, std::size_t indent, std::size_t used, const char* separator)
{
    const std::string flow = emit_flow(value);
    const bool empty = value.items.empty() && value.entries.empty();
    if (empty || used + flow.size() <= widest_line)
        return " " + flow + "\n";
    return separator + block(value, indent);
}

std::string block(const SceneNode& node, std::size_t indent)
{
    const std::string margin(indent, ' ');
    std::string text;
    for (const SceneEntry& entry : node.entries)
        text +=
            margin + key_text(entry.key) + ":" + below(entry.value, indent + 2, indent + entry.key.size() + 2, "\n");
    for (const SceneNode& item : node.items) {
        const std::string value = below(item, indent + 2, indent + 2, "");
        // the first line of an item's block begins behind its dash
        text += margin + "-" + (value.starts_with(margin + "  ") ? value.substr(indent + 1) : value);
    }
    return text;
}

} // namespace

std::string emit_flow(const SceneNode& node)
{
    switch (node.type) {
    case SceneNode::Type::null:
        return "null";
    case SceneNode::Type::scalar:
        return node.quoted && !plain_is_safe(node.text) ? quoted(node.text) : node.text;
    case SceneNode::Type::list:
    case SceneNode::Type::map:
        break;
    }
    std::string text;
    for (const SceneEntry& entry : node.entries)
        text += (text.empty() ? "" : ", ") + key_text(entry.key) + ": " + emit_flow(entry.value);
    for (const SceneNode& item : node.items)
        text += (text.empty() ? "" : ", ") + emit_flow(item);
    return node.is_map() ? "{" + text + "}" : "[" + text + "]";
}

std::string emit_yaml(const SceneNode& node)
{
    return node.is_map() && !node.entries.empty() ? block(node, 0) : emit_flow(node) + "\n";
}

} // namespace stickslip
