// SPDX-License-Identifier: GPL-3.0-or-later
// A field for a length.
#pragma once

#include "ui/widgets/measure_box.h"

#include <optional>

class QLocale;

namespace ui
{

// A length typed with or without its unit (nm, µm, mm, cm, m), in `unit`: "1.5um" is 0.0015 in "mm". "bins" is a unit
// where their size is known, or where `unit` is " bins" itself; then no other is. Nothing where the text isn't one.
std::optional<double> lengthOf(const QString& text, const QString& unit, const QLocale& locale,
                               std::optional<double> binMm = {});

// Whether it can become one by more letters: "1.5 u".
bool mayBecomeLength(const QString& text);

// Shows its unit and takes any; value() counts in that which it shows.
class LengthBox : public MeasureBox
{
  public:
    LengthBox(const QString& unit, double least, double most, double step);

    void setUnit(const QString& unit, std::optional<double> binMm = {}); // the value isn't converted

    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;

  private:
    QString m_unit;
    std::optional<double> m_binMm;
};

} // namespace ui
