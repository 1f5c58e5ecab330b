// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the images show them: a few significant digits, a true minus sign, "NaN" as it is.
#pragma once

#include <QString>

namespace ui
{

// Writes 0.02130, 153.2, 1.000e−4: fixed notation from 0.001 to 99 999, scientific elsewhere.
QString valueText(double value, int significantDigits = 4);

// Parses text typed by a user: accepts −, a decimal comma, and e or E. Returns NaN if it is no number.
double valueFromText(const QString& text);

} // namespace ui
