// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for all input fields. The wheel changes a field only if it has the focus; otherwise it scrolls the panel with
// the field. If a number field rejects the input and restores its last value, a tooltip reports that.
#pragma once

#include <QObject>

class QAbstractSpinBox;

namespace ui
{

// Applies to all fields of the application while it exists.
class FieldRules : public QObject
{
    Q_OBJECT

  public:
    explicit FieldRules(QObject* parent);
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void sayRefused(QAbstractSpinBox* box);
};

} // namespace ui
