// SPDX-License-Identifier: GPL-3.0-or-later
// A spin box for values of any size: shows a few significant digits, steps by a part of the range in view.
#pragma once

#include "ui/widgets/number_box.h"

namespace ui
{

class ValueSpinBox : public NumberBox
{
    Q_OBJECT
  public:
    explicit ValueSpinBox(QWidget* parent = nullptr);

    void setStep(double step);    // of one arrow key or wheel click
    void showValue(double value); // emits no signal

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  private:
    QString number(const QString& text) const; // without the unit
};

} // namespace ui
