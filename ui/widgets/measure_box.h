// SPDX-License-Identifier: GPL-3.0-or-later
// A field for a length or an angle.
#pragma once

#include "ui/widgets/number_box.h"

#include <QWheelEvent>

namespace ui
{

// Shows no superfluous decimals. The minimum stands for "no value". The wheel changes the value only if the box has
// the focus.
class MeasureBox : public NumberBox
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
        QString text = NumberBox::textFromValue(value);
        if (text.contains(u'.'))
            while (text.endsWith(u'0'))
                text.chop(1);
        if (text.endsWith(u'.'))
            text.chop(1);
        return text;
    }

  protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (hasFocus())
            NumberBox::wheelEvent(event);
        else
            event->ignore();
    }
};

} // namespace ui
