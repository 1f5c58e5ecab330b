// SPDX-License-Identifier: GPL-3.0-or-later
// A field for a length.
#pragma once

#include "ui/widgets/measure_box.h"

#include <optional>

namespace ui
{

// Reads a length with or without a unit (nm, µm, mm, cm, m), and returns it in `unit`: "1.5um" is 0.0015 in "mm". The
// unit "bins" is valid if the size of a bin is known, or if `unit` is " bins"; then it is the only valid one. Returns
// nothing if the text is not a length.
std::optional<double> lengthOf(const QString& text, const QString& unit, std::optional<double> binMm = {});

// Returns whether the text may become a length when more is typed: "1.5 u".
bool mayBecomeLength(const QString& text);

// Shows one unit, but accepts any; value() is in the shown unit.
class LengthBox : public MeasureBox
{
  public:
    LengthBox(const QString& unit, double least, double most, double step);

    void setUnit(const QString& unit, std::optional<double> binMm = {}); // doesn't convert the value

    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;

  private:
    QString m_unit;
    std::optional<double> m_binMm;
};

} // namespace ui
