#include "stickslip/scene/text/scene_tree.h"

#include "stickslip/scene/text/syntax_words.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace stickslip {

std::vector<std::string> split_lines(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text);
    for (std::string line; std::getline(stream, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        lines.push_back(std::move(line));
    }
    return lines;
}

namespace {

struct SyntaxFault {
    SourcePosition at;
    std::string message;
};

/// Columns count characters, as editors do; the parser counts bytes. Goes on from where it was last asked, so that a
/// long line costs its length only once.
class Columns {
public:
    explicit Columns(const std::vector<std::string>& lines)
        : lines_(lines)
    {
    }

    SourcePosition at(const YAML::Mark& mark) { return at(std::max(mark.line, 0), std::max(mark.column, 0)); }

    SourcePosition at(int line, int byte)
    {
        if (line != line_ || byte < byte_) {
            line_ = line;
            byte_ = 0;
            column_ = 1;
        }
        const std::string_view text = line < static_cast<int>(lines_.size()) ? std::string_view(lines_[line]) : "";
        for (; byte_ < byte; ++byte_) {
            const bool inside = byte_ + 1 < static_cast<int>(text.size())
                && (static_cast<unsigned char>(text[byte_ + 1]) & 0xC0)
                    == 0x80; // the next byte belongs to this character
            column_ += inside ? 0 : 1;
        }
        return {line + 1, column_};
    }

private:
    const std::vector<std::string>& lines_;
    int line_ = -1, byte_ = 0, column_ = 1;
};

/// Byte length of the UTF-8 character at i, 0 when it is malformed (overlong, surrogate, cut off).
std::size_t utf8_length(const std::string& text, std::size_t i)
{
    const auto byte = [&](std::size_t k) -> unsigned {
        return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xC0) != 0x80)
            return 0;
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool outside = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
    return overlong || outside ? 0 : length;
}

/// What must be right before the YAML parser may see the text.
std::optional<SyntaxFault> check_characters(const std::string& text)
{
    if (text.size() > largest_scene_file)
        return SyntaxFault{{}, "the file is larger than 16 MiB"};
    if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE"))
        return SyntaxFault{{}, "the file is UTF-16; save it as UTF-8"};
    const bool json =
        text.find_first_not_of(" \t\r\n") != std::string::npos && text[text.find_first_not_of(" \t\r\n")] == '{';
    SourcePosition at{1, 1};
    bool indentation = true;
    for (std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        const unsigned char c = text[i];
        if (length == 0)
            return SyntaxFault{at, "not UTF-8 text"};
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F)
            return SyntaxFault{at, "control character in the text"};
        if (c == '\t' && indentation && !json)
            return SyntaxFault{at, "tab in the indentation; use spaces"};
        indentation = c == '\n' || (indentation && (c == ' ' || c == '\t'));
        at = c == '\n' ? SourcePosition{at.line + 1, 1} : SourcePosition{at.line, at.column + 1};
        i += length;
    }
    return std::nullopt;
}

/// Builds the tree from the parser's events; counts nodes as it goes, so that nothing grows beyond the limits.
class TreeBuilder : public YAML::EventHandler {
public:
    explicit TreeBuilder(const std::vector<std::string>& lines)
        : columns_(lines)
    {
    }

    SceneNode root;
    int documents = 0;
    SourcePosition document_at;
    std::optional<SyntaxFault> key_fault; // told only when the parser finds nothing worse: half a list looks like a key

    void OnDocumentStart(const YAML::Mark& mark) override
    {
        ++documents;
        document_at = columns_.at(mark);
    }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { put({}, columns_.at(mark), anchor); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        const SourcePosition at = columns_.at(mark);
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end())
            throw SyntaxFault{at, "an alias inside the value that it names"};
        count(found->second.second - 1, at);
        put(found->second.first, at, 0);
    }
    void OnScalar(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override
    {
        const SourcePosition at = columns_.at(mark);
        if (tag != "?" && tag != "!" && !tag.empty())
            throw SyntaxFault{at, "tags (" + tag + ") are not part of the scene format"};
        SceneNode node = tag == "!" ? SceneNode::quote(value) : SceneNode::scalar(value);
        if (!node.quoted && (value == "~" || value == "null" || value == "Null" || value == "NULL" || value.empty()))
            node = SceneNode();
        put(std::move(node), at, anchor);
    }
    void OnSequenceStart(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override
    {
        open(SceneNode::list(), mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(
        const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override
    {
        open(SceneNode::map(), mark, tag, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        SceneNode node;
        YAML::anchor_t anchor;
        std::size_t first_node; // count when it was opened
        std::optional<SceneEntry> entry; // map: the key whose value comes next
    };

    void count(std::size_t nodes, const SourcePosition& at)
    {
        nodes_ += nodes;
        if (nodes_ > most_scene_nodes)
            throw SyntaxFault{at, "more than " + std::to_string(most_scene_nodes) + " values"};
    }

    void open(SceneNode node, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor)
    {
        node.at = columns_.at(mark);
        if (tag != "?" && tag != "!" && !tag.empty())
            throw SyntaxFault{node.at, "tags (" + tag + ") are not part of the scene format"};
        if (static_cast<int>(stack_.size()) >= deepest_scene_node)
            throw SyntaxFault{node.at, "nested more than " + std::to_string(deepest_scene_node) + " deep"};
        stack_.push_back({std::move(node), anchor, nodes_, std::nullopt});
    }

    void close()
    {
        Open done = std::move(stack_.back());
        stack_.pop_back();
        const SourcePosition at = done.node.at;
        put(std::move(done.node), at, done.anchor, nodes_ - done.first_node);
    }

    void put(SceneNode node, SourcePosition at, YAML::anchor_t anchor, std::size_t inside = 0)
    {
        count(1, at);
        node.at = at;
        if (anchor)
            anchors_[anchor] = {node, inside + 1};
        if (stack_.empty()) {
            root = std::move(node);
        } else if (Open& parent = stack_.back(); parent.node.is_list()) {
            parent.node.items.push_back(std::move(node));
        } else if (!parent.entry) {
            if (!node.is_scalar() && !key_fault)
                key_fault = SyntaxFault{at, "a key must be a word, not " + found_text(node)};
            parent.entry = SceneEntry{std::move(node.text), at, {}};
        } else {
            parent.entry->value = std::move(node);
            if (parent.entry->value.type == SceneNode::Type::null) // the parser places "nothing" at what follows it
                parent.entry->value.at = parent.entry->key_at;
            parent.node.entries.push_back(std::move(*parent.entry));
            parent.entry.reset();
        }
    }

    Columns columns_;
    std::vector<Open> stack_;
    std::unordered_map<YAML::anchor_t, std::pair<SceneNode, std::size_t>> anchors_; // value and its number of nodes
    std::size_t nodes_ = 0;
};

/// The commonest complaints of the parser, said from the user's side.
/// Throws SyntaxFault.
SceneNode parse(const std::string& text, const std::vector<std::string>& lines)
{
    if (const std::optional<SyntaxFault> fault = check_characters(text))
        throw *fault;
    TreeBuilder builder(lines);
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
            if (builder.documents > 1)
                throw SyntaxFault{builder.document_at, "second document; a scene file must contain exactly one"};
        }
    } catch (const YAML::Exception& error) {
        const SyntaxComplaint plain =
            in_plain_words({std::max(error.mark.line, 0), std::max(error.mark.column, 0), error.msg}, lines);
        throw SyntaxFault{Columns(lines).at(plain.line, plain.byte), plain.message};
    }
    if (builder.key_fault)
        throw *builder.key_fault;
    return std::move(builder.root);
}

/// Where a value of one line stands in its override.
SourcePosition in_override(const SourcePosition& in_value, int index, int before)
{
    return {0, in_value.line == 1 ? before + in_value.column : 0, index};
}

/// `before`: characters before the value.
void place_in_override(SceneNode& node, int index, int before)
{
    node.at = in_override(node.at, index, before);
    for (SceneNode& item : node.items)
        place_in_override(item, index, before);
    for (SceneEntry& entry : node.entries) {
        entry.key_at = in_override(entry.key_at, index, before);
        place_in_override(entry.value, index, before);
    }
}

} // namespace

SceneNode parse_scene_tree(const std::string& text, const SceneSource& source, std::vector<Fault>& faults)
{
    try {
        return parse(text, source.lines);
    } catch (const SyntaxFault& fault) {
        faults.push_back(make_fault(source, fault.at, "", fault.message));
        return {};
    }
}

SceneNode parse_override_value(
    const std::string& text, int index, const SceneSource& source, const std::string& path, std::vector<Fault>& faults)
{
    const int before = column_of(path, path.size()); // with the equals sign
    try {
        SceneNode node = parse(text, split_lines(text));
        place_in_override(node, index, before);
        return node;
    } catch (const SyntaxFault& fault) {
        faults.push_back(make_fault(source, in_override(fault.at, index, before), path, fault.message));
        return {};
    }
}

} // namespace stickslip
