#include "app/cli/options.h"

#include "app/cli/text.h"
#include "engine/backproject/cuda/tuning.h"
#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

namespace cli
{

using engine::Error;
using engine::ErrorKind;

namespace
{

template <typename T>
T numberFromText(const std::string& text, const std::string& what, const char* kind)
{
    T value{};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end)
        throw Error(ErrorKind::badRequest, what + " '" + text + "' is not a " + kind);
    return value;
}

} // namespace

long long integerFromText(const std::string& text, const std::string& what)
{
    return numberFromText<long long>(text, what, "whole number");
}

double realFromText(const std::string& text, const std::string& what)
{
    const double value = numberFromText<double>(text, what, "number");
    if (!std::isfinite(value))
        throw Error(ErrorKind::badRequest, what + " '" + text + "' is not finite");
    return value;
}

CLI::Validator takenBy(std::function<void(const std::string&)> parse)
{
    return CLI::Validator(
        [parse = std::move(parse)](std::string& text) {
            try {
                parse(text);
            } catch (const Error& error) {
                return std::string(error.what());
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
        const bool open = most == std::numeric_limits<double>::max();
        throw Error(ErrorKind::badRequest, "value " + text + " must be " +
                                               (leastIncluded ? "at least " : "greater than ") + number(least) +
                                               (open ? std::string() : " and at most " + number(most)));
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
        ids.push_back(method.id);
    return ids;
}

CLI::Option* addThreads(CLI::App& command, int& threads)
{
    return command.add_option("--threads", threads, "Threads of the processor; all cores when left out")
        ->type_name("T")
        ->check(wholeNumber(1, 4096, "leave it out to use all cores"));
}

CLI::Option* addDevice(CLI::App& command, std::string& device)
{
    return command.add_option("--device", device, "Where to compute: auto, cpu, cuda or cuda:N")
        ->type_name("auto|cpu|cuda[:N]")
        ->check(takenBy([](const std::string& text) { engine::deviceFromText(text); }))
        ->capture_default_str();
}

CLI::Option* addMethods(CLI::App& command, std::vector<std::string>& methods)
{
    return command.add_option("--methods", methods, "Only these methods, separated by commas")
        ->delimiter(',')
        ->type_name(choices(methodIds()))
        ->check(oneOf(methodIds()));
}

std::vector<std::string> aluTunings()
{
    std::vector<std::string> names;
    for (const auto& variant : engine::cuda::aluVariants)
        names.push_back(variant.id);
    return names;
}

CLI::Option* addAluTuning(CLI::App& command, std::string& tuning)
{
    return command
        .add_option("--alu-tuning", tuning,
                    "How method alu caches and rounds: one choice made otherwise, where it is in the build "
                    "(sinoscope-cli methods explains them)")
        ->type_name(choices(aluTunings()))
        ->check(oneOf(aluTunings()))
        ->capture_default_str();
}

CLI::Option* addJson(CLI::App& command, std::string& target)
{
    return command
        .add_option("--json", target, "Write a report as JSON; - is standard output, with nothing else on it")
        ->type_name("FILE")
        ->check(notEmpty());
}

CLI::Option* addRegion(CLI::App& command, std::string& region, const std::string& description)
{
    return command.add_option("--region", region, description)->type_name("X,Y,W,H")->check(takenBy(regionFromText));
}

engine::Region regionFromText(const std::string& text)
{
    std::vector<int> values;
    for (const std::string& part : CLI::detail::split(text, ',')) {
        const long long value = integerFromText(part, "region");
        values.push_back(value >= 0 && value <= 1'000'000 ? static_cast<int>(value) : -1);
    }
    if (values.size() != 4 || values[0] < 0 || values[1] < 0 || values[2] < 1 || values[3] < 1)
        throw Error(ErrorKind::badRequest, "bad region '" + text +
                                               "'; give X,Y,W,H in pixels: left column, top row (from 0), width and "
                                               "height (from 1)");
    return {values[0], values[1], values[2], values[3]};
}

double bytesFromText(const std::string& text)
{
    static const std::string units = "KMGT";
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    std::string unit = text.substr(std::min(text.find_first_not_of(' ', end), text.size()));
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::size_t power = unit.empty() ? std::string::npos : units.find(unit.front());
    const bool known =
        power != std::string::npos && (unit.size() == 1 || unit.substr(1) == "B" || unit.substr(1) == "IB");
    const double value = known && end > 0 ? realFromText(text.substr(0, end), "size") : 0;
    if (!(value > 0))
        throw Error(ErrorKind::badRequest, "bad size '" + text + "'; give it with a unit, as 800M or 12G");
    return value * std::pow(1024.0, static_cast<double>(power) + 1);
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
        std::error_code error;
        return fs::equivalent(a, b, error) ||
               fs::weakly_canonical(fs::absolute(a), error) == fs::weakly_canonical(fs::absolute(b), error);
    };
    for (auto one = pathsByOption.begin(); one != pathsByOption.end(); ++one)
        for (auto other = pathsByOption.begin(); other != one; ++other)
            if (!one->second.empty() && !other->second.empty() && same(one->second, other->second))
                throw Error(ErrorKind::badRequest,
                            one->first + ": '" + one->second + "' is " + other->first + " too; name another file");
}

void requireDevice(const engine::DeviceSettings& device)
{
    if (device.kind != engine::DeviceSettings::Kind::cuda)
        return;
    const engine::CudaDevices found = engine::cudaDevices();
    for (const engine::CudaDevice& one : found.devices)
        if (one.index == device.index)
            return;
    throw Error(ErrorKind::device,
                "no usable NVIDIA GPU " + std::to_string(device.index) +
                    (found.reason.empty() ? std::string() : " (" + found.reason + ")") + "; use --device cpu" +
                    (found.devices.empty() ? "" : " or a GPU from 0 to " + std::to_string(found.devices.back().index)));
}

} // namespace cli
