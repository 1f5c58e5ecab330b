// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of preparation that are on, in their order: moved earlier and later, and looked at one by one.
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

    void show(const engine::Request& asked); // no signal
    using QWidget::show;
    void setOrder(std::vector<std::string> order) { m_order = std::move(order); }
    const std::vector<std::string>& order() const { return m_order; } // as PreparationSettings has it
    std::string chosen() const;                                       // the step; empty: none
    QListWidget* rows() const { return m_rows; }

  signals: // by the user
    void changed();
    void lookWanted(const QString& step); // before, after and the difference of it
    void stepChosen(const QString& step);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // Ctrl+Up and Ctrl+Down

  private:
    void move(bool earlier);
    void offer(); // what can be done with the chosen step

    engine::Request m_asked;
    std::vector<std::string> m_order;
    QListWidget* m_rows;
    QToolButton *m_earlier, *m_later, *m_usual, *m_look;
};

} // namespace ui
