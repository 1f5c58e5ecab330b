// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of the unit in which the values of a reference from a file are read.
#pragma once

#include "ui/background/comparison.h"

#include <QWidget>

#include <string>

class QPushButton;

namespace ui
{

class ChoiceCombo;

// Returns "per mm" for "1/mm".
QString unitInWords(const std::string& unit);

// Visible only for a reference from a file.
class ReferenceUnit : public QWidget
{
    Q_OBJECT
  public:
    explicit ReferenceUnit(QWidget* parent = nullptr);

    // Emits no signal. scan: may be null.
    void showFor(const ReferenceChoice& reference, const engine::Scan* scan);
    // Shows a button that chooses the unit in which the reference would fit; hides it if the unit is empty.
    void offer(const std::string& unit);

  signals:
    void chosen(const std::string& unit); // by the user; empty: as the file specifies

  private:
    ChoiceCombo* m_units;
    QPushButton* m_offer;
    std::string m_offered;
};

} // namespace ui
