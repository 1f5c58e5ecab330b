// SPDX-License-Identifier: GPL-3.0-or-later
// A bar chart of the speeds of runs, the newest on the right.
#pragma once

#include <QVector>
#include <QWidget>

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
    // name: for screen readers. tip: what the chart shows.
    explicit HistoryChart(const QString& name, const QString& tip, QWidget* parent = nullptr);

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

    const QString m_tip;
    QVector<SpeedEntry> m_entries;
};

} // namespace ui
