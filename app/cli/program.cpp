// SPDX-License-Identifier: GPL-3.0-or-later
// The program sinoscope-cli. Here, not beside main(), because a file with CLI11 takes 6 s to compile by itself.
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/last_words.h"
#include "app/cli/parse.h"
#include "app/cli/safe_output.h"
#include "app/cli/text.h"
#include "engine/base/error.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <new>
#include <string>

namespace cli
{

int run(int argc, char** argv)
{
    app::setLastWords("sinoscope-cli");
    const SafeOutput out(std::cout), err(std::cerr);
    const auto failed = [&](const std::string& message, int status) {
        std::cerr << "sinoscope-cli: " << message << '\n';
        printErrorAsJson(message, status, argc, argv);
        return status;
    };
    CLI::App program;
    try {
        const Interruption interruption;
        describe(program, "sinoscope-cli",
                 "  sinoscope-cli phantom shepp-logan --size 512 --projections 804 --output head.h5\n"
                 "  sinoscope-cli info head.h5\n"
                 "  sinoscope-cli reconstruct head.h5 --output head.tif --filter hann --interpolation cubic\n");
        const auto commands = addCommands(program);
        if (const auto status = parse(program, argc, argv))
            return *status;
        for (const Command& command : commands) {
            if (!command.options->parsed())
                continue;
            const int status = command.run(interruption.token());
            if (!std::cout.flush())
                throw engine::Error(engine::ErrorKind::output, "standard output can't be written; is the disk full?");
            return status;
        }
    } catch (const engine::Error& error) {
        return failed(words(error.text()), engine::exitStatus(error.kind()));
    } catch (const std::bad_alloc&) {
        app::say(app::notEnoughMemory);
    } catch (const std::exception& error) {
        return failed(plain(error.what()), 1);
    }
    return 1;
}

} // namespace cli
