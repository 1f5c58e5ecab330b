#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/backproject/parallel/cuda/tuning.h"
#include "engine/backproject/support.h"
#include "engine/report.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace cli
{

namespace
{

template <typename Values>
std::string names(const Values& values)
{
    std::vector<std::string> texts;
    for (const auto& value : values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, int>)
            texts.push_back(std::to_string(value));
        else
            texts.push_back(engine::toText(value));
    }
    return joined(texts, " ");
}

int listMethods(const std::string& json)
{
    ReportFile report(json);
    report.write(engine::methodsJson());
    if (!report.textWanted())
        return 0;
    for (const engine::Method& method : engine::methods()) {
        const engine::MethodSupport support = engine::supportOf(method);
        std::cout << method.id << ": " << method.label << "\n  " << method.summary << '\n'
                  << listing({{"  device", engine::toText(engine::DeviceSettings{method.device, 0})},
                              {"  interpolation", names(support.interpolations)},
                              {"  precision", names(support.precisions)},
                              {"  slices a pass", names(method.slicesPerPass)},
                              {"  reference", method.reference},
                              {"  usable here", support.unusable ? "no: " + *support.unusable : "yes"}})
                  << '\n';
    }
    std::cout << "Tunings of alu, for benchmark and verify (--alu-tuning)"
              << (engine::cuda::aluTuningsBuilt ? ":\n"
                                                : "; all but tuned and square-tile\nare in a build by CMake with "
                                                  "-DSINOSCOPE_TUNINGS=ON, not in this one:\n");
    std::vector<std::pair<std::string, std::string>> tunings;
    for (const auto& variant : engine::cuda::aluVariants)
        tunings.emplace_back(std::string("  ") + variant.id, variant.summary);
    std::cout << listing(tunings);
    return 0;
}

} // namespace

Command methodsCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand("methods", "List the ways to back-project, and which work here");
    command->footer("Examples:\n"
                    "  sinoscope-cli methods\n"
                    "  sinoscope-cli methods --json - | jq '.[].id'");
    const auto json = std::make_shared<std::string>();
    addJson(*command, *json);
    return {command, [json](std::stop_token) { return listMethods(*json); }};
}

} // namespace cli
