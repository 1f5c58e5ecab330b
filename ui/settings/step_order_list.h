// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the active preparation steps in their order. Steps can be moved, and their effect on the scan can be
// shown.
#pragma once

#include "engine/request/setting.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QListWidget;
class QToolButton;

namespace ui
{

class StepOrderList : public QWidget
{
    Q_OBJECT
  public:
    explicit StepOrderList(QWidget* parent = nullptr);

    void show(const engine::Request& asked); // emits no signal
    using QWidget::show;
    void setOrder(std::vector<std::string> order) { m_order = std::move(order); }
    const std::vector<std::string>& order() const { return m_order; } // as in PreparationSettings
    std::string chosen() const;                                       // id of the step; empty: none
    QListWidget* rows() const { return m_rows; }

  signals: // emitted after actions of the user
    void changed();
    void lookWanted(const QString& step); // asks to show the scan before and after the step, and the difference
    void stepChosen(const QString& step);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // Ctrl+Up and Ctrl+Down

  private:
    void move(bool earlier);
    void offer(); // enables the buttons that apply to the chosen step

    engine::Request m_asked;
    std::vector<std::string> m_order;
    QListWidget* m_rows;
    QToolButton *m_earlier, *m_later, *m_usual, *m_look;
};

} // namespace ui
