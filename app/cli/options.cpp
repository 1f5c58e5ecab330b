// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include "app/cli/text.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/prepare/step_order.h"
#include "engine/stages/stages.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace cli
{

using engine::Error;
using engine::ErrorKind;

CLI::Validator takenBy(std::function<void(const std::string&)> parse)
{
    return CLI::Validator(
        [parse = std::move(parse)](std::string& text) {
            try {
                parse(text);
            } catch (const Error& error) {
                return error.text().in(engine::commandLineStyle());
            }
            return std::string();
        },
        "");
}

CLI::Validator wholeNumber(long long least, long long most, const std::string& hint)
{
    return takenBy([=](const std::string& text) {
        const long long value = integerFromText(text, "value");
        if (value < least || value > most)
            throw Error(ErrorKind::badRequest, "value " + text + " is not between " + std::to_string(least) + " and " +
                                                   std::to_string(most) + (hint.empty() ? "" : "; " + hint));
    });
}

CLI::Validator realNumber(double least, double most, bool leastIncluded)
{
    return takenBy([=](const std::string& text) {
        const double value = realFromText(text, "value");
        if (leastIncluded ? value >= least && value <= most : value > least && value <= most)
            return;
        throw Error(ErrorKind::badRequest, "value " + text + " must be " +
                                               (leastIncluded ? "at least " : "greater than ") + number(least) +
                                               " and at most " + number(most));
    });
}

CLI::Validator oneOf(std::vector<std::string> words)
{
    return takenBy([words = std::move(words)](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) == words.end())
            throw Error(ErrorKind::badRequest, "unknown value '" + text + "'; choose one of " + joined(words, ", "));
    });
}

std::string choices(const std::vector<std::string>& names)
{
    return joined(names, "|");
}

std::vector<std::string> methodIds()
{
    std::vector<std::string> ids;
    for (const engine::Method& method : engine::methods())
        if (std::ranges::find(ids, method.id) == ids.end()) // methods of different geometries may share an id
            ids.push_back(method.id);
    return ids;
}

namespace
{

// Throws if a device is named twice. `given` is the user's text; "cuda" is the first GPU.
void requireDevicesOnce(const engine::Resources& resources, const std::string& given)
{
    std::vector<engine::DeviceSettings> all = resources.others;
    all.insert(all.begin(), resources.device);
    for (auto one = all.begin(); one != all.end(); ++one)
        if (std::find(std::next(one), all.end(), *one) != all.end()) {
            engine::Resources alone;
            alone.device = *one;
            throw Error(ErrorKind::badRequest, "'" + given + "' names " + engine::devicesToText(alone) +
                                                   " more than once; name each device once");
        }
}

} // namespace

// Returns "-f," of an option that is often typed.
static std::string shortNameOf(const engine::Option& option)
{
    for (const auto& [id, name] : {std::pair("filter", "-f,"), std::pair("axis", "-a,"), std::pair("method", "-m,")})
        if (option.id == std::string(id))
            return name;
    return {};
}

CLI::Validator inAnyCase(const std::vector<engine::FieldChoice>& choices)
{
    return {[&choices](std::string& text) {
                const auto same = [&](const engine::FieldChoice& choice) {
                    return engine::lowerCase(choice.id) == engine::lowerCase(text);
                };
                if (const auto choice = std::ranges::find_if(choices, same); choice != choices.end())
                    text = choice->id;
                return std::string();
            },
            ""};
}

CLI::Option* addOption(CLI::App& command, const engine::Option& option, std::string& text)
{
    const std::string name = std::string("--") + option.id;
    const bool isFlag = option.kind == engine::FieldKind::boolean; // accepts --id and --id=false
    CLI::Option* added =
        isFlag
            ? command.add_flag(name, text, option.summary)
            : command.add_option(shortNameOf(option) + name, text, option.summary)->type_name(engine::formOf(option));
    if (!isFlag)
        added->transform(inAnyCase(option.choices));
    added->check(takenBy([&option](const std::string& given) {
        engine::require(!given.empty(),
                        std::string("the value is empty; leave the option out to let the program choose"));
        engine::Request request;
        engine::setField(option, request, given);
        requireDevicesOnce(request.resources, given);
    }));
    if (*option.group)
        added->group(option.group);
    if (!text.empty() && !isFlag)
        added->capture_default_str();
    return added;
}

void addPreparation(CLI::App& command, PreparationTexts& texts)
{
    const engine::Request standard;
    for (const engine::Option& row : engine::options())
        if (row.use.ofSetting && row.use.stage == engine::Stage::prepare) {
            std::string& text = texts[row.id];
            text = row.get(standard);
            addOption(command, row, text);
            text.clear(); // the help shows the default; the text stays empty unless the option is given
        }
}

void setPreparation(engine::Request& request, const PreparationTexts& texts)
{
    for (const engine::Option& row : engine::options())
        if (const auto given = texts.find(row.id); given != texts.end() && !given->second.empty())
            engine::setField(row, request, given->second);
}

void requireStepsInOrder(const engine::Request& request, const std::string& given)
{
    if (const auto off = engine::offInOrder(given, engine::preparationOf(request)))
        throw Error(ErrorKind::badRequest, "--step-order: " + *off);
}

engine::Request withSomeTilt(engine::Request request)
{
    engine::setField(engine::option("axis-tilt"), request, "1");
    return request;
}

CLI::Option* addThreads(CLI::App& command, int& threads)
{
    const engine::Option& option = engine::option("threads");
    return command.add_option("--threads", threads, option.summary)
        ->type_name(option.form)
        ->check(wholeNumber(static_cast<long long>(option.least), static_cast<long long>(option.most),
                            "leave it out to use all cores"));
}

CLI::Option* addDevice(CLI::App& command, std::string& device)
{
    return addOption(command, engine::option("device"), device);
}

CLI::Option* addGeometry(CLI::App& command, std::string& geometry)
{
    std::vector<std::string> ids;
    for (const engine::GeometryKind& kind : engine::geometryKinds())
        ids.push_back(kind.id);
    return command.add_option("--geometry", geometry)->type_name(choices(ids))->check(oneOf(ids));
}

CLI::Option* addMethods(CLI::App& command, std::vector<std::string>& methods)
{
    return command.add_option("--methods", methods, "Only these methods, separated by commas")
        ->delimiter(',')
        ->type_name(choices(methodIds()))
        ->check(oneOf(methodIds()));
}

void addVariant(CLI::App& command, std::string& variant)
{
    CLI::Option* any = addOption(command, engine::option("variant"), variant)->group("Options");
    const engine::Option& tuning = engine::option("alu-tuning");
    const auto parsed = [&tuning](const std::string& text) {
        engine::Request request;
        engine::setField(tuning, request, text);
        return request.setting.kernel.variant;
    };
    command
        .add_option_function<std::string>(
            std::string("--") + tuning.id, [parsed, &variant](const std::string& text) { variant = parsed(text); },
            tuning.summary)
        ->type_name(engine::formOf(tuning))
        ->check(takenBy(parsed))
        ->excludes(any);
}

void addJson(CLI::App& command, std::string& target, bool& overwrite)
{
    command.add_flag("--overwrite", overwrite, "Replace existing files");
    command.add_option("--json", target, "Write a report as JSON; - is standard output, which then has nothing else")
        ->type_name("FILE")
        ->check(notEmpty());
}

int countFromText(const std::string& text, const std::string& what, int most)
{
    const long long value = integerFromText(text, what);
    engine::require(value >= 1 && value <= most, what + " " + text + " is not between 1 and " + std::to_string(most));
    return static_cast<int>(value);
}

std::pair<int, int> sizesFromText(const std::string& text, const std::string& what, int most)
{
    const std::size_t cross = text.find('x');
    const int first = countFromText(text.substr(0, cross), what, most);
    return {first, cross == std::string::npos ? first : countFromText(text.substr(cross + 1), what, most)};
}

void addLoading(CLI::App& command, std::string& loading)
{
    command
        .add_option("--loading", loading,
                    "Each rank reads the detector rows that it needs (bands), or a share of the projections, which the "
                    "ranks exchange (exchanged), so that each projection is read once")
        ->type_name("bands|exchanged")
        ->check(oneOf({"bands", "exchanged"}))
        ->capture_default_str();
}

CLI::Option* addRegion(CLI::App& command, std::string& region, const std::string& description)
{
    return command.add_option("--region", region, description)
        ->type_name("X,Y,W,H")
        ->check(takenBy(engine::regionFromText));
}

CLI::Validator notEmpty()
{
    return takenBy([](const std::string& text) {
        if (text.empty())
            throw Error(ErrorKind::badRequest, "the name is empty");
    });
}

void requireDistinct(const std::vector<std::pair<std::string, std::string>>& pathsByOption)
{
    namespace fs = std::filesystem;
    const auto same = [](const fs::path& a, const fs::path& b) {
        std::error_code error; // the working folder may no longer exist
        const fs::path wholeA = fs::absolute(a, error), wholeB = fs::absolute(b, error);
        if (error)
            return a.lexically_normal() == b.lexically_normal();
        return fs::equivalent(a, b, error) ||
               fs::weakly_canonical(wholeA, error) == fs::weakly_canonical(wholeB, error);
    };
    for (auto one = pathsByOption.begin(); one != pathsByOption.end(); ++one)
        for (auto other = pathsByOption.begin(); other != one; ++other)
            if (!one->second.empty() && !other->second.empty() && same(one->second, other->second))
                throw Error(ErrorKind::badRequest,
                            one->first + ": '" + one->second + "' is " + other->first + " too; name another file");
}

} // namespace cli
