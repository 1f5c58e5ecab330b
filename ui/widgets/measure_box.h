// SPDX-License-Identifier: GPL-3.0-or-later
// A field for a length or an angle.
#pragma once

#include <QDoubleSpinBox>
#include <QWheelEvent>

namespace ui
{

// Shows no superfluous decimals. The minimum stands for "no value". The wheel changes the value only if the box has
// the focus.
class MeasureBox : public QDoubleSpinBox
{
  public:
    MeasureBox(const QString& suffix, double least, double most, int decimals, double step)
    {
        setDecimals(decimals);
        setRange(least, most);
        setSingleStep(step);
        setSuffix(suffix);
        setKeyboardTracking(false);
        setFocusPolicy(Qt::StrongFocus);
        setMinimumWidth(40); // long numbers don't widen the panel
    }

    QString textFromValue(double value) const override
    {
        QString text = QDoubleSpinBox::textFromValue(value);
        const QString point = locale().decimalPoint();
        if (text.contains(point))
            while (text.endsWith(locale().zeroDigit()))
                text.chop(1);
        if (text.endsWith(point))
            text.chop(point.size());
        return text;
    }

  protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (hasFocus())
            QDoubleSpinBox::wheelEvent(event);
        else
            event->ignore();
    }
};

} // namespace ui
