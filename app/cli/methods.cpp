// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/backproject/measured_speeds.h"
#include "engine/backproject/parallel/cuda/tuning.h"
#include "engine/backproject/support.h"
#include "engine/base/own_file.h"
#include "engine/documents/report.h"
#include "engine/opencl/devices.h"

#include <CLI/CLI.hpp>

#include <algorithm>
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
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, int>)
            texts.push_back(std::to_string(value));
        else if constexpr (std::is_same_v<Value, std::string>)
            texts.push_back(value);
        else
            texts.push_back(engine::toText(value));
    }
    return joined(texts, " ");
}

// Lists OpenCL's devices with what they lack.
void listOpenClDevices()
{
    const engine::OpenClDevices& found = engine::openClDevices();
    std::vector<std::pair<std::string, std::string>> rows;
    for (const engine::OpenClDevice& device : found.devices) {
        std::string text = device.name + ", " + device.platform + " (" + device.driver + "), " +
                           std::to_string(device.computeUnits) + " compute units";
        if (!device.unusable.empty())
            text += "; can't be used: " + device.unusable;
        else if (!device.hasImages)
            text += "; without images: only `alu-opencl`";
        rows.emplace_back("  opencl:" + std::to_string(device.index), text);
    }
    if (!rows.empty())
        std::cout << "OpenCL devices\n" << listing(rows);
    if (!found.reason.empty())
        std::cout << "OpenCL: " << found.reason << '\n';
    std::cout << '\n';
}

int listMethods(const std::string& json, bool overwrite)
{
    ReportFile report(json, overwrite);
    report.write(engine::methodsJson());
    if (!report.textWanted())
        return 0;
    std::vector<std::string> reasons; // each reason once, printed below the methods
    const auto numbered = [&reasons](const std::string& reason) {
        if (std::ranges::find(reasons, reason) == reasons.end())
            reasons.push_back(reason);
        return "no (" + std::to_string(std::ranges::find(reasons, reason) - reasons.begin() + 1) + ")";
    };
    for (const engine::Method& method : engine::methods()) {
        const engine::MethodSupport support = engine::supportOf(method);
        std::cout << method.id << ": " << method.label << "\n  " << method.summary << '\n'
                  << listing({{"  device", engine::toText(engine::DeviceSettings{method.device, 0})},
                              {"  geometry", names(engine::geometriesOf(method))},
                              {"  interpolation", names(support.interpolations)},
                              {"  precision", names(support.precisions)},
                              {"  slices per pass", names(method.slicesPerPass)},
                              {"  reference", method.reference},
                              {"  usable here", support.unusable ? numbered(*support.unusable) : "yes"}});
        std::vector<std::pair<std::string, std::string>> variants;
        for (const engine::Variant& variant : engine::variantsOf(method))
            variants.emplace_back("    " + variant.id,
                                  variant.summary + (variant.source.empty() ? "" : " (" + variant.source + ")"));
        if (!variants.empty())
            std::cout << "  variants\n" << listing(variants);
        std::cout << '\n';
    }
    for (std::size_t k = 0; k < reasons.size(); ++k)
        std::cout << "(" << k + 1 << ") " << reasons[k] << "\n";
    if (!reasons.empty())
        std::cout << '\n';
    listOpenClDevices();
    if (!engine::measuredSpeeds()->empty())
        std::cout << "`auto` goes by the speeds in '" << plain(engine::measuredSpeedsFile().string())
                  << "', measured by `tune`.\n";
    for (const engine::Text& problem : engine::cacheProblems())
        std::cout << words(problem) << '\n';
    std::cout << "Variants are for comparisons (--variant of reconstruct, benchmark and verify).\n";
    if (!engine::cuda::aluTuningsBuilt)
        std::cout << "Of the variants of alu, this build has only square-tile; CMake with\n"
                     "-DSINOSCOPE_TUNINGS=ON builds the others.\n";
    return 0;
}

} // namespace

Command methodsCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("methods", "List the back-projection methods, and which of them work on this machine");
    command->footer("Examples:\n"
                    "  sinoscope-cli methods\n"
                    "  sinoscope-cli methods --json - | jq '.[].id'");
    const auto json = std::make_shared<std::string>();
    const auto overwrite = std::make_shared<bool>(false);
    addJson(*command, *json, *overwrite);
    return {command, [json, overwrite](std::stop_token) { return listMethods(*json, *overwrite); }};
}

} // namespace cli
