// SPDX-License-Identifier: GPL-3.0-or-later
// A bar chart of the speeds of runs, the newest on the right; of runs of one setting also how they are distributed
// (Chilingaryan et al. 2018, Figure 5).
#pragma once

#include <QVector>
#include <QWidget>

#include <vector>

namespace ui
{

struct SpeedEntry {
    double kernelGups = 0;
    QString settings; // text of the tooltip
    double totalGups = 0;
};

class HistoryChart : public QWidget
{
    Q_OBJECT
  public:
    enum class Runs { ofAnySetting, ofOneSetting };

    // name: for screen readers. tip: what the chart shows.
    HistoryChart(const QString& name, const QString& tip, Runs runs, QWidget* parent = nullptr);

    void add(const SpeedEntry& entry);
    void clear();
    const QVector<SpeedEntry>& entries() const { return m_entries; }
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int entryAt(int x) const; // -1: none
    int visibleCount() const;
    QRect distributionArea() const; // at the right edge; empty: it isn't shown
    void drawDistribution(QPainter& painter, const QRect& area) const;
    std::vector<double> speeds() const;

    const QString m_tip;
    const Runs m_runs;
    QVector<SpeedEntry> m_entries;
};

} // namespace ui
