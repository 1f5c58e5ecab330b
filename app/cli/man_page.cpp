// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/man_page.h"

#include "app/cli/parse.h"
#include "app/cli/text.h"
#include "engine/documents/man_page.h"

#include <CLI/CLI.hpp>

#include <sstream>

namespace cli
{

namespace
{

std::vector<engine::ManOption> optionsOf(const CLI::App& command)
{
    std::vector<engine::ManOption> options;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty()) // a hidden option
            continue;
        const std::vector<std::string> names = namesOf(*option);
        options.push_back({names.empty() ? option->get_name(true) : joined(names, ", "),
                           option->get_type_size() == 0 ? "" : option->get_type_name(), option->get_description()});
    }
    return options;
}

// Returns the lines after "Examples:" in a footer, up to an empty line, without indentation.
std::string examplesIn(const std::string& footer)
{
    std::istringstream lines(footer);
    std::string line, examples;
    std::getline(lines, line); // "Examples:"
    while (std::getline(lines, line) && !line.empty())
        examples += line.substr(std::min<std::size_t>(2, line.size())) + '\n';
    return examples;
}

} // namespace

std::string manPageOf(const CLI::App& program)
{
    engine::ManPage page{.program = program.get_name(),
                         .meaning = "tomographic reconstruction by filtered back-projection, compared and timed",
                         .synopsis = "[OPTIONS] COMMAND",
                         .options = optionsOf(program),
                         .commands = {},
                         .examples = examplesIn(program.get_footer()),
                         .seeAlso = {}};
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        page.commands.push_back(
            {command->get_name(), command->get_description(), optionsOf(*command), examplesIn(command->get_footer())});
    for (const char* other : {"sinoscope", "sinoscope-cli", "sinoscope-mpi"})
        if (other != program.get_name())
            page.seeAlso.emplace_back(other);
    return engine::manPageText(page);
}

} // namespace cli
