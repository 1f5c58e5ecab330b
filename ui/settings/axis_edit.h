// SPDX-License-Identifier: GPL-3.0-or-later
// Where the rotation axis is: found, the middle, or a number; always shows the number that was used.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/settings/choice_combo.h"

#include <QDoubleSpinBox>
#include <QWidget>

class QLabel;

namespace ui
{

// Steps of 0.25 bin, 0.01 with Ctrl.
class AxisSpinBox : public QDoubleSpinBox
{
    Q_OBJECT
  public:
    using QDoubleSpinBox::QDoubleSpinBox;
    void stepBy(int steps) override;
};

class AxisEdit : public QWidget
{
    Q_OBJECT
  public:
    explicit AxisEdit(QWidget* parent = nullptr);

    engine::AxisSettings axis() const;
    void setAxis(const engine::AxisSettings& axis); // no signal
    void setScan(const engine::Scan* scan);         // range, and the positions that the file claims; no signal
    // What a reconstruction used: the number is shown, unless the user gave one.
    void showUsed(const engine::Reconstruction& made);
    ChoiceCombo* modeCombo() const { return m_mode; }

  signals:
    void changed();

  private:
    void setNumber(double bins); // no signal

    ChoiceCombo* m_mode;
    AxisSpinBox* m_bins;
    QLabel* m_used;
    double m_given = 0, m_shown = 0; // a number with more digits than the box shows, and what it shows of it
    double m_middle = 0;
};

} // namespace ui
