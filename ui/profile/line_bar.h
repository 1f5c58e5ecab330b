// SPDX-License-Identifier: GPL-3.0-or-later
// Which line the profile is along: chosen, typed, widened, named, removed.
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
    // readout: shares the room with the fields that edit the line.
    explicit LineBar(QWidget* readout, QWidget* parent = nullptr);

    void show(const engine::Marks& marks);
    bool all() const; // visible lines, not only the chosen one

  signals:
    void edited(const engine::Marks& marks); // by the user
    void allSwitched();

  private:
    QWidget* makeEditor();
    void change(const std::function<void(engine::Mark&)>& act);
    void takeShape();
    void say(); // edited(), and what stands here is that
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
