// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse.h"

#include "app/cli/man_page.h"
#include "app/cli/text.h"
#include "engine/base/spelling.h"
#include "engine/base/version.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <numeric>

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

// Returns at most three suggestions: first the meaning of the word in other programs, then options with a similar
// spelling, the nearest first.
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
           (similar.empty() ? "`" + program + " --help` lists all" : "did you mean " + joined(similar, " or ") + "?");
}

std::vector<std::string> commandNames(const CLI::App& program)
{
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

// Prints the form of the value after the name of the option, and the default after the description.
class HelpFormatter : public CLI::Formatter
{
  public:
    std::string make_option_opts(const CLI::Option* option) const override
    {
        return option->get_type_size() == 0 ? std::string() : " " + option->get_type_name();
    }
    std::string make_option_desc(const CLI::Option* option) const override
    {
        const std::string value = option->get_default_str();
        return option->get_description() + (option->get_required() ? " (required)" : "") +
               (value.empty() ? "" : " [" + value + "]");
    }
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
    return firstLine(error.what());
}

} // namespace

void describe(CLI::App& program, const std::string& name, const std::string& examples, const std::string& statusNote)
{
    program.name(name);
    program.description("Sinoscope: tomographic reconstruction by filtered back-projection, compared and timed.");
    program.set_version_flag("--version", engine::versionText(name),
                             "Print the version and what it was built with, and exit");
    program.set_help_flag("-h,--help", "Print this help and exit");
    program.add_flag_callback(
        "--man", [&program] { throw CLI::CallForVersion(manPageOf(program), 0); },
        "Print the manual page in roff and exit");
    program.require_subcommand(1);
    program.formatter(std::make_shared<HelpFormatter>());
    program.get_formatter()->column_width(36);
    program.get_formatter()->label("SUBCOMMAND", "COMMAND");
    program.footer("Examples:\n" + examples + "  " + name +
                   " COMMAND --help\n\n"
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
        program.parse(argc, argv);
    } catch (const CLI::Success& wanted) { // --help, --man, --version
        return program.exit(wanted, std::cout, std::cerr);
    } catch (const CLI::ParseError& error) {
        const auto chosen = program.get_subcommands();
        const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
        const std::string name = program.get_name() + (command ? " " + command->get_name() : std::string());
        std::cerr << name << ": " << plain(mistake(program, command, error)) << "\nTry '" << name << " --help'.\n";
        return badRequest;
    }
    return std::nullopt;
}

} // namespace cli
