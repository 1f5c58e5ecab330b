// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include <CLI/CLI.hpp>

namespace cli
{

std::vector<Command> addCommands(CLI::App& program)
{
    std::vector<Command> commands = {infoCommand(program),
                                     axisCommand(program),
                                     sinogramCommand(program),
                                     phantomCommand(program),
                                     reconstructCommand(program),
                                     compareCommand(program),
                                     compareSettingsCommand(program),
                                     benchmarkCommand(program),
                                     tuneCommand(program),
                                     modelCommand(program),
                                     verifyCommand(program),
                                     methodsCommand(program),
                                     referenceCommand(program),
                                     completionCommand(program)};
    for (const Command& command : commands)
        command.options->group("Commands");
    return commands;
}

} // namespace cli
