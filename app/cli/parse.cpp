// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse.h"

#include "app/cli/man_page.h"
#include "app/cli/text.h"
#include "engine/base/json_text.h"
#include "engine/base/spelling.h"
#include "engine/base/version.h"

#include <CLI/CLI.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>

namespace cli
{

namespace
{

constexpr int badRequest = 2;

// A word that users or other programs use for an option, and the corresponding options here. Those that the command
// has are suggested.
struct Synonym {
    const char* word; // without dashes
    std::vector<const char*> meant;
};
const std::vector<Synonym>& synonyms()
{
    static const std::vector<Synonym> list = {
        {"center", {"--axis"}},
        {"centre", {"--axis"}},
        {"rotation-axis", {"--axis"}},
        {"rotation-center", {"--axis"}},
        {"rotation-centre", {"--axis"}},
        {"center-of-rotation", {"--axis"}},
        {"cor", {"--axis"}},
        {"algorithm", {"--method"}},
        {"algo", {"--method"}},
        {"kernel", {"--method"}},
        {"gpu", {"--device"}},
        {"cuda", {"--device"}},
        {"cpu", {"--device"}},
        {"out", {"--output"}},
        {"out-dir", {"--output"}},
        {"output-dir", {"--output"}},
        {"ncore", {"--threads"}},
        {"ncores", {"--threads"}},
        {"nproc", {"--threads"}},
        {"jobs", {"--threads"}},
        {"cores", {"--threads"}},
        {"dtype", {"--output-type", "--type"}},
        {"data-type", {"--output-type", "--type"}},
        {"roi", {"--region"}},
        {"crop", {"--region"}},
        {"transpose", {"--data-axes"}},
        {"slice", {"--slices"}},
        {"binning", {"--bin"}},
        {"pixel-size", {"--pixel", "--output-pixel"}},
        {"voxel-size", {"--voxel", "--output-pixel"}},
        {"stripe", {"--rings"}},
        {"stripes", {"--rings"}},
        {"ring-removal", {"--rings"}},
        {"remove-stripe", {"--rings"}},
        {"window", {"--filter"}},
        {"angle", {"--angles"}},
        {"theta", {"--angles"}},
        {"flat", {"--flats"}},
        {"dark", {"--darks"}},
        {"memory", {"--memory-limit"}},
        {"sod", {"--source-axis"}},
        {"sid", {"--source-axis"}},
        {"sdd", {"--source-detector"}},
    };
    return list;
}

// Returns at most three suggestions: the meaning of the word in other programs, or options with a similar spelling, the
// nearest first.
std::vector<std::string> similarOptions(const std::string& word, const std::vector<std::string>& valid)
{
    std::vector<std::string> similar;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(valid, name) != valid.end() && std::ranges::find(similar, name) == similar.end())
            similar.push_back(name);
    };
    const std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    for (const Synonym& synonym : synonyms())
        if (bare == synonym.word)
            for (const char* name : synonym.meant)
                add(name);
    if (similar.empty())
        for (const std::string& name : engine::spelledLike(word, valid))
            add(name);
    similar.resize(std::min<std::size_t>(similar.size(), 3));
    return similar;
}

std::vector<std::string> optionNames(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

std::string unknownOption(const std::string& word, const CLI::App& command)
{
    const std::vector<std::string> similar = similarOptions(word, optionNames(command));
    std::string program = command.get_name();
    for (const CLI::App* above = command.get_parent(); above; above = above->get_parent())
        program = above->get_name() + ' ' + program;
    return "unknown option '" + word + "'; " +
           (similar.empty() ? "`" + program + " --help-all` lists all"
                            : "did you mean " + joined(similar, " or ") + "?");
}

std::vector<std::string> commandNames(const CLI::App& program)
{
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

// Options that the short help of a command shows; of other commands, all but those about reading and preparing scans.
const std::vector<std::string>* commonOptions(const std::string& command)
{
    static const std::map<std::string, std::vector<std::string>> common = {
        {"reconstruct",
         {"--output", "--slice", "--slices", "--method", "--interpolation", "--precision", "--device", "--filter",
          "--axis", "--rings", "--phase", "--plan", "--json", "--overwrite"}},
        {"compare-settings",
         {"--vary", "--zip", "--best", "--scores", "--reference", "--slice", "--area", "--output", "--csv", "--report",
          "--json", "--overwrite"}},
        {"benchmark",
         {"--geometry", "--size", "--projections", "--methods", "--precision", "--device", "--steps", "--volume",
          "--card", "--compare", "--repeat", "--json"}}};
    const auto found = common.find(command);
    return found == common.end() ? nullptr : &found->second;
}

// Returns the columns of the terminal, or many if standard output is none.
std::size_t columnsOfTerminal()
{
    winsize size{};
    const bool isTerminal = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return isTerminal && size.ws_col > 0 ? size.ws_col : 10'000;
}

// Breaks a text at blanks into lines of so many bytes.
std::string wrapped(const std::string& text, std::size_t most)
{
    std::string lines;
    std::size_t line = 0; // its length
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const bool isFirst = line == 0;
        if (!isFirst && line + 1 + word.size() > most) {
            lines += '\n';
            line = 0;
        } else if (!isFirst) {
            lines += ' ';
            ++line;
        }
        lines += word;
        line += word.size();
    }
    return lines;
}

// Prints the form of the value after the name of the option, and the default after the description. --help shows common
// options only, --help-all all.
class HelpFormatter : public CLI::Formatter
{
  public:
    static constexpr std::size_t nameColumns = 36;

    std::string make_option_opts(const CLI::Option* option) const override
    {
        return option->get_type_size() == 0 ? std::string() : " " + option->get_type_name();
    }
    std::string make_option_desc(const CLI::Option* option) const override
    {
        const std::string value = option->get_default_str();
        const std::string text = option->get_description() + (option->get_required() ? " (required)" : "") +
                                 (value.empty() ? "" : " [" + value + "]");
        const std::size_t columns = columnsOfTerminal();
        return columns > nameColumns + 20 ? wrapped(text, columns - nameColumns) : text;
    }
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override
    {
        m_command = app->get_name();
        m_isShort = mode == CLI::AppFormatMode::Normal && app->get_parent();
        m_left = 0;
        std::string help = Formatter::make_help(app, std::move(name), mode);
        for (std::size_t at = 0; (at = help.find("\n\n\n", at)) != std::string::npos;)
            help.erase(at, 1); // of groups that aren't shown
        if (m_left > 0)
            help.insert(help.find(app->get_footer()), std::to_string(m_left) + " more options: --help-all\n\n");
        return help;
    }
    std::string make_group(std::string group, bool isPositional, std::vector<const CLI::Option*> options) const override
    {
        if (m_isShort && !isPositional) {
            const std::vector<std::string>* common = commonOptions(m_command);
            const bool isAboutScans = group == "Reading the scan" || group == "Geometry" || group == "Preparation";
            const auto left = std::erase_if(options, [&](const CLI::Option* option) {
                const std::string name = option->get_name();
                return common ? !name.starts_with("--help") && std::ranges::find(*common, name) == common->end()
                              : isAboutScans;
            });
            m_left += left;
            if (options.empty())
                return {};
        }
        return Formatter::make_group(std::move(group), isPositional, std::move(options));
    }

  private:
    mutable std::string m_command; // whose help is made
    mutable bool m_isShort = false;
    mutable std::size_t m_left = 0; // options that aren't shown
};

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

// Returns the message for a mistake. An unknown word takes precedence over missing options that may result from it.
std::string mistake(const CLI::App& program, const CLI::App* command, const CLI::ParseError& error)
{
    const std::vector<std::string> unknown = (command ? *command : program).remaining();
    const auto option = std::find_if(unknown.begin(), unknown.end(),
                                     [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
    if (!command) {
        if (unknown.empty())
            return "no command given; choose one of " + joined(commandNames(program), ", ");
        return option == unknown.begin()
                   ? unknownOption(unknown.front(), program)
                   : engine::unknownText("unknown command", unknown.front(), commandNames(program));
    }
    if (option != unknown.end())
        return unknownOption(option->substr(0, option->find('=')), *command);
    if (!unknown.empty())
        return "one argument too many: '" + unknown.front() + "'";
    // "--rings: 1 required off|sorting missing"
    const std::string text = firstLine(error.what()), needs = ": 1 required ", missing = " missing";
    if (const std::size_t at = text.find(needs); at != std::string::npos && text.ends_with(missing))
        return text.substr(0, at) +
               " needs a value: " + text.substr(at + needs.size(), text.size() - at - needs.size() - missing.size());
    return text;
}

// Returns the arguments with the words `help` and `version` as options: "help axis" is "axis --help".
std::vector<std::string> argumentsWithHelp(const CLI::App& program, int argc, char** argv)
{
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments.front() == "version")
        arguments.front() = "--version";
    else if (!arguments.empty() && arguments.front() == "help") {
        arguments.erase(arguments.begin());
        const auto all = program.get_subcommands([](const CLI::App*) { return true; });
        const bool isCommand = arguments.empty() || std::ranges::any_of(all, [&](const CLI::App* command) {
                                   return command->check_name(arguments.front());
                               });
        if (isCommand) // otherwise an unknown command
            arguments.emplace_back("--help");
    }
    std::ranges::reverse(arguments); // as CLI11 wants them
    return arguments;
}

} // namespace

void describe(CLI::App& program, const std::string& name, const std::string& examples, const std::string& statusNote)
{
    program.name(name);
    program.description("Sinoscope: tomographic reconstruction by filtered back-projection, compared and timed.");
    program.set_version_flag("-V,--version", engine::versionText(name),
                             "Print the version and what it was built with, and exit");
    program.set_help_flag("-h,--help", "Print a short help and exit");
    program.set_help_all_flag("--help-all", "Print a help with all options and exit");
    program.add_flag_callback(
        "--man", [&program] { throw CLI::CallForVersion(manPageOf(program), 0); },
        "Print the manual page in roff and exit");
    program.require_subcommand(1);
    program.formatter(std::make_shared<HelpFormatter>());
    program.get_formatter()->column_width(HelpFormatter::nameColumns);
    program.get_formatter()->label("SUBCOMMAND", "COMMAND");
    program.footer("Examples:\n" + examples + "  " + name +
                   " help COMMAND\n\n"
                   "Exit status: 0 done, 2 bad request, bad file or output, 1 anything else, 130 interrupted" +
                   statusNote + ".");
}

std::vector<std::string> namesOf(const CLI::Option& option)
{
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames())
        names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    return names;
}

std::optional<int> parse(CLI::App& program, int argc, char** argv)
{
    try {
        program.parse(argumentsWithHelp(program, argc, argv));
    } catch (const CLI::Success& wanted) { // --help, --man, --version
        return program.exit(wanted, std::cout, std::cerr);
    } catch (const CLI::ParseError& error) {
        const auto chosen = program.get_subcommands();
        const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
        const std::string name = program.get_name() + (command ? " " + command->get_name() : std::string());
        const std::string message = plain(mistake(program, command, error));
        std::cerr << name << ": " << message << "\nTry '" << name << " --help'.\n";
        printErrorAsJson(message, badRequest, argc, argv);
        return badRequest;
    }
    return std::nullopt;
}

std::vector<std::string> argumentsOf(const CLI::App& command, const std::set<std::string>& without)
{
    std::vector<std::string> arguments{command.get_name()};
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || without.contains(name))
            continue;
        if (option->get_positional()) {
            arguments.insert(arguments.end(), option->results().begin(), option->results().end());
            continue;
        }
        if (option->get_expected_max() == 0)
            arguments.push_back(name);
        else if (option->get_delimiter() != '\0')
            arguments.insert(arguments.end(), {name, joined(option->results(), ",")});
        else
            for (const std::string& result : option->results())
                arguments.insert(arguments.end(), {name, result});
    }
    return arguments;
}

void printErrorAsJson(const std::string& message, int status, int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto option = std::ranges::find(arguments, "--json");
    const bool isWanted =
        std::ranges::find(arguments, "--json=-") != arguments.end() ||
        (option != arguments.end() && std::next(option) != arguments.end() && *std::next(option) == "-");
    if (isWanted && std::ranges::count(arguments, "-") <= 1) // nothing else is to go there
        std::cout << engine::dumped(engine::Json{{"error", message}, {"status", status}}) << std::endl;
}

} // namespace cli
