// SPDX-License-Identifier: GPL-3.0-or-later
// Bar for the line of the profile, which can be chosen, typed, widened, named and removed.
#pragma once

#include "engine/compare/marks.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace ui
{

class LineBar : public QWidget
{
    Q_OBJECT
  public:
    // readout: shares the bar with the fields that edit the line.
    explicit LineBar(QWidget* readout, QWidget* parent = nullptr);

    void show(const engine::Marks& marks);
    bool all() const; // show all visible lines, not only the chosen one

  signals:
    void edited(const engine::Marks& marks); // by the user
    void allSwitched();

  private:
    QWidget* makeEditor();
    void change(const std::function<void(engine::Mark&)>& act);
    void takeShape();
    void say(); // emits edited() and refills the fields
    void fill();

    engine::Marks m_marks;
    QComboBox* m_lines;
    QToolButton* m_all;
    QToolButton* m_editing;
    QLineEdit* m_name;
    QLineEdit* m_shape;
    QSpinBox* m_width;
    QToolButton* m_remove;
};

} // namespace ui
