// SPDX-License-Identifier: GPL-3.0-or-later
// One of the two stacked plots of a profile: its axes, curves, legend, note and cursor.
#pragma once

#include "ui/widgets/plot_style.h"

#include <QString>
#include <QVector>

namespace ui
{

// Pane of a profile plot. The plot owns all its parts.
class ProfilePane
{
  public:
    // row: in the layout of both; ticks: approximate number of ticks of the value axis.
    ProfilePane(Plot* plot, QCPLayoutGrid* panes, int row, QCPMarginGroup* margins, int ticks);

    QCPAxisRect* rect() const { return m_rect; }
    QCPAxis* positions() const { return m_rect->axis(QCPAxis::atBottom); }
    QCPAxis* values() const { return m_rect->axis(QCPAxis::atLeft); }

    void setLogarithmic(bool logarithmic);
    QString unitWithPower(const QString& unit) const; // with the power of ten that its tick labels leave out
    // Returns whether the label changed. Without room for the whole it is the unit alone; isWhole: the quantity and the
    // unit are then in two lines, or above the axis.
    bool setLabel(const QString& quantity, const QString& unit, bool isWhole);
    bool fitTicks(); // keeps tick labels from touching; returns whether that changed
    void setNote(const QString& text) { m_note->setText(text); }
    void showNote(bool shown) { m_note->setVisible(shown && !m_note->text().isEmpty()); }
    void setCursor(double position); // NaN: hidden
    void style(const CurveColours& colours, const QFont& font, const QFont& noteFont);

    void clear(); // call it when the plot has removed its graphs
    QCPGraph* add();
    void addNone() { m_graphs.push_back(nullptr); } // for a curve without a graph
    QCPGraph* graph(qsizetype k) const { return m_graphs[k]; }
    bool isEmpty() const { return m_graphs.isEmpty(); }

  private:
    void makeNote();
    void makeAbove();
    void makeCursor();
    bool showLabel(const QString& beside, const QString& above);

    Plot* m_plot;
    QCPAxisRect* m_rect;
    int m_ticks;
    QMargins m_leastMargins;
    QCPItemText* m_note = nullptr;
    QCPItemText* m_above = nullptr; // the label, where there is no room beside the axis
    QCPItemStraightLine* m_cursor = nullptr;
    QVector<QCPGraph*> m_graphs; // one per curve; null for a curve without a graph
};

} // namespace ui
