#include "stickslip/apps/command_line.h"

#include "stickslip/apps/help.h"
#include "stickslip/math/error.h"
#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace stickslip {

namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& verbs)
{
    std::vector<std::string> names;
    for (const CLI::App* verb : verbs)
        names.push_back(verb->get_name());
    return names;
}

/// "--output", "-o" of all options of a verb.
std::vector<std::string> flags_of(const CLI::App& verb)
{
    std::vector<std::string> flags;
    for (const CLI::Option* option : verb.get_options()) {
        for (const std::string& name : option->get_lnames())
            flags.push_back("--" + name);
        for (const std::string& name : option->get_snames())
            flags.push_back("-" + name);
    }
    return flags;
}

std::string joined(const std::vector<std::string>& words, const std::string& between)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

/// For a misspelt or shortened option; a single letter is like any other.
std::string suggestion(const std::string& option, const CLI::App& verb)
{
    if (option.size() < 4)
        return "";
    const std::vector<std::string> flags = flags_of(verb);
    for (const std::string& flag : flags)
        if (flag.starts_with(option))
            return "; did you mean \"" + flag + "\"?";
    return did_you_mean(option, flags);
}

/// What other programs call a command, and what it is here.
struct CommandWord {
    std::string_view word, here;
};
constexpr CommandWord command_words[] = {{"help", "--help"}, {"version", "--version"}, {"simulate", "run"},
    {"simulation", "run"}, {"sim", "run"}, {"solve", "run"}, {"start", "run"}, {"exec", "run"}, {"execute", "run"},
    {"launch", "run"}, {"resume", "run SCENE --resume"}, {"continue", "run SCENE --resume"},
    {"restart", "run SCENE --resume"}, {"validate", "check"}, {"verify", "check"}, {"lint", "check"}, {"test", "check"},
    {"show", "view"}, {"open", "view"}, {"play", "view"}, {"replay", "view"}, {"viewer", "view"}, {"gui", "view"},
    {"visualize", "view"}, {"visualise", "view"}, {"watch", "view DIR --serve"}, {"serve", "view DIR --serve"},
    {"compare", "view DIR --compare DIR"}, {"movie", "render"}, {"video", "render"}, {"animate", "render"},
    {"picture", "render"}, {"image", "render"}, {"screenshot", "render"}, {"draw", "render"}, {"graph", "plot"},
    {"chart", "plot"}, {"new", "example"}, {"init", "example"}, {"demo", "example"}, {"scenes", "example"},
    {"list", "example"}, {"ls", "example"}, {"convert", "import or export"}, {"save", "export"}, {"describe", "info"},
    {"status", "info"}, {"stat", "info"}, {"stats", "info"}, {"summary", "info"}, {"inspect", "info"},
    {"batch", "sweep"}, {"study", "sweep"}, {"benchmark", "bench"}, {"man", "manual"}};

std::string meant_command(const std::string& word, const std::vector<std::string>& names)
{
    const auto known = std::ranges::find(command_words, word, &CommandWord::word);
    return known == std::end(command_words) ? did_you_mean(word, names)
                                            : "; here it is stickslip " + std::string(known->here);
}

/// The arguments that nothing stands for, in the order in which they were given.
std::string unexpected(const CLI::App& app, const CLI::App& verb, int argc, const char* const* argv)
{
    std::vector<std::string> left = app.remaining(true), found;
    for (int i = 1; i < argc; ++i) {
        const auto place = std::find(left.begin(), left.end(), argv[i]);
        if (place == left.end())
            continue;
        found.push_back(argv[i]);
        left.erase(place);
    }
    found.insert(found.end(), left.begin(), left.end());
    const std::string first = found.empty() ? "" : found.front();
    if (first.starts_with("-"))
        return "unknown option " + first + suggestion(first, verb);
    return "unexpected argument" + std::string(found.size() > 1 ? "s: " : ": ") + joined(found, " ");
}

const CLI::Option* find_option(const CLI::App& verb, const std::string& name)
{
    for (const CLI::Option* option : verb.get_options())
        if (option->get_name() == name)
            return option;
    return nullptr;
}

/// The word of a library's text that names an option: "--until: ...", "--until requires ...", "quiet was given ...".
const CLI::Option* named_first(const CLI::App& verb, const std::string& text)
{
    const std::string word = text.substr(0, text.find_first_of(": "));
    const CLI::Option* option = find_option(verb, word);
    return option ? option : find_option(verb, "--" + word);
}

std::string missing_value(const CLI::Option& option)
{
    return option.get_name() + ": expected " + option.get_type_name() + ", found nothing";
}

std::string required_option(const CLI::Option& option)
{
    const std::string name = option.get_name(), type = option.get_type_name();
    return "expected " + name + (option.get_positional() || type.empty() ? "" : " " + type) + ": "
        + option.get_description();
}

/// A value that is no number; the library says "Could not convert: --until = abc".
std::string conversion_fault(const CLI::App& verb, const std::string& text)
{
    const std::size_t name = text.find("--"), equals = text.find(" = ");
    if (name == std::string::npos)
        return "expected a number";
    const CLI::Option* option = named_first(verb, text.substr(name));
    if (!option || equals == std::string::npos)
        return text.substr(name, text.find_first_of(": ", name) - name) + ": expected a number";
    return option->get_name() + ": expected a number, got " + in_quotes(text.substr(equals + 3));
}

/// What is wrong with the arguments of one verb.
std::string argument_fault(const CLI::App& verb, const CLI::ParseError& error)
{
    const std::string text = error.what();
    const CLI::Option* option = named_first(verb, text);
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && option)
        return option->get_items_expected_max() == 0 ? option->get_name() + ": expected no value, it is a switch"
            : option->count() > 1
            ? option->get_name() + ": expected once, found " + std::to_string(option->count()) + " times"
            : missing_value(*option);
    if (dynamic_cast<const CLI::RequiredError*>(&error))
        return option ? required_option(*option) : "expected a command";
    if (dynamic_cast<const CLI::ExcludesError*>(&error) && option)
        return option->get_name() + " and " + text.substr(text.rfind(' ') + 1) + " cannot be given together";
    if (dynamic_cast<const CLI::ConversionError*>(&error))
        return conversion_fault(verb, text);
    if (dynamic_cast<const CLI::ValidationError*>(&error))
        return text; // the words of the validators of this program
    return "the arguments cannot be understood";
}

} // namespace

std::string parse_fault(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv)
{
    const std::vector<const CLI::App*> verbs = verbs_of(app);
    const std::vector<std::string> names = names_of(verbs);
    const std::string first = argc > 1 ? argv[1] : "";
    const auto verb = std::find(names.begin(), names.end(), first);
    const std::string commands = "\nThe commands are: " + joined(names, ", ") + ".";
    if (verb == names.end() && !first.starts_with("-"))
        return (first.empty() ? "expected a command"
                              : "unknown command " + in_quotes(first) + meant_command(first, names))
            + commands;
    if (verb == names.end() && !find_option(app, first))
        return "unknown option " + first + suggestion(first, app) + commands;
    const CLI::App& chosen = verb == names.end() ? app : *verbs[static_cast<std::size_t>(verb - names.begin())];
    if (dynamic_cast<const CLI::ExtrasError*>(&error))
        return unexpected(app, chosen, argc, argv);
    return argument_fault(chosen, error);
}

void refuse_values_of_switches(CLI::App& app)
{
    for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
        for (CLI::Option* option :
            verb->get_options([](const CLI::Option* one) { return one->get_items_expected_max() == 0; }))
            option->disable_flag_override();
}

void refuse_empty_values(CLI::App& app)
{
    for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
        for (CLI::Option* option : verb->get_options([](const CLI::Option* one) {
                 const std::string type = one->get_type_name();
                 return type == "FILE" || type == "DIR";
             }))
            option->check([type = option->get_type_name()](const std::string& value) { // CLI names the option
                return value.empty() ? "expected " + type + ", found an empty word" : std::string();
            });
}

void expect_ending(const std::string& output, const std::vector<std::string>& endings)
{
    if (std::ranges::find(endings, std::filesystem::path(output).extension().string()) != endings.end())
        return;
    std::string all;
    for (const std::string& ending : endings)
        all += (all.empty() ? "" : " or ") + ending;
    throw InputError(output + ": expected a name that ends in " + all);
}

// Only what options are; that of files is bash's own.
std::string bash_completion(const CLI::App& app)
{
    std::string cases;
    for (const CLI::App* verb : verbs_of(app))
        cases += "        " + verb->get_name() + ") options=\"" + joined(flags_of(*verb), " ") + "\" ;;\n";
    return "# bash completion of stickslip: source <(stickslip completion bash)\n"
           "_stickslip() {\n"
           "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" options=\"\"\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \""
        + joined(names_of(verbs_of(app)), " ")
        + " --help --version\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    case \"${COMP_WORDS[1]}\" in\n"
        + cases
        + "    esac\n"
          "    case \"$before\" in\n"
          "        --color) COMPREPLY=($(compgen -W \"body speed stress\" -- \"$word\")); return ;;\n"
          "        --to) COMPREPLY=($(compgen -W \"gltf usda obj csv spheres\" -- \"$word\")); return ;;\n"
          "        import) COMPREPLY=($(compgen -W \"rigid-ipc\" -- \"$word\")); return ;;\n"
          "        completion) COMPREPLY=($(compgen -W \"bash\" -- \"$word\")); return ;;\n"
          "        example) COMPREPLY=($(compgen -W \"$(stickslip example 2>/dev/null | cut -d' ' -f1)\" -- "
          "\"$word\")); return ;;\n"
          "    esac\n"
          "    if [ \"${COMP_WORDS[1]}\" = plot ] && [[ \"$word\" != -* ]] && { [ \"$COMP_CWORD\" -gt 2 ] || [ "
          "\"$before\" = --x ]; }; then\n"
          "        local IFS=$'\\n'\n"
          "        COMPREPLY=($(compgen -W \"$(stickslip plot \"${COMP_WORDS[2]}\" --list 2>/dev/null)\" -- "
          "\"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    if [[ \"$word\" == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    elif [ \"${COMP_WORDS[1]}\" = bench ]; then\n"
          "        COMPREPLY=($(compgen -W \"all $(stickslip bench 2>/dev/null | cut -d' ' -f1)\" -- \"$word\"))\n"
          "    fi\n"
          "}\n"
          "complete -o default -F _stickslip stickslip\n";
}

namespace {

/// For roff: a leading dot or quote would be a request, a backslash an escape.
std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        const bool at_begin = result.empty() || result.back() == '\n';
        if (at_begin && (c == '.' || c == '\''))
            result += "\\&";
        result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    }
    return result;
}

std::string option_entry(const CLI::Option& option)
{
    const std::string name =
        option.get_positional() && !option.nonpositional() ? option.get_name(true) : option.get_name(false, true);
    const bool takes_value = option.get_items_expected_max() > 0 && option.nonpositional();
    return ".TP\n.B " + escaped(name) + (takes_value ? " \\fI" + escaped(option.get_type_name()) + "\\fR" : "") + "\n"
        + escaped(description_of(option)) + "\n";
}

} // namespace

std::string manual_page(const CLI::App& app, const std::string& version)
{
    std::string page = ".TH STICKSLIP 1 \"\" \"stickslip " + version
        + "\" \"User Commands\"\n.SH NAME\nstickslip \\- simulation of frictional contact\n.SH SYNOPSIS\n"
          ".B stickslip\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
        + escaped(app.get_description()) + "\n.SH COMMANDS\n";
    for (const CLI::App* verb : verbs_of(app)) {
        page += ".SS stickslip " + escaped(verb->get_name()) + "\n" + escaped(verb->get_description()) + "\n";
        for (const CLI::Option* option : verb->get_options())
            if (option != verb->get_help_ptr())
                page += option_entry(*option);
        if (!verb->get_footer().empty())
            page += ".PP\n" + escaped(verb->get_footer()) + "\n";
    }
    return page + ".SH EXIT STATUS AND MORE\n" + escaped(app.get_footer()) + "\n.SH SEE ALSO\n"
        + "The manual of the scene format: docs/scene_format.md; the files of a run: docs/run_folder.md.\n";
}

} // namespace stickslip
