// SPDX-License-Identifier: GPL-3.0-or-later
// Table of all figures of all settings. Clicks on the headings sort it, and it can be copied as text.
#pragma once

#include "ui/numbers/late_figures.h"
#include "ui/numbers/numbers_table.h"
#include "ui/widgets/drawing.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ui
{

class NumbersView;

class NumbersPanel : public QWidget, public DrawnPage
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

    NumbersTable table() const; // with its rows in the order on screen
    Drawing drawing() const override { return {}; }
    bool isTable() const override { return true; }
    QString values() const override;
    int heightOfRows() const; // pixels that the panel needs to show all rows

  signals:
    void chosen(int id); // by the user
    void rowsChanged();  // their number

  protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* header();
    void fill();
    void want();
    FigureOf areaOf(const Compared& one) const;
    FigureOf lineOf(const Compared& one) const;
    FigureOf sliceOf(const Compared& one) const;

    Comparison m_shown;
    TriedSettings m_tried;
    engine::Mark m_line; // the chosen line, only its shape and width
    bool m_hasLine = false;
    bool m_isIdle = false;
    LateFigures<engine::AreaStatistics> m_statistics;
    LateFigures<EdgeWidth> m_edges;
    LateFigures<engine::Consistency> m_consistencies;
    NumbersView* m_view;
    QToolButton* m_copy = nullptr;
    QLabel* m_against;
};

} // namespace ui
