// Under the images: the profile, and the numbers of all settings in tabs beside it.
#pragma once

#include "ui/numbers/tried_settings.h"

#include <QTabWidget>

namespace ui
{

class NumbersPanel;

class NumberTabs : public QTabWidget
{
    Q_OBJECT
  public:
    explicit NumberTabs(QWidget* profile, QWidget* parent = nullptr); // the first tab

    void show(const Comparison& comparison);
    void clear(); // for another scan

  signals: // by the user
    void chosen(int id);

  private:
    TriedSettings m_tried;
    NumbersPanel* m_numbers;
};

} // namespace ui
