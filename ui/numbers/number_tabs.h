// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs under the images: the profile, and the numbers of all settings.
#pragma once

#include "engine/compare/marks.h"
#include "ui/image/shapes.h"
#include "ui/numbers/tried_settings.h"

#include <QTabWidget>

namespace ui
{

class AreasPanel;
class HistogramPanel;
class NumbersPanel;
class SpectraPanel;
class SpeedQualityPanel;
class SpeedsPanel;

class NumberTabs : public QTabWidget
{
    Q_OBJECT
  public:
    explicit NumberTabs(QWidget* profile, QWidget* parent = nullptr); // profile: the first tab

    void show(const Comparison& comparison, const engine::Marks& marks);
    void showMarks(const engine::Marks& marks); // of the same comparison
    void clear();                               // for another scan
    const TriedSettings& tried() const { return m_tried; }
    void setIdle(bool idle); // nothing else is being computed
    void showSpeeds();       // turns to the chart of speeds
    // Adds runs of a setting that was shown before; the next show() displays them.
    void addRuns(const engine::Request& request, std::span<const TimedRun> runs) { m_tried.add(request, runs); }

  signals: // actions of the user
    void chosen(int id);
    void broughtBack(const engine::Setting& setting, const QString& name);
    void marksEdited(const engine::Marks& marks);
    void toolWanted(ui::Tool tool);

  private:
    TriedSettings m_tried;
    NumbersPanel* m_numbers;
    AreasPanel* m_areas;
    HistogramPanel* m_histograms;
    SpeedQualityPanel* m_quality;
    SpeedsPanel* m_speeds;
    SpectraPanel* m_spectra;
};

} // namespace ui
