// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs under the images: the profile, and the numbers of all settings.
#pragma once

#include "engine/compare/marks.h"
#include "ui/image/shapes.h"
#include "ui/numbers/tried_settings.h"

#include <QTabWidget>

class QLabel;
class QToolButton;

namespace ui
{

class AreasPanel;
class DrawnPage;
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
    void setIdle(bool idle);            // nothing else is being computed
    void showSpeeds();                  // turns to the chart of speeds
    void showPage(const QWidget* page); // turns to the tab that holds it
    // Adds a tab that its menu offers; only the first few tabs are always shown.
    void addMore(QWidget* tab, const QString& label, const QString& tip);
    bool isFolded() const { return m_isFolded; } // only the bar of tabs is shown
    void setFolded(bool folded);
    void showBeside(const QString& text); // in the bar, while the speed has no room beside the pages
    void setBesideVisible(bool visible);
    const DrawnPage* drawnPage() const; // the page on top, if it can be saved or copied; else null
    int usefulHeight() const;           // of the page on top, in pixels; 0: any height is useful
    void placeInBar(QWidget* ofFirst);  // beside the tabs, while the first one is chosen; takes ownership
    // Adds runs of a setting that was shown before; the next show() displays them.
    void addRuns(const engine::Request& request, const IdleMeasurement& measured) { m_tried.add(request, measured); }

  signals: // actions of the user
    void chosen(int id);
    void broughtBack(const engine::Setting& setting, const QString& name);
    void marksEdited(const engine::Marks& marks);
    void toolWanted(ui::Tool tool);
    void foldedChanged(bool folded);
    void usefulHeightChanged();
    void menuRequested(const QPoint& globalPosition); // for the page on top

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void makeCorner();
    void arrangeBar();
    void fillMenu();
    void keepOneMore(int current);

    TriedSettings m_tried;
    QWidget* m_ofFirst = nullptr;
    QLabel* m_beside;
    QToolButton* m_more;
    QToolButton* m_fold;
    bool m_isFolded = false;
    NumbersPanel* m_numbers;
    AreasPanel* m_areas;
    HistogramPanel* m_histograms;
    SpeedQualityPanel* m_quality;
    SpeedsPanel* m_speeds;
    SpectraPanel* m_spectra;
};

} // namespace ui
