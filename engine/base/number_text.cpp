// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/number_text.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace engine
{

namespace
{

template <typename T>
T fromText(const std::string& text, const std::string& what, const char* kind)
{
    T value{};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end)
        throw Error(ErrorKind::badRequest, what + " '" + text + "' is not a " + kind);
    return value;
}

constexpr double largestSize = 1e18;

constexpr const char* byteUnits = "BKMGT"; // powers of 1000, or with "iB" of 1024

// Returns the largest power of the base that divides the number of bytes.
int wholePower(double bytes, double base)
{
    int power = 0;
    while (power < 4 && bytes >= base && std::fmod(bytes, base) == 0) {
        bytes /= base;
        ++power;
    }
    return power;
}

} // namespace

long long integerFromText(const std::string& text, const std::string& what)
{
    return fromText<long long>(text, what, "whole number");
}

double realFromText(const std::string& text, const std::string& what)
{
    const double value = fromText<double>(text, what, "number");
    if (!std::isfinite(value))
        throw Error(ErrorKind::badRequest, what + " '" + text + "' is not finite");
    return value;
}

double realWithin(const std::string& text, const std::string& what, double least, double most)
{
    const double value = realFromText(text, what);
    require(value >= least && value <= most,
            what + " '" + text + "' is not between " + numberToText(least) + " and " + numberToText(most));
    return value;
}

double bytesFromText(const std::string& text)
{
    const std::string units = byteUnits;
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    std::string unit = text.substr(std::min(text.find_first_not_of(' ', end), text.size()));
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::size_t power = unit.empty() ? std::string::npos : units.find(unit.front());
    const bool known = power != std::string::npos &&
                       (unit.size() == 1 || (power > 0 && (unit.substr(1) == "B" || unit.substr(1) == "IB")));
    const double value = known && end > 0 ? realFromText(text.substr(0, end), "size") : 0;
    if (!(value > 0))
        throw Error(ErrorKind::badRequest, "bad size '" + text + "'; give it with a unit, such as 800M, 12GB or 12GiB");
    const double bytes = value * std::pow(unit.ends_with("IB") ? 1024.0 : 1000.0, static_cast<double>(power));
    require(bytes >= 1 && bytes <= largestSize,
            "size '" + text + "' is not between 1B and " + bytesToText(largestSize));
    return bytes;
}

std::string bytesToText(double bytes)
{
    const int decimal = wholePower(bytes, 1000), binary = wholePower(bytes, 1024);
    const double thousands = bytes / std::pow(1000.0, decimal), kibi = bytes / std::pow(1024.0, binary);
    if (kibi < thousands)
        return numberToText(kibi) + byteUnits[binary] + "iB";
    return numberToText(thousands) + byteUnits[decimal];
}

std::string sizeText(double bytes)
{
    constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit)
        bytes /= 1000;
    const double step = unit == 0 || bytes >= 99.95 ? 1 : bytes >= 9.995 ? 10 : 100;
    return numberToText(std::round(bytes * step) / step) + " " + units[unit];
}

std::string numberToText(double value)
{
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string listed(const std::vector<std::string>& items, const std::string& last)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 < items.size() ? ", " : last) + items[i];
    return text;
}

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

} // namespace engine
