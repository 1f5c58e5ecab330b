// SPDX-License-Identifier: GPL-3.0-or-later
// A widget to choose where the angles of a scan come from: the scan itself, an even spread, steps, or a file.
#pragma once

#include "engine/io/open/open_scan.h"
#include "ui/settings/choice_combo.h"

#include <QWidget>

class QCheckBox;
class QStackedWidget;

namespace ui
{

class AnglesFilePage;
class MeasureBox;

class AnglesField : public QWidget
{
    Q_OBJECT
  public:
    explicit AnglesField(int labelWidth, QWidget* parent = nullptr);

    // Shows the options; where they give no angles, shows the scan's. scan: may be null. Emits no signal.
    void show(const engine::OpenOptions& options, const engine::Scan* scan);
    void askForFile();
    void setFolder(const QString& folder);
    void applyTo(engine::OpenOptions& options) const; // changes only the angles
    QWidget* focus() const { return m_kind; }

  signals:
    void changed(); // by the user; only when the input is complete

  private:
    enum Kind { asTheScan, overHalf, overWhole, firstLast, firstStep, ofFile };

    QWidget* makeEmpty();
    QWidget* makeRange();
    QWidget* makeSteps();
    Kind kind() const { return static_cast<Kind>(m_kind->currentData().toInt()); }
    void choose();
    void showPage();

    std::vector<double> m_scanRad;
    ChoiceCombo* m_kind;
    QStackedWidget* m_pages;
    MeasureBox *m_first, *m_last, *m_begin, *m_step, *m_wrap;
    QCheckBox* m_endExcluded;
    AnglesFilePage* m_filePage;
};

} // namespace ui
