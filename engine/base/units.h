// SPDX-License-Identifier: GPL-3.0-or-later
// Units as files write them, and conversions between them.
#pragma once

#include <optional>
#include <string>

namespace engine
{

std::optional<double> mmPerUnit(const std::string& length); // for "um", "metre", …; nothing for unknown units

std::optional<double> keVPerUnit(const std::string& energy); // for "eV", "keV", "MeV", "J"; nothing for unknown units

// Converts a length between units known to mmPerUnit(). The result is the double nearest to the decimal number: 1.5
// µm are 0.0015 mm.
double lengthIn(double length, const std::string& from, const std::string& to);

// Parses "1.5um", "0.002 mm" or "4" (in `unit`). Returns the length in `unit`, which mmPerUnit() must know. Throws
// Error(badRequest) that names `what` and the text.
double lengthFromText(const std::string& text, const std::string& what, const std::string& unit);

// Returns 30 instead of 29.999999999999996: rounds if the rounded angle is the same in radians to the last bit.
double degreesFromRad(double rad);

// Returns the factor that converts values per length: 0.1 from "1/cm" to "1/mm"; also for "cm^-1" and "1/pixel".
// Nothing if either unit is unknown.
std::optional<double> inverseLengthFactor(const std::string& from, const std::string& to,
                                          std::optional<double> pixelSizeMm);

} // namespace engine
