// SPDX-License-Identifier: GPL-3.0-or-later
// A bar chart of the speed of every result of the session, the newest on the right.
#pragma once

#include <QVector>
#include <QWidget>

namespace ui
{

struct SpeedEntry {
    double kernelGups = 0;
    QString settings; // text of the tooltip
};

class HistoryChart : public QWidget
{
    Q_OBJECT
  public:
    explicit HistoryChart(QWidget* parent = nullptr);

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

    QVector<SpeedEntry> m_entries;
};

} // namespace ui
