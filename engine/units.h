// Units as files write them, by what they are of each other.
#pragma once

#include <optional>
#include <string>

namespace engine
{

std::optional<double> mmPerUnit(const std::string& length); // "um", "metre"; nothing for unknown ones

// What values per one length are times, to be per another: 0.1 from "1/cm" to "1/mm"; "cm^-1" and "1/pixel" too.
// Nothing where either is unknown.
std::optional<double> inverseLengthFactor(const std::string& from, const std::string& to,
                                          std::optional<double> pixelSizeMm);

} // namespace engine
