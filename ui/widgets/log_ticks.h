// SPDX-License-Identifier: GPL-3.0-or-later
// Positions and labels of the ticks of a logarithmic axis.
#pragma once

#include <QString>
#include <QVector>

namespace ui
{

// Returns 1, 2 and 5 times each power of ten, or only powers if there are many, or only every n-th power. None if
// lower isn't positive.
QVector<double> logTicks(double lower, double upper);
QString logTickText(double tick, bool asPower); // "0.5" or "5·10⁻¹"; very large or small numbers always as powers

} // namespace ui
