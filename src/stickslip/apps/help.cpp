#include "stickslip/apps/help.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace stickslip {

namespace {

constexpr std::size_t line_length = 80, widest_name = 28;

/// A name and what it stands for.
using Entry = std::pair<std::string, std::string>;

/// `text` broken at blanks so that no line which starts at `column` is too long; the first line is there already.
std::string wrapped(const std::string& text, std::size_t column)
{
    std::string result;
    std::size_t at = column;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (at > column && at + 1 + word.size() > line_length) {
            result += "\n" + std::string(column, ' ');
            at = column;
        }
        result += (at > column ? " " : "") + word;
        at += (at > column ? 1 : 0) + word.size();
        begin = end + 1;
    }
    return result;
}

/// Names in one column, descriptions in the next; a name that is too wide has a line of its own.
std::string table(const std::string& title, const std::vector<Entry>& entries)
{
    std::size_t widest = 0;
    for (const Entry& entry : entries)
        widest = std::max(widest, std::min(entry.first.size(), widest_name));
    const std::size_t column = widest + 4;
    std::string text = entries.empty() ? "" : "\n" + title + ":\n";
    for (const auto& [name, description] : entries) {
        const bool fits = name.size() <= widest;
        text += "  " + name + (fits ? std::string(column - 2 - name.size(), ' ') : "\n" + std::string(column, ' '))
            + wrapped(description, column) + "\n";
    }
    return text;
}

/// "-o, --output DIR"
std::string name_of(const CLI::Option& option)
{
    std::string name;
    for (const std::string& letter : option.get_snames())
        name += "-" + letter + ", ";
    for (const std::string& word : option.get_lnames())
        name += "--" + word + ", ";
    name.resize(name.size() - 2);
    if (option.get_items_expected_max() == 0)
        return name;
    return name
        + (option.get_items_expected_min() == 0 ? " [" + option.get_type_name() + "]" : " " + option.get_type_name());
}

} // namespace

std::string description_of(const CLI::Option& option)
{
    std::set<std::string> others;
    for (const CLI::Option* other : option.get_excludes())
        others.insert(other->get_name());
    std::string names;
    for (const std::string& other : others)
        names += (names.empty() ? "; not with " : ", ") + other;
    return option.get_description() + names;
}

namespace {

/// "SCENE", "[NAME]"
std::string positional_of(const CLI::Option& option)
{
    const std::string more = option.get_items_expected_max() > 1 ? " " + option.get_type_name() : "";
    return option.get_required() ? option.get_name() + more : "[" + option.get_name() + more + "]";
}

std::string help_of_verb(const CLI::App& verb)
{
    std::string usage = "stickslip " + verb.get_name();
    std::vector<Entry> arguments, options;
    for (const CLI::Option* option : verb.get_options()) {
        if (option->get_positional()) {
            usage += " " + positional_of(*option);
            arguments.emplace_back(option->get_name(), option->get_description());
        } else {
            if (option->get_required())
                usage += " " + name_of(*option);
            options.emplace_back(name_of(*option), description_of(*option));
        }
    }
    return "Usage: " + usage + " [OPTIONS]\n\n" + wrapped(verb.get_description(), 0) + "\n"
        + table("Arguments", arguments) + table("Options", options);
}

std::string help_of_program(const CLI::App& app)
{
    std::vector<Entry> commands, options;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        commands.emplace_back(verb->get_name(), verb->get_description());
    for (const CLI::Option* option : app.get_options())
        options.emplace_back(name_of(*option), option->get_description());
    return "Usage: stickslip COMMAND [OPTIONS]\n\n" + wrapped(app.get_description(), 0) + "\n"
        + table("Commands", commands) + table("Options", options);
}

/// Examples stay as they are.
std::string footer_of(const CLI::App& app)
{
    std::istringstream lines(app.get_footer());
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const bool example = line.starts_with("Example:") || line.starts_with(" ");
        text += (example ? line : wrapped(line, 0)) + "\n";
    }
    return text.empty() ? "" : "\n" + text;
}

} // namespace

std::string help_text(const CLI::App* app, const std::string&, CLI::AppFormatMode)
{
    return (app->get_parent() ? help_of_verb(*app) : help_of_program(*app)) + footer_of(*app);
}

} // namespace stickslip
