// SPDX-License-Identifier: GPL-3.0-or-later
// Units as files write them, by what they are of each other.
#pragma once

#include <optional>
#include <string>

namespace engine
{

std::optional<double> mmPerUnit(const std::string& length); // "um", "metre"; nothing for unknown ones

// A length of `from` in `to`, both known to mmPerUnit. The same double as the decimal number has: 1.5 µm are 0.0015 mm.
double lengthIn(double length, const std::string& from, const std::string& to);

// "1.5um", "0.002 mm" or "4", a number of `unit`; the result is in `unit`, which mmPerUnit knows. Throws
// Error(badRequest) that names `what` and the text.
double lengthFromText(const std::string& text, const std::string& what, const std::string& unit);

// 30, not 29.999999999999996: rounded where that means the same angle, to the last bit of its radians.
double degreesFromRad(double rad);

// What values per one length are times, to be per another: 0.1 from "1/cm" to "1/mm"; "cm^-1" and "1/pixel" too.
// Nothing where either is unknown.
std::optional<double> inverseLengthFactor(const std::string& from, const std::string& to,
                                          std::optional<double> pixelSizeMm);

} // namespace engine
