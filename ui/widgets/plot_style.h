// SPDX-License-Identifier: GPL-3.0-or-later
// The style of plots: axes, legends and labels in the colours of the theme.
#pragma once

#include "ui/widgets/curve_colours.h"

#include <qcustomplot.h>

#include <vector>

namespace ui
{

// A plot with the resolution of its screen.
class Plot : public QCustomPlot
{
    Q_OBJECT
  public:
    explicit Plot(QWidget* parent = nullptr);

    // Adds a graph whose dashes are drawn fast if the plot has the hint phFastPolylines.
    QCPGraph* addCurve(QCPAxis* keys, QCPAxis* values);
    // Draws a graph as the k-th setting's: dashes over solid curves, and thin curves over wide ones, so that curves
    // that coincide are all visible.
    void drawAsSetting(QCPGraph* graph, const QPalette& palette, int k);

  protected:
    bool event(QEvent* event) override; // tooltips of legends
    void changeEvent(QEvent* event) override;
    virtual void restyle() {} // after a change of the colours or the font
    void paintEvent(QPaintEvent* event) override;
};

// A legend above plots, where it covers nothing.
class CurveLegend : public QCPLegend
{
    Q_OBJECT
  public:
    // Takes the first row of the plot's layout; the plots belong below it.
    explicit CurveLegend(Plot* plot);

    // brief: shown instead of the name if there is no room for all names; empty: the name.
    void add(QCPAbstractPlottable* curve, const QString& name, const QString& brief = {}, const QString& tip = {});
    void clear();
    // Places the entries in the fewest rows that hold the whole names. Where no allowed number of rows does, names are
    // elided in the middle. plot: its size.
    void fit(const QSize& plot, const CurveColours& colours, const QFont& font);
    QString tipAt(const QPointF& position) const; // whole name of the entry there

  private:
    struct Entry {
        QCPAbstractPlottable* curve;
        QString name, brief, tip;
    };
    std::vector<Entry> m_entries;
};

QFont plotFont(const QFont& font); // for tick labels and legends: slightly smaller
void styleAxes(QCPAxisRect* rect, const CurveColours& colours, const QFont& font);

// The ticks of log_ticks.h.
class LogTicker : public QCPAxisTicker
{
  public:
    explicit LogTicker(bool asPowers) : m_asPowers(asPowers) {}

  protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

  private:
    bool m_asPowers;
};

} // namespace ui
