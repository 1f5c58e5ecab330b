// SPDX-License-Identifier: GPL-3.0-or-later
// A guided tour of the window over a sample: a card with a text per step, beside a frame around what it explains. It
// can be left at any time.
#pragma once

#include "ui/window/panels.h"

#include <QFrame>

#include <vector>

class QLabel;
class QPushButton;

namespace ui
{

class Tour : public QFrame
{
    Q_OBJECT
  public:
    // window: the card lies over it.
    Tour(QWidget& window, const InputPanels& inputs, const ResultPanels& results);

    void begin();                       // asks for the sample and shows the first step
    void leave();                       // also if another scan was opened
    int step() const { return m_step; } // -1: not on the tour

  signals:
    void begun(); // the user's scan and settings are to be put aside, and the sample to be opened
    void left();  // they are to be brought back

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Step {
        QString title, text;
        const char* about; // object name of the widget that the step explains
        void (Tour::*act)() = nullptr;
    };
    std::vector<Step> steps() const;
    void go(int step);
    void place();

    void showImage();
    void addHalf();
    void showDifference();
    void showNumbers();

    QWidget& m_window;
    InputPanels m_inputs;
    ResultPanels m_results;
    QFrame* m_frame; // around the explained widget
    QLabel *m_title, *m_text, *m_count;
    QPushButton *m_leave, *m_back, *m_next;
    int m_step = -1;
};

} // namespace ui
