// SPDX-License-Identifier: GPL-3.0-or-later
// Rows with a label, a bar and a value.
#pragma once

#include "ui/widgets/bar_marks.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace ui
{

struct BarRow {
    QString label;
    QString value = QStringLiteral("–");
    double share = -1;                    // length of the bar, 0…1; negative: none
    double begin = 0;                     // where the bar begins, 0…1
    bool isHatched = false;               // reused, not of this run
    bool isQuiet = false;                 // grey, beside the bars that matter
    double mark = -1;                     // place of a diamond, 0…1: what the bar is compared with; negative: none
    double otherMark = -1;                // of a filled diamond: what it is compared with as well
    std::optional<SpreadBox> spread = {}; // of its runs, as shares
    std::optional<double> error = {};     // relative; shown in a column of its own, if a row has one
    QString explanation = {};             // tooltip
};

class BarRows : public QWidget
{
    Q_OBJECT
  public:
    explicit BarRows(const QString& accessibleName, QWidget* parent = nullptr);

    void setRows(std::vector<BarRow> rows);
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    int rowHeight() const;
    int headingHeight() const { return m_errors.isShown() ? rowHeight() : 0; }
    void drawBar(QPainter& painter, const BarRow& row, const QRectF& track) const;

    std::vector<BarRow> m_rows;
    ErrorColumn m_errors;
};

} // namespace ui
