// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands share, and validators whose messages name the option.
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

// Returns a validator that calls `parse` with the text; the message of an engine::Error becomes that of the option.
CLI::Validator takenBy(std::function<void(const std::string&)> parse);

// Turns a choice in any case into its id.
CLI::Validator inAnyCase(const std::vector<engine::FieldChoice>& choices);

// Accepts whole numbers from `least` to `most`; `hint` is appended to the message, such as "leave it out for all
// cores".
CLI::Validator wholeNumber(long long least, long long most, const std::string& hint = {});
CLI::Validator realNumber(double least, double most, bool leastIncluded = true);

CLI::Validator oneOf(std::vector<std::string> words);

// Returns "a|b|c": shown as the option's value in the help, and completed by the shell.
std::string choices(const std::vector<std::string>& names);
std::vector<std::string> methodIds();

// Adds a row of the engine's table as --id; the text in `text` is its default.
CLI::Option* addOption(CLI::App& command, const engine::Option& option, std::string& text);
// Texts of the preparation options by id; empty where not given.
using PreparationTexts = std::map<std::string, std::string>;
void addPreparation(CLI::App& command, PreparationTexts& texts);
void setPreparation(engine::Request& request, const PreparationTexts& texts);
// Checks that the steps named by --step-order are switched on; `given` is its text. Throws Error(badRequest).
void requireStepsInOrder(const engine::Request& request, const std::string& given);
// Returns the request with an arbitrary tilt (1°), for validation while the real tilt is not yet known.
engine::Request withSomeTilt(engine::Request request);
CLI::Option* addThreads(CLI::App& command, int& threads);
CLI::Option* addDevice(CLI::App& command, std::string& device);
CLI::Option* addGeometry(CLI::App& command, std::string& geometry); // whose methods to benchmark or verify
CLI::Option* addMethods(CLI::App& command, std::vector<std::string>& methods);
// Adds --variant, and --alu-tuning for the variants of `alu`; both set Kernel::variant.
void addVariant(CLI::App& command, std::string& variant);
// Adds --json, and --overwrite, which covers all files that the command writes.
void addJson(CLI::App& command, std::string& target, bool& overwrite);
void addLoading(CLI::App& command, std::string& loading); // of the projections by ranks
CLI::Option* addRegion(CLI::App& command, std::string& region, const std::string& description);

// Parse "A", and "A" or "AxB", whose second number equals the first where it is not given. Numbers are between 1 and
// most. Throw Error(badRequest) that names `what`.
int countFromText(const std::string& text, const std::string& what, int most);
std::pair<int, int> sizesFromText(const std::string& text, const std::string& what, int most = 65536);

using engine::integerFromText;
using engine::realFromText;

// Rejects an empty path after --output, which CLI11 accepts as a value. Throws Error(badRequest).
CLI::Validator notEmpty();

// Throws Error(badRequest) when two of the paths are the same file, since one would overwrite the other. The paths
// are given with the names of their options; empty paths are ignored.
void requireDistinct(const std::vector<std::pair<std::string, std::string>>& pathsByOption);

} // namespace cli
