// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/backends/devices.h"
#include "engine/backends/measured_speeds.h"
#include "engine/backends/support.h"
#include "engine/base/own_file.h"
#include "engine/documents/report.h"

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

// Lists the devices with what they lack.
void listDevices(const engine::Backend& backend)
{
    const engine::Devices& found = backend.devices();
    std::vector<std::pair<std::string, std::string>> rows;
    for (const engine::Device& device : found.devices)
        rows.emplace_back(std::string("  ") + backend.id + ":" + std::to_string(device.index),
                          device.name + ", " + device.details +
                              (device.unusable.empty() ? "" : "; can't be used: " + device.unusable));
    if (!rows.empty())
        std::cout << backend.deviceLabel << "s\n" << listing(rows);
    if (!found.reason.empty() && (!backend.isAutomatic || !rows.empty())) // else the methods gave it
        std::cout << backend.deviceLabel << "s: " << found.reason << '\n';
}

// Prints all that is known about a method.
void describe(const engine::Method& method, const std::string& usable)
{
    const engine::MethodSupport support = engine::supportOf(method);
    std::cout << method.id << ": " << method.label << "\n  " << method.summary << '\n'
              << listing({{"  device", method.backend->id},
                          {"  geometry", names(engine::geometriesOf(method))},
                          {"  interpolation", names(support.interpolations)},
                          {"  precision", names(support.precisions)},
                          {"  slices per pass", names(method.slicesPerPass)},
                          {"  reference", method.reference},
                          {"  usable here", usable}});
    std::vector<std::pair<std::string, std::string>> variants;
    for (const engine::Variant& variant : engine::variantsOf(method))
        variants.emplace_back("    " + variant.id,
                              variant.summary + (variant.source.empty() ? "" : " (" + variant.source + ")"));
    if (!variants.empty())
        std::cout << "  variants\n" << listing(variants);
    std::cout << '\n';
}

int listMethods(const std::string& json, bool overwrite, bool details)
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
    const auto usable = [&](const engine::MethodSupport& support) {
        return support.unusable ? numbered(*support.unusable) : std::string("yes");
    };
    if (details)
        for (const engine::Method& method : engine::methods())
            describe(method, usable(engine::supportOf(method)));
    else {
        std::vector<std::vector<std::string>> rows{{"method", "device", "geometry", "interpolation", "precision",
                                                    "slices per pass", "variants", "usable here"}};
        for (const engine::Method& method : engine::methods()) {
            const engine::MethodSupport support = engine::supportOf(method);
            rows.push_back({method.id, method.backend->id, names(engine::geometriesOf(method)),
                            names(support.interpolations), names(support.precisions), names(method.slicesPerPass),
                            std::to_string(engine::variantsOf(method).size()), usable(support)});
        }
        std::cout << table(rows) << '\n';
    }
    for (std::size_t k = 0; k < reasons.size(); ++k)
        std::cout << "(" << k + 1 << ") " << reasons[k] << "\n";
    if (!reasons.empty())
        std::cout << '\n';
    for (const engine::Backend* backend : engine::backends())
        if (!backend->isProcessor)
            listDevices(*backend);
    std::cout << '\n';
    if (!engine::measuredSpeeds()->empty())
        std::cout << "`auto` goes by the speeds in '" << plain(engine::measuredSpeedsFile().string())
                  << "', measured by `tune`.\n";
    for (const engine::Text& problem : engine::cacheProblems())
        std::cout << words(problem) << '\n';
    std::cout << "Variants are for comparisons (--variant of reconstruct, benchmark and verify)"
              << (details ? ".\n" : "; --variants lists them with their sources.\n");
    for (const engine::Backend* backend : engine::backends())
        if (const std::string lacking = backend->lacking; !lacking.empty())
            std::cout << lacking << '\n';
    return 0;
}

} // namespace

Command methodsCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("methods", "List the back-projection methods, and which of them work on this machine");
    command->footer("Examples:\n"
                    "  sinoscope-cli methods\n"
                    "  sinoscope-cli methods --variants\n"
                    "  sinoscope-cli methods --json - | jq '.[].id'");
    const auto json = std::make_shared<std::string>();
    const auto overwrite = std::make_shared<bool>(false), details = std::make_shared<bool>(false);
    command->add_flag("--variants", *details, "Describe each method, with its reference and all its variants");
    addJson(*command, *json, *overwrite);
    return {command, [json, overwrite, details](std::stop_token) { return listMethods(*json, *overwrite, *details); }};
}

} // namespace cli
