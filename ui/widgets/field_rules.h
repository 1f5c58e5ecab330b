// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of all input fields. The wheel changes one only where the user has put the focus; else it scrolls the panel
// that the field is in. In fields for numbers a comma that is typed is a decimal point: dropped, "0,65" would be 65.
// Where such a field can't use what was typed and takes its last value back, it says so.
#pragma once

#include <QObject>

class QAbstractSpinBox;
class QKeyEvent;

namespace ui
{

// For all fields of the application while it lives.
class FieldRules : public QObject
{
    Q_OBJECT

  public:
    explicit FieldRules(QObject* parent);
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool typesPoint(QObject* watched, const QKeyEvent& key);
    void sayRefused(QAbstractSpinBox* box);
};

} // namespace ui
