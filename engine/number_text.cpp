#include "engine/number_text.h"

#include "engine/error.h"

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

constexpr const char* byteUnits = "BKMGT"; // powers of 1024

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
        throw Error(ErrorKind::badRequest, "bad size '" + text + "'; give it with a unit, as 800M or 12G");
    return value * std::pow(1024.0, static_cast<double>(power));
}

std::string bytesToText(double bytes)
{
    int power = 0;
    while (power < 4 && bytes >= 1024 && std::fmod(bytes, 1024) == 0) {
        bytes /= 1024;
        ++power;
    }
    return numberToText(bytes) + byteUnits[power];
}

std::string numberToText(double value)
{
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

} // namespace engine
