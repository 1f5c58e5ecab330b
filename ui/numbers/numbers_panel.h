// SPDX-License-Identifier: GPL-3.0-or-later
// Table of all figures of all settings. Clicks on the headings sort it, and it can be copied as text.
#pragma once

#include "ui/numbers/late_figures.h"
#include "ui/numbers/numbers_page.h"

class QToolButton;

namespace ui
{

class NumbersPanel : public TablePage
{
    Q_OBJECT
  public:
    explicit NumbersPanel(QWidget* parent = nullptr);

    // marks: the width of an edge is measured along the chosen line.
    void show(const Comparison& comparison, const TriedSettings& tried, const engine::Marks& marks);
    void showMarks(const engine::Marks& marks);
    void clear();
    // While not idle, postpones figures that take as long as a reconstruction: computing them would distort the speeds
    // of other runs.
    void setIdle(bool idle);

    int heightOfRows() const; // pixels that the panel needs to show all rows

  signals:
    void chosen(int id); // by the user
    void rowsChanged();  // their number

  private:
    void fill() override;
    void want() override;
    FigureOf areaOf(const Compared& one) const;
    FigureOf lineOf(const Compared& one) const;
    FigureOf sliceOf(const Compared& one) const;

    TriedSettings m_tried;
    engine::Mark m_line; // the chosen line, only its shape and width
    bool m_hasLine = false;
    bool m_isIdle = false;
    LateFigures<engine::AreaStatistics> m_statistics;
    LateFigures<EdgeWidth> m_edges;
    LateFigures<engine::Consistency> m_consistencies;
    QToolButton* m_copy;
    QLabel* m_against;
};

} // namespace ui
