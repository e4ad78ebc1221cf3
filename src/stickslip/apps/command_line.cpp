#include "stickslip/apps/command_line.h"

#include "stickslip/scene/text/scene_reading.h"
#include "stickslip/scene/text/wording.h"

#include <algorithm>
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
    return "The following argument" + std::string(found.size() > 1 ? "s were" : " was")
        + " not expected: " + joined(found, " ") + (first.starts_with("-") ? did_you_mean(first, flags_of(verb)) : "");
}

} // namespace

std::string parse_fault(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv)
{
    const std::vector<const CLI::App*> verbs = verbs_of(app);
    const std::vector<std::string> names = names_of(verbs);
    const std::string first = argc > 1 ? argv[1] : "";
    const auto verb = std::find(names.begin(), names.end(), first);
    if (verb == names.end() && !first.starts_with("-"))
        return (first.empty() ? "expected a command"
                              : "unknown command " + in_quotes(first) + did_you_mean(first, names))
            + "\nThe commands are: " + joined(names, ", ") + ".";
    const CLI::App& chosen = verb == names.end() ? app : *verbs[static_cast<std::size_t>(verb - names.begin())];
    if (dynamic_cast<const CLI::ExtrasError*>(&error))
        return unexpected(app, chosen, argc, argv);
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
        const std::string text = error.what(), option = text.substr(0, text.find(':'));
        for (const CLI::Option* known : chosen.get_options())
            if (known->get_name() == option && text.find("missing") != std::string::npos)
                return option + ": expected " + known->get_type_name() + ", found nothing";
        return text;
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error)) {
        const std::string text = error.what(), option = text.substr(0, text.find(' '));
        for (const CLI::Option* known : chosen.get_options())
            if (option.starts_with("--") && known->get_name() == option)
                return option + " " + known->get_type_name() + " is required: " + known->get_description();
        return text;
    }
    return error.what();
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
        + escaped(option.get_description()) + "\n";
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
