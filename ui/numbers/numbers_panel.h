// SPDX-License-Identifier: GPL-3.0-or-later
// All figures of all settings in a table that is sorted by a click and copied as text.
#pragma once

#include "ui/numbers/late_figures.h"
#include "ui/numbers/numbers_table.h"

#include <QWidget>

class QLabel;

namespace ui
{

class NumbersView;

class NumbersPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit NumbersPanel(QWidget* parent = nullptr);

    // marks: the chosen line's edge is measured.
    void show(const Comparison& comparison, const TriedSettings& tried, const engine::Marks& marks);
    void showMarks(const engine::Marks& marks);
    void clear();
    // Figures that take as long as the images are made only while nothing else is done, whose speed they would change.
    void setIdle(bool idle);

    NumbersTable table() const; // its rows as they stand

  signals:
    void chosen(int id); // by the user

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
    engine::Mark m_line; // the chosen one, its shape and width alone
    bool m_hasLine = false;
    bool m_isIdle = false;
    LateFigures<engine::AreaStatistics> m_statistics;
    LateFigures<EdgeWidth> m_edges;
    LateFigures<engine::Consistency> m_consistencies;
    NumbersView* m_view;
    QLabel* m_against;
};

} // namespace ui
