// Under the images: the profile, and the numbers of all settings in tabs beside it.
#pragma once

#include "ui/numbers/tried_settings.h"

#include <QTabWidget>

namespace ui
{

class NumbersPanel;
class SpectraPanel;
class SpeedQualityPanel;

class NumberTabs : public QTabWidget
{
    Q_OBJECT
  public:
    explicit NumberTabs(QWidget* profile, QWidget* parent = nullptr); // the first tab

    void show(const Comparison& comparison);
    void clear(); // for another scan
    const TriedSettings& tried() const { return m_tried; }

  signals: // by the user
    void chosen(int id);
    void broughtBack(const engine::Setting& setting, const QString& name);

  private:
    TriedSettings m_tried;
    NumbersPanel* m_numbers;
    SpeedQualityPanel* m_quality;
    SpectraPanel* m_spectra;
};

} // namespace ui
