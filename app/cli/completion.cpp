// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include "app/cli/options.h"
#include "app/cli/parse.h"
#include "app/cli/text.h"
#include "engine/base/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace cli
{

namespace
{

// The possible values of an option or positional argument, derived from the text that the help shows.
struct Values {
    std::vector<std::string> words; // words to choose from
    bool file = false;              // whether a path is accepted
};

Values valuesOf(const CLI::Option& option)
{
    Values values;
    for (std::string part : CLI::detail::split(option.get_type_name(), '|')) {
        part = part.substr(0, part.find('['));
        if (part == "FILE" || part == "PATH" || part == "DIR" || part.starts_with("F.") || part.starts_with("FILE."))
            values.file = true;
        else if (!part.empty() &&
                 std::none_of(part.begin(), part.end(), [](unsigned char c) { return std::isupper(c); }))
            values.words.push_back(part);
    }
    return values;
}

struct Entry {
    std::vector<std::string> names; // empty for a positional argument
    std::string description;
    bool takesValue = false;
    Values values;
};

struct Page {
    std::string name, description;
    std::vector<Entry> entries;
};

Page pageOf(const CLI::App& command)
{
    Page page{command.get_name(), command.get_description(), {}};
    for (const CLI::Option* option : command.get_options())
        page.entries.push_back(
            {namesOf(*option), option->get_description(), option->get_items_expected_max() > 0, valuesOf(*option)});
    return page;
}

std::vector<Page> pagesOf(const CLI::App& program)
{
    std::vector<Page> pages;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        pages.push_back(pageOf(*command));
    return pages;
}

std::vector<std::string> commandNames(const std::vector<Page>& pages)
{
    std::vector<std::string> names;
    for (const Page& page : pages)
        names.push_back(page.name);
    return names;
}

// Returns a script with one case per command: its options, the words that can stand without an option, and the words
// after each option.
std::string bashScript(const std::vector<Page>& pages)
{
    std::string script = "# bash completion of sinoscope-cli, printed by: sinoscope-cli completion bash\n"
                         "_sinoscope_cli()\n{\n"
                         "    local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                         "    local command=\"${COMP_WORDS[1]}\" words=\"\" files=\"\"\n"
                         "    COMPREPLY=()\n"
                         "    if [[ $COMP_CWORD -eq 1 ]]; then\n        words=\"" +
                         joined(commandNames(pages), " ") +
                         " --help --version\"\n    else\n"
                         "        case \"$command $previous\" in\n";
    for (const Page& page : pages)
        for (const Entry& entry : page.entries) {
            if (entry.names.empty() || !entry.takesValue)
                continue;
            std::vector<std::string> patterns;
            for (const std::string& name : entry.names)
                patterns.push_back("\"" + page.name + " " + name + "\"");
            script += "        " + joined(patterns, "|") + ") words=\"" + joined(entry.values.words, " ") + "\"" +
                      (entry.values.file ? " files=yes" : "") + " ;;\n";
        }
    script += "        *)\n            case \"$command\" in\n";
    for (const Page& page : pages) {
        std::vector<std::string> words;
        bool files = false;
        for (const Entry& entry : page.entries) {
            words.insert(words.end(), entry.names.begin(), entry.names.end());
            if (entry.names.empty()) {
                words.insert(words.end(), entry.values.words.begin(), entry.values.words.end());
                files = files || entry.values.file;
            }
        }
        script += "            " + page.name + ") words=\"" + joined(words, " ") + "\"" + (files ? " files=yes" : "") +
                  " ;;\n";
    }
    return script + "            esac ;;\n        esac\n    fi\n"
                    "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                    "    if [[ -n $files && $current != -* ]]; then\n"
                    "        compopt -o filenames 2>/dev/null\n"
                    "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$current\")\n"
                    "    fi\n}\n"
                    "complete -F _sinoscope_cli sinoscope-cli\n";
}

// Returns the text in single quotes, in the form that all three shells accept.
std::string quoted(const std::string& text)
{
    std::string result;
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + result + "'";
}

std::string escaped(const std::string& text, const std::string& special)
{
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string::npos)
            result += '\\';
        result += c;
    }
    return result;
}

// Returns "--name[description]:value:action" for each name of an option, ":value:action" for a positional argument.
std::string zshArguments(const Entry& entry)
{
    const std::string action = !entry.values.words.empty() ? "(" + joined(entry.values.words, " ") + ")"
                               : entry.values.file         ? "_files"
                                                           : "";
    const std::string value = entry.takesValue ? ":value:" + action : "";
    const std::string next = " \\\n            ";
    if (entry.names.empty())
        return next + quoted(value);
    std::string text;
    for (const std::string& name : entry.names)
        text += next + quoted(name + "[" + escaped(entry.description, "[]:\\") + "]" + value);
    return text;
}

std::string zshScript(const std::vector<Page>& pages)
{
    std::string script = "#compdef sinoscope-cli\n# zsh completion, printed by: sinoscope-cli completion zsh\n"
                         "_sinoscope_cli()\n{\n    local -a commands=(\n";
    for (const Page& page : pages)
        script += "        " + quoted(page.name + ":" + page.description) + "\n";
    script += "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
              "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n";
    for (const Page& page : pages) {
        script += "    " + page.name + ")\n        _arguments";
        for (const Entry& entry : page.entries)
            script += zshArguments(entry);
        script += "\n        ;;\n";
    }
    return script + "    esac\n}\n"
                    "if [[ $funcstack[1] == _sinoscope_cli ]]; then _sinoscope_cli \"$@\"; "
                    "else compdef _sinoscope_cli sinoscope-cli; fi\n";
}

std::string fishScript(const std::vector<Page>& pages)
{
    const std::string complete = "complete -c sinoscope-cli ";
    std::string script = "# fish completion, printed by: sinoscope-cli completion fish\n";
    for (const Page& page : pages) {
        script += complete + "-f -n __fish_use_subcommand -a " + page.name + " -d " + quoted(page.description) + "\n";
        const std::string here = complete + "-n '__fish_seen_subcommand_from " + page.name + "' ";
        for (const Entry& entry : page.entries) {
            std::string line = here;
            for (const std::string& name : entry.names)
                line += name.starts_with("--") ? "-l " + name.substr(2) + " " : "-s " + name.substr(1) + " ";
            if (entry.takesValue && !entry.values.file)
                line += entry.names.empty() ? "-f " : "-x ";
            if (!entry.names.empty() && entry.takesValue && entry.values.file)
                line += "-r -F ";
            if (!entry.values.words.empty())
                line += "-a " + quoted(joined(entry.values.words, " ")) + " ";
            if (!entry.names.empty())
                line += "-d " + quoted(entry.description);
            else if (entry.values.words.empty())
                continue;
            script += line + "\n";
        }
    }
    return script;
}

} // namespace

Command completionCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand("completion", "Print the completion script of a shell");
    command->footer("Examples:\n"
                    "  source <(sinoscope-cli completion bash)\n"
                    "  sinoscope-cli completion zsh > ~/.zfunc/_sinoscope-cli\n"
                    "  sinoscope-cli completion fish > ~/.config/fish/completions/sinoscope-cli.fish");
    const auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "Which shell")
        ->required()
        ->type_name("bash|zsh|fish")
        ->check(oneOf({"bash", "zsh", "fish"}));
    return {command, [&program, shell](std::stop_token) {
                const std::vector<Page> pages = pagesOf(program);
                std::cout << (*shell == "bash"  ? bashScript(pages)
                              : *shell == "zsh" ? zshScript(pages)
                                                : fishScript(pages));
                return 0;
            }};
}

} // namespace cli
