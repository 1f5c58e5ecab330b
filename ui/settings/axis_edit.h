// SPDX-License-Identifier: GPL-3.0-or-later
// The field for the rotation axis: automatic, found, the middle, or a number. It always shows the number that was
// used.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/settings/choice_combo.h"
#include "ui/widgets/number_box.h"

#include <QWidget>

class QLabel;

namespace ui
{

// A number field with steps of 0.25 bin, or 0.01 bin with Ctrl.
class AxisSpinBox : public NumberBox
{
    Q_OBJECT
  public:
    using NumberBox::NumberBox;
    void stepBy(int steps) override;
};

class AxisEdit : public QWidget
{
    Q_OBJECT
  public:
    explicit AxisEdit(QWidget* parent = nullptr);

    engine::AxisSettings axis() const;
    void setAxis(const engine::AxisSettings& axis); // emits no signal
    void setScan(const engine::Scan* scan); // sets the range and the positions that the file gives; emits no signal
    // Shows how the reconstruction determined the axis, and its position unless the user gave a number.
    void showUsed(const engine::Reconstruction& made);
    ChoiceCombo* modeCombo() const { return m_mode; }

  signals:
    void changed();

  private:
    void setNumber(double bins); // emits no signal

    ChoiceCombo* m_mode;
    AxisSpinBox* m_bins;
    QLabel* m_used;
    // Number with all its digits, and the number that the box shows for it, with fewer digits.
    double m_given = 0, m_shown = 0;
    double m_middle = 0;
};

} // namespace ui
