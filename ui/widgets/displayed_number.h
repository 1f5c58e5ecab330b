// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers formatted for reading: sensible digits, thin spaces, true minus signs. The decimal separator is always a
// point, so that a shown number can be typed back and compared with files.
#pragma once

#include "engine/compare/metrics.h"

#include <QString>

namespace ui
{

QString groupedText(long long value);              // "4 094", thin no-break spaces
QString gupsText(double gups);                     // "0.84", "12.3", "4 094"; "–" if unknown
QString secondsText(double seconds);               // "0.42 ms", "12.3 ms", "1.24 s", "3.3 min"
QString timeLeftText(double seconds);              // "12 s left", "3 min left"; same width from 1 to 99 s
QString fourDigitsText(double value);              // four digits: "0.02130", "2.100e−4"; "–" if not finite
QString significantText(double value, int digits); // plain if that is short, otherwise with an exponent
QString powerText(double value, int digits);       // "2.10e−4", "1.00e0"
QString errorText(double value);                   // three digits: "2.10e−4", "0.0123"
QString decibelText(double value);                 // "61.2", "∞" if the images are equal
QString ssimText(double value);                    // "0.9998", never rounded up to 1
QString metricText(const engine::MetricRow& row, const engine::Metrics& metrics); // in the row's form
QString powerOfTenText(int exponent);                                             // "10⁻⁶"

} // namespace ui
