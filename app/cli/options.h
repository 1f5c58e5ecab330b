// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands share, and checks whose message names the option.
#pragma once

#include "engine/base/number_text.h"
#include "engine/options/options.h"
#include "engine/request/setting.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace CLI
{
class App;
class Option;
class Validator;
} // namespace CLI

namespace cli
{

// The option's text must be taken by `parse`; the message of its engine::Error becomes the option's.
CLI::Validator takenBy(std::function<void(const std::string&)> parse);

// Whole numbers from `least` to `most`; `hint` ends the message, such as "leave it out for all cores".
CLI::Validator wholeNumber(long long least, long long most, const std::string& hint = {});
CLI::Validator realNumber(double least, double most, bool leastIncluded = true);

CLI::Validator oneOf(std::vector<std::string> words);

// "a|b|c": shown as the option's value in the help, and completed by the shell.
std::string choices(const std::vector<std::string>& names);
std::vector<std::string> methodIds();

// A row of the engine's table as --id; its default is what `text` holds.
CLI::Option* addOption(CLI::App& command, const engine::Option& option, std::string& text);
// How projections are prepared: texts of those rows by id, empty where they aren't given.
using PreparationTexts = std::map<std::string, std::string>;
void addPreparation(CLI::App& command, PreparationTexts& texts);
void setPreparation(engine::Request& request, const PreparationTexts& texts);
// That the steps that --step-order names, as it was given, are on. Throws Error(badRequest).
void requireStepsInOrder(const engine::Request& request, const std::string& given);
// To be judged in place of one whose tilt is to be found.
engine::Request withSomeTilt(engine::Request request);
CLI::Option* addThreads(CLI::App& command, int& threads);
CLI::Option* addDevice(CLI::App& command, std::string& device);
CLI::Option* addGeometry(CLI::App& command, std::string& geometry); // of methods, where there is no scan
CLI::Option* addMethods(CLI::App& command, std::vector<std::string>& methods);
// --variant, and --alu-tuning for those of `alu`: what Kernel::variant is to be.
void addVariant(CLI::App& command, std::string& variant);
// --json, and --overwrite, which is for all that the command writes.
void addJson(CLI::App& command, std::string& target, bool& overwrite);
CLI::Option* addRegion(CLI::App& command, std::string& region, const std::string& description);

using engine::integerFromText;
using engine::realFromText;

// Paths by the names of their options, empty ones left out. Throws Error(badRequest) when two are the
// same file: one would destroy the other.
// Throws Error(badRequest) for an empty path after --output; CLI11 takes "" for a value.
CLI::Validator notEmpty();

void requireDistinct(const std::vector<std::pair<std::string, std::string>>& pathsByOption);

// Throws Error(device) when the GPU that is asked for isn't there, with the driver's reason.
void requireDevice(const engine::DeviceSettings& device);

} // namespace cli
