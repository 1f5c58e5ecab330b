// SPDX-License-Identifier: GPL-3.0-or-later
// Where a logarithmic axis has its ticks, and what they say.
#pragma once

#include <QString>
#include <QVector>

namespace ui
{

// 1, 2 and 5 of each power of ten, or powers alone where they are many; as few as fit. None where lower isn't above 0.
QVector<double> logTicks(double lower, double upper);
QString logTickText(double tick, bool asPower); // "0.5" or "5·10⁻¹"; what is very large or small is a power anyway

} // namespace ui
